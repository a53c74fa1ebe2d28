// FragmentReader: reads the fragments of a record file one by one, without assembling records.
#ifndef BUSHSTORE_FILELOG_FRAGMENT_READER_H_
#define BUSHSTORE_FILELOG_FRAGMENT_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "filelog/damage_ledger.h"
#include "filelog/format.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"

namespace leveldb {

struct Fragment {
  uint8_t type;     // any value: it may be no FragmentType
  Slice payload;    // valid until the next fragment is read
  uint64_t offset;  // where in the file it begins and ends
  uint64_t end;
};

// Needs exclusive access.
class FragmentReader {
 public:
  // Reads `file` from its current position and notes damage in *ledger. Owns neither.
  FragmentReader(SequentialFile* file, DamageLedger* ledger, bool verify_checksums);

  enum class Step {
    kFragment,  // *fragment is set
    kGap,       // something was skipped: zeros, or damage that is in the ledger
    kEnd,       // there are no more
  };

  Step Next(Fragment* fragment);

  // Return, after kEnd, whether the file ends in the middle of a fragment, and whether it could not
  // be read to its end.
  bool ends_inside_fragment() const { return ends_inside_fragment_; }
  bool failed() const { return failed_; }

  // Returns how many bytes of the file have been read.
  uint64_t bytes_read() const { return block_offset_ + block_size_; }

 private:
  void ReadBlock();
  Step PassOverZeros();
  Step PassOverBlock(const char* what);
  bool HoldsFragment(const char* p, size_t size);

  SequentialFile* const file_;
  DamageLedger* const ledger_;
  const bool verify_checksums_;

  const std::unique_ptr<char[]> block_;
  size_t block_size_ = 0;      // bytes read into the block
  size_t position_ = 0;        // where in the block the next fragment begins
  uint64_t block_offset_ = 0;  // where in the file the block begins
  bool is_last_block_ = false;

  uint64_t search_budget_;  // bytes that HoldsFragment may still check
  bool ends_inside_fragment_ = false;
  bool failed_ = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_FILELOG_FRAGMENT_READER_H_
