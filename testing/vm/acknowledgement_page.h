// AcknowledgementPage: counters of a database's writes, in memory that outlives the machine.
//
// The page is a file of the host that the virtual machine maps as the memory of a device (ivshmem).
// A store to it is in the host's file at once, so after a power cut of the machine the page says
// what was acknowledged before. acknowledgements.py reads the same bytes.
//
// A page has kSlots slots of kSlotBytes, one for each database. A slot is an array of 64-bit words
// in the order of the processor (little-endian):
//
//   0  kMagic
//   1  state: a SlotState
//   2  number of threads
//   3  openings: how often the contents were found to be right
//   4  merges, value-log GC jobs and spills of the pool since the database was opened, in this and
//      the next two words
//   8 + 8 * thread  begun         the newest write that was begun
//             + 1   acknowledged  the newest write that was acknowledged
//             + 2   durable       the newest write that must survive a power failure
//             + 3   total         how many writes were ever acknowledged, also those that were lost
//
// Writes of a thread are numbered from 1 in their order.

#ifndef BUSHSTORE_TESTING_VM_ACKNOWLEDGEMENT_PAGE_H_
#define BUSHSTORE_TESTING_VM_ACKNOWLEDGEMENT_PAGE_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

enum class SlotState : uint64_t {
  kUnused = 0,
  kVerifying = 1,
  kWriting = 2,
  kWrong = 3,
  kDone = 4
};

class AcknowledgementPage {
 public:
  static constexpr size_t kSlotBytes = 4096;
  static constexpr size_t kSlots = 16;
  static constexpr int kThreadsMax = 16;

  // Maps the slot of `file`, which has at least kSlots * kSlotBytes bytes, for `threads` threads.
  AcknowledgementPage(const std::string& file, size_t slot, int threads);
  ~AcknowledgementPage();
  AcknowledgementPage(const AcknowledgementPage&) = delete;
  AcknowledgementPage& operator=(const AcknowledgementPage&) = delete;

  // Returns why the slot can't be used; empty if it can.
  const std::string& problem() const { return problem_; }

  void SetState(SlotState state);
  // Sets what background jobs have done since the database was opened.
  void SetJobs(uint64_t merges, uint64_t gc_jobs, uint64_t spills);

  uint64_t Begun(int thread) const { return Load(ThreadWord(thread)); }
  uint64_t Acknowledged(int thread) const { return Load(ThreadWord(thread) + 1); }
  uint64_t Durable(int thread) const { return Load(ThreadWord(thread) + 2); }
  uint64_t openings() const { return Load(3); }

  // Returns the newest acknowledged write of each thread.
  std::vector<uint64_t> AcknowledgedByAll() const;

  void Begin(int thread, uint64_t number);
  void Acknowledge(int thread, uint64_t number);
  // Sets that, for each thread, the writes up to this one must survive from now on.
  void RaiseDurable(const std::vector<uint64_t>& numbers);

  // Resets the counters after a restart at which, for each thread, exactly the writes up to this
  // one were found.
  void RestartAt(const std::vector<uint64_t>& numbers);

 private:
  static size_t ThreadWord(int thread) { return 8 + 8 * static_cast<size_t>(thread); }
  uint64_t Load(size_t word) const;
  void Store(size_t word, uint64_t value);

  const int threads_;
  std::string problem_;
  void* mapping_ = nullptr;
  uint64_t* words_ = nullptr;  // of the slot
  std::mutex durable_mutex_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_VM_ACKNOWLEDGEMENT_PAGE_H_
