#include "testing/durable_image.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace leveldb {
namespace testkit {

namespace {

constexpr size_t kWord = 8;
constexpr size_t kLine = 64;
constexpr size_t kPage = SparseBytes::kPage;

uint64_t Down(uint64_t n, uint64_t unit) {
  return n / unit * unit;
}

uint64_t Up(uint64_t n, uint64_t unit) {
  return (n + unit - 1) / unit * unit;
}

// Returns zeroed memory that takes up space only where it is written.
template <typename T>
T* Reserve(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr, "no memory for the image of a pool\n");
    std::abort();
  }
  return static_cast<T*>(memory);
}

bool IsZero(const char* page, size_t n) {
  return page[0] == 0 && memcmp(page, page + 1, n - 1) == 0;
}

// Draws a probability for this cut, often 0 or 1, so that rare patterns vary.
double AnyShare(Dice* dice) {
  constexpr double kShares[] = {0, 0.02, 0.2, 0.5, 0.8, 0.98, 1};
  return kShares[dice->Below(sizeof(kShares) / sizeof(kShares[0]))];
}

bool Chance(double share, Dice* dice) {
  return static_cast<double>(dice->Next() >> 11) < share * static_cast<double>(uint64_t{1} << 53);
}

}  // namespace

DurableImage::DurableImage(const char* base, uint64_t bytes_now, uint64_t reserved_bytes)
    : base_(base),
      reserved_bytes_(reserved_bytes),
      durable_(Reserve<char>(reserved_bytes)),
      versions_(Reserve<uint32_t>(reserved_bytes / kWord * sizeof(uint32_t))),
      present_(reserved_bytes / kPage + 1),
      touched_bytes_(bytes_now) {
  for (uint64_t at = 0; at < bytes_now; at += kPage) {
    const size_t n = std::min<uint64_t>(kPage, bytes_now - at);
    if (IsZero(base + at, n)) continue;
    memcpy(durable_ + at, base + at, n);
    present_[at / kPage] = true;
  }
}

DurableImage::~DurableImage() {
  munmap(durable_, reserved_bytes_);
  munmap(versions_, reserved_bytes_ / kWord * sizeof(uint32_t));
}

bool DurableImage::Holds(const void* p) const {
  const char* const byte = static_cast<const char*>(p);
  return byte >= base_ && byte < base_ + reserved_bytes_;
}

void DurableImage::CaptureRange(uint64_t thread, uint64_t begin, uint64_t end) {
  Thread& mine = threads_[thread];
  Settle(&mine.fenced);
  touched_bytes_ = std::max(touched_bytes_, end);
  mine.pending.push_back({begin, ++captures_, std::string(base_ + begin, end - begin)});
}

void DurableImage::CaptureWords(uint64_t thread, const void* p, size_t n) {
  const auto at = static_cast<uint64_t>(static_cast<const char*>(p) - base_);
  if (n > 0) CaptureRange(thread, Down(at, kWord), Up(at + n, kWord));
}

void DurableImage::CaptureLines(uint64_t thread, const void* p, size_t n) {
  const auto at = static_cast<uint64_t>(static_cast<const char*>(p) - base_);
  if (n > 0) CaptureRange(thread, Down(at, kLine), Up(at + n, kLine));
}

void DurableImage::Fence(uint64_t thread) {
  Thread& mine = threads_[thread];
  Settle(&mine.fenced);
  mine.fenced.swap(mine.pending);
}

void DurableImage::FenceAll() {
  for (auto& [thread, state] : threads_) {
    Settle(&state.fenced);
    Settle(&state.pending);
  }
}

void DurableImage::MakeDurable(const void* p, size_t n) {
  const auto at = static_cast<uint64_t>(static_cast<const char*>(p) - base_);
  const uint64_t begin = Down(at, kWord);
  touched_bytes_ = std::max(touched_bytes_, at + n);
  Captures now;
  now.push_back({begin, ++captures_, std::string(base_ + begin, Up(at + n, kWord) - begin)});
  Settle(&now);
}

void DurableImage::TakeBack(uint64_t thread) {
  Thread& mine = threads_[thread];
  if (mine.pending.empty()) mine.pending.swap(mine.fenced);
}

void DurableImage::Settle(Captures* captures) {
  for (const Capture& capture : *captures) {
    for (size_t i = 0; i < capture.words.size(); i += kWord) {
      const uint64_t at = capture.offset + i;
      if (versions_[at / kWord] > capture.number) continue;
      versions_[at / kWord] = capture.number;
      memcpy(durable_ + at, capture.words.data() + i, kWord);
      present_[at / kPage] = true;
    }
  }
  captures->clear();
}

std::vector<const DurableImage::Capture*> DurableImage::InOrder(Captures Thread::*kind) const {
  std::vector<const Capture*> captures;
  for (const auto& [thread, state] : threads_) {
    for (const Capture& capture : state.*kind) captures.push_back(&capture);
  }
  std::sort(captures.begin(), captures.end(),
            [](const Capture* a, const Capture* b) { return a->number < b->number; });
  return captures;
}

SparseBytes DurableImage::Durable(uint64_t bytes) const {
  SparseBytes image(bytes);
  for (uint64_t at = 0; at < bytes; at += kPage) {
    if (present_[at / kPage]) image.Write(at, durable_ + at, std::min<uint64_t>(kPage, bytes - at));
  }
  for (const Capture* const capture : InOrder(&Thread::fenced)) {
    for (size_t i = 0; i < capture->words.size(); i += kWord) {
      const uint64_t at = capture->offset + i;
      if (at >= bytes || versions_[at / kWord] > capture->number) continue;
      image.Write(at, capture->words.data() + i, kWord);
    }
  }
  return image;
}

// Other threads may be storing at the same time. Reads until two reads agree: these bytes were
// there at one moment, so that no store is included without those before it.
SparseBytes DurableImage::Stored(uint64_t bytes, uint64_t mapped_bytes) const {
  while (true) {
    SparseBytes image(bytes);
    for (uint64_t at = 0; at < mapped_bytes; at += kPage) {
      const size_t n = std::min<uint64_t>(kPage, mapped_bytes - at);
      if (!IsZero(base_ + at, n)) image.Write(at, base_ + at, n);
    }
    bool alike = true;
    for (uint64_t at = 0; alike && at < mapped_bytes; at += kPage) {
      const size_t n = std::min<uint64_t>(kPage, mapped_bytes - at);
      alike = image.Equals(at, base_ + at, n);
    }
    if (alike) return image;
  }
}

SparseBytes DurableImage::AfterPowerLoss(uint64_t bytes, uint64_t mapped_bytes, Loss loss,
                                         Dice* dice) const {
  if (loss == Loss::kKeepAll) return Stored(bytes, mapped_bytes);
  SparseBytes image = Durable(bytes);
  switch (loss) {
    case Loss::kDropAll:
    case Loss::kKeepAll:
      break;
    case Loss::kInOrder:
      KeepBeginning(&image, dice);
      break;
    case Loss::kTruncate:
      KeepSome(&image, mapped_bytes, kLine, dice);
      break;
    case Loss::kTear:
      KeepSome(&image, mapped_bytes, kWord, dice);
      break;
  }
  return image;
}

DurableImage::Numbers DurableImage::FencedNumbers() const {
  Numbers numbers;
  for (const Capture* const capture : InOrder(&Thread::fenced)) {
    for (size_t i = 0; i < capture->words.size(); i += kWord) {
      numbers[capture->offset + i] = capture->number;
    }
  }
  return numbers;
}

void DurableImage::Keep(const Capture& capture, uint64_t begin, uint64_t end, const Numbers& newest,
                        SparseBytes* image) const {
  for (uint64_t at = begin; at < end; at += kWord) {
    const auto fenced = newest.find(at);
    if (at >= image->size() || versions_[at / kWord] > capture.number) continue;
    if (fenced != newest.end() && fenced->second > capture.number) continue;
    image->Write(at, capture.words.data() + (at - capture.offset), kWord);
  }
}

void DurableImage::KeepBeginning(SparseBytes* image, Dice* dice) const {
  const Numbers newest = FencedNumbers();
  std::vector<const Capture*> pending = InOrder(&Thread::pending);
  pending.resize(dice->Below(pending.size() + 1));
  for (const Capture* const capture : pending) {
    Keep(*capture, capture->offset, capture->offset + capture->words.size(), newest, image);
  }
}

// A word that has several pending captures may be left in the state of any, and any word that
// differs from the mapping may have left the cache by itself.
void DurableImage::KeepSome(SparseBytes* image, uint64_t mapped_bytes, uint64_t unit,
                            Dice* dice) const {
  const Numbers newest = FencedNumbers();
  const double captured_share = AnyShare(dice);
  const double stored_share = AnyShare(dice);
  for (const Capture* const capture : InOrder(&Thread::pending)) {
    const uint64_t end = capture->offset + capture->words.size();
    uint64_t next;
    for (uint64_t at = capture->offset; at < end; at = next) {
      next = std::min(Down(at, unit) + unit, end);
      if (Chance(captured_share, dice)) Keep(*capture, at, next, newest, image);
    }
  }
  for (uint64_t page = 0; page < mapped_bytes && stored_share > 0; page += kPage) {
    const size_t n = std::min<uint64_t>(kPage, mapped_bytes - page);
    if (!present_[page / kPage] && IsZero(base_ + page, n)) continue;
    if (image->Equals(page, base_ + page, n)) continue;
    for (uint64_t at = page; at < page + n; at += unit) {
      if (Chance(stored_share, dice)) image->Write(at, base_ + at, unit);
    }
  }
}

}  // namespace testkit
}  // namespace leveldb
