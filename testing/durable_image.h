// What of one mapped pool is durable, kept beside the mapping itself.
//
// The mapping holds all stores. Here is a second copy with what a power cut cannot take, and a list
// of captures: what lines held when a thread copied or flushed them, waiting for that thread's
// fence. Captures are whole words of eight bytes, numbered; a word never goes back to an older
// capture than it has, whoever fences first.
#ifndef BUSHSTORE_TESTING_DURABLE_IMAGE_H_
#define BUSHSTORE_TESTING_DURABLE_IMAGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/power_env.h"
#include "testing/sparse_bytes.h"

namespace leveldb {
namespace testkit {

// Not thread-safe.
class DurableImage {
 public:
  // Everything in base[0, bytes_now) counts as durable. The mapping may become readable up to
  // reserved_bytes.
  DurableImage(const char* base, uint64_t bytes_now, uint64_t reserved_bytes);
  ~DurableImage();

  DurableImage(const DurableImage&) = delete;
  DurableImage& operator=(const DurableImage&) = delete;

  const char* base() const { return base_; }
  bool Holds(const void* p) const;

  // Thread `thread` has brought the words of p[0, n), or the lines of it, on their way.
  void CaptureWords(uint64_t thread, const void* p, size_t n);
  void CaptureLines(uint64_t thread, const void* p, size_t n);

  // What the thread captured is durable. But see TakeBack.
  void Fence(uint64_t thread);
  // What all threads captured is durable.
  void FenceAll();
  // Words that became durable before all others.
  void MakeDurable(const void* p, size_t n);

  // Undoes the thread's last fence, if it has captured nothing since.
  void TakeBack(uint64_t thread);

  // Up to where something was there at the beginning, or has been captured since. What a growing
  // pool has behind it need not be mapped yet.
  uint64_t touched_bytes() const { return touched_bytes_; }

  // The first `bytes` bytes as a power cut could leave them: so many the files still have, of which
  // `mapped_bytes` are mapped.
  SparseBytes AfterPowerLoss(uint64_t bytes, uint64_t mapped_bytes, Loss loss, Dice* dice) const;

 private:
  struct Capture {
    uint64_t offset;
    uint32_t number;
    std::string words;
  };
  using Captures = std::vector<Capture>;

  // What a fenced thread has captured is booked when it goes on; until then it can be taken back.
  struct Thread {
    Captures pending;
    Captures fenced;
  };

  void CaptureRange(uint64_t thread, uint64_t begin, uint64_t end);
  void Settle(Captures* captures);
  // All captures of one kind, in the order in which they were made.
  std::vector<const Capture*> InOrder(Captures Thread::*kind) const;
  // The bytes that are durable for certain, or that the mapping holds.
  SparseBytes Durable(uint64_t bytes) const;
  SparseBytes Stored(uint64_t bytes, uint64_t mapped_bytes) const;
  // Lets some of what is not durable survive.
  void KeepBeginning(SparseBytes* image, Dice* dice) const;
  void KeepSome(SparseBytes* image, uint64_t mapped_bytes, uint64_t unit, Dice* dice) const;
  // Puts [begin, end) of a pending capture into the image, but for words of which something newer
  // is durable; `newest` has the numbers of those that are fenced and not booked.
  using Numbers = std::map<uint64_t, uint32_t>;
  Numbers FencedNumbers() const;
  void Keep(const Capture& capture, uint64_t begin, uint64_t end, const Numbers& newest,
            SparseBytes* image) const;

  const char* const base_;
  const uint64_t reserved_bytes_;
  char* durable_;              // reserved_bytes_
  uint32_t* versions_;         // of each word: the number of the capture that it came from
  std::vector<bool> present_;  // by page of durable_: whether anything but zeros may be there
  std::map<uint64_t, Thread> threads_;
  uint32_t captures_ = 0;
  uint64_t touched_bytes_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_DURABLE_IMAGE_H_
