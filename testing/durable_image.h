// DurableImage: tracks which bytes of one mapped pool are durable.
//
// The mapping itself holds all stores. This class keeps a second copy, with what a power cut cannot
// lose, and a list of captures: the contents of lines when a thread copied or flushed them, which
// wait for that thread's fence. Captures are whole words of eight bytes, and numbered; no thread's
// fence replaces a word with an older capture of it.
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

  // Captures the words of p[0, n), or the lines that contain them, for thread `thread`.
  void CaptureWords(uint64_t thread, const void* p, size_t n);
  void CaptureLines(uint64_t thread, const void* p, size_t n);

  // Makes what the thread captured durable; TakeBack can undo it.
  void Fence(uint64_t thread);
  // Makes durable what all threads captured.
  void FenceAll();
  // Makes words durable at once, before all other captures.
  void MakeDurable(const void* p, size_t n);

  // Undoes the thread's last fence, if it has captured nothing since.
  void TakeBack(uint64_t thread);

  // Returns the end of the range that held anything at the beginning or has been captured since.
  // The rest of a growing pool need not be mapped yet.
  uint64_t touched_bytes() const { return touched_bytes_; }

  // Returns the first `bytes` bytes, the length of the files, as a power cut could leave them;
  // `mapped_bytes` of them are mapped.
  SparseBytes AfterPowerLoss(uint64_t bytes, uint64_t mapped_bytes, Loss loss, Dice* dice) const;

 private:
  struct Capture {
    uint64_t offset;
    uint32_t number;
    std::string words;
  };
  using Captures = std::vector<Capture>;

  // Captures that a fence of their thread has reached. They are applied to durable_ at the thread's
  // next step; until then the fence can be taken back.
  struct Thread {
    Captures pending;
    Captures fenced;
  };

  void CaptureRange(uint64_t thread, uint64_t begin, uint64_t end);
  void Settle(Captures* captures);
  // Returns all captures of one kind, in the order in which they were made.
  std::vector<const Capture*> InOrder(Captures Thread::*kind) const;
  // The bytes that are durable for certain, and those that the mapping holds.
  SparseBytes Durable(uint64_t bytes) const;
  SparseBytes Stored(uint64_t bytes, uint64_t mapped_bytes) const;
  // Copy into the image some of what is not durable.
  void KeepBeginning(SparseBytes* image, Dice* dice) const;
  void KeepSome(SparseBytes* image, uint64_t mapped_bytes, uint64_t unit, Dice* dice) const;
  // Copies [begin, end) of a pending capture into the image, except for words of which something
  // newer is durable; `newest` has the capture numbers of the words that are fenced and not applied
  // yet.
  using Numbers = std::map<uint64_t, uint32_t>;
  Numbers FencedNumbers() const;
  void Keep(const Capture& capture, uint64_t begin, uint64_t end, const Numbers& newest,
            SparseBytes* image) const;

  const char* const base_;
  const uint64_t reserved_bytes_;
  char* durable_;              // reserved_bytes_ bytes
  uint32_t* versions_;         // by word: the number of the capture it came from
  std::vector<bool> present_;  // by page of durable_: whether it may hold anything but zeros
  std::map<uint64_t, Thread> threads_;
  uint32_t captures_ = 0;
  uint64_t touched_bytes_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_DURABLE_IMAGE_H_
