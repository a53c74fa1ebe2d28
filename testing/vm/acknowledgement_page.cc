#include "testing/vm/acknowledgement_page.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace leveldb {
namespace testkit {

namespace {

constexpr uint64_t kMagic = 0x314b434148535542;  // "BUSHACK1"
constexpr size_t kPageBytes = AcknowledgementPage::kSlots * AcknowledgementPage::kSlotBytes;

}  // namespace

AcknowledgementPage::AcknowledgementPage(const std::string& file, size_t slot, int threads)
    : threads_(threads) {
  if (slot >= kSlots || threads < 1 || threads > kThreadsMax) {
    problem_ = "a page has " + std::to_string(kSlots) + " slots for 1 to " +
               std::to_string(kThreadsMax) + " threads";
    return;
  }
  const int opened = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (opened < 0) {
    problem_ = "cannot open the page " + file;
    return;
  }
  void* const mapping = ::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  ::close(opened);
  if (mapping == MAP_FAILED) {
    problem_ = "cannot map the page " + file;
    return;
  }
  mapping_ = mapping;
  words_ = static_cast<uint64_t*>(mapping) + slot * kSlotBytes / sizeof(uint64_t);
  if (Load(0) == kMagic && Load(2) != static_cast<uint64_t>(threads)) {
    problem_ = "the slot was written by " + std::to_string(Load(2)) + " threads";
    return;
  }
  Store(2, static_cast<uint64_t>(threads));
  Store(0, kMagic);
}

AcknowledgementPage::~AcknowledgementPage() {
  if (mapping_ != nullptr) {
    ::munmap(mapping_, kPageBytes);
  }
}

void AcknowledgementPage::SetState(SlotState state) {
  Store(1, static_cast<uint64_t>(state));
}

void AcknowledgementPage::SetJobs(uint64_t merges, uint64_t gc_jobs, uint64_t spills) {
  Store(4, merges);
  Store(5, gc_jobs);
  Store(6, spills);
}

std::vector<uint64_t> AcknowledgementPage::AcknowledgedByAll() const {
  std::vector<uint64_t> numbers;
  for (int thread = 0; thread < threads_; ++thread) {
    numbers.push_back(Acknowledged(thread));
  }
  return numbers;
}

void AcknowledgementPage::Begin(int thread, uint64_t number) {
  Store(ThreadWord(thread), number);
}

void AcknowledgementPage::Acknowledge(int thread, uint64_t number) {
  const size_t word = ThreadWord(thread);
  Store(word + 1, number);
  Store(word + 3, Load(word + 3) + 1);
}

void AcknowledgementPage::RaiseDurable(const std::vector<uint64_t>& numbers) {
  const std::lock_guard<std::mutex> lock(durable_mutex_);
  for (int thread = 0; thread < threads_; ++thread) {
    const uint64_t number = numbers[static_cast<size_t>(thread)];
    if (number > Durable(thread)) {
      Store(ThreadWord(thread) + 2, number);
    }
  }
}

void AcknowledgementPage::RestartAt(const std::vector<uint64_t>& numbers) {
  // What is found is at least `durable` and at most `begun`, also if the power fails between these
  // stores.
  for (int thread = 0; thread < threads_; ++thread) {
    const uint64_t number = numbers[static_cast<size_t>(thread)];
    const size_t word = ThreadWord(thread);
    Store(word + 2, number);
    Store(word + 1, number);
    Store(word, number);
  }
  Store(3, openings() + 1);
}

uint64_t AcknowledgementPage::Load(size_t word) const {
  return std::atomic_ref<uint64_t>(words_[word]).load(std::memory_order_acquire);
}

void AcknowledgementPage::Store(size_t word, uint64_t value) {
  std::atomic_ref<uint64_t>(words_[word]).store(value, std::memory_order_seq_cst);
}

}  // namespace testkit
}  // namespace leveldb
