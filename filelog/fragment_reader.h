// FragmentReader: reads the fragments of a record file one by one, without putting them together.
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
  uint8_t type;     // any value: not all of them are types
  Slice payload;    // good until the next fragment is read
  uint64_t offset;  // where in the file it begins and ends
  uint64_t end;
};

// Needs exclusive access.
class FragmentReader {
 public:
  // Reads `file` from where it stands and notes damage in *ledger. Neither is owned.
  FragmentReader(SequentialFile* file, DamageLedger* ledger, bool verify_checksums);

  enum class Step {
    kFragment,  // *fragment is set
    kGap,       // something was passed over: zeros, or damage that the ledger knows of
    kEnd,       // there are no more
  };

  Step Next(Fragment* fragment);

  // After kEnd: whether the file ends in the middle of a fragment, and whether it could not be read
  // to its end.
  bool ends_inside_fragment() const { return ends_inside_fragment_; }
  bool failed() const { return failed_; }

  // How far the file has been read.
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
  size_t block_size_ = 0;      // bytes of the block that exist
  size_t position_ = 0;        // where in it the next fragment begins
  uint64_t block_offset_ = 0;  // where in the file it begins
  bool is_last_block_ = false;

  uint64_t search_budget_;  // bytes that HoldsFragment may still check
  bool ends_inside_fragment_ = false;
  bool failed_ = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_FILELOG_FRAGMENT_READER_H_
