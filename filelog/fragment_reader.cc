// A length cannot be trusted if the checksum of the fragment is wrong, and without it the next
// header cannot be found, so the rest of the block is skipped. To find out whether that rest holds
// a valid fragment, every byte is tried as the beginning of one. A fragment that is found is not
// used; it only proves that the damage is not the tail that a crash leaves.

#include "filelog/fragment_reader.h"

#include <cstring>

#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb {

namespace {

// Bounds the bytes checked in searches for fragments. Checking every byte of a block full of bytes
// that look like fragments takes 500 MB of checksums, and a file made of such blocks must not make
// the reader hang; after this many bytes, blocks are no longer searched.
constexpr uint64_t kSearchBudget = uint64_t{1} << 30;

size_t PayloadSize(const char* header) {
  return static_cast<uint8_t>(header[4]) | static_cast<size_t>(static_cast<uint8_t>(header[5]))
                                               << 8;
}

constexpr char kZeros[] = "zeros where a record should be";

uint8_t TypeByte(const char* header) {
  return static_cast<uint8_t>(header[6]);
}

bool ChecksumMatches(const char* header) {
  const uint32_t expected = crc32c::Unmask(LoadFixed32(header));
  return crc32c::Value(header + 6, 1 + PayloadSize(header)) == expected;
}

}  // namespace

FragmentReader::FragmentReader(SequentialFile* file, DamageLedger* ledger, bool verify_checksums)
    : file_(file),
      ledger_(ledger),
      verify_checksums_(verify_checksums),
      block_(new char[kLogBlockSize]),
      search_budget_(kSearchBudget) {}

FragmentReader::Step FragmentReader::Next(Fragment* fragment) {
  while (block_size_ - position_ < kLogHeaderSize) {
    if (is_last_block_) {
      if (position_ < block_size_) ends_inside_fragment_ = true;
      return Step::kEnd;
    }
    ReadBlock();
  }
  const char* const header = block_.get() + position_;
  const size_t left = block_size_ - position_;
  const size_t size = PayloadSize(header);
  if (TypeByte(header) == 0 && size == 0) return PassOverZeros();
  if (kLogHeaderSize + size > left) {
    if (!is_last_block_ || HoldsFragment(header + 1, left - 1)) {
      return PassOverBlock("a length reaches beyond its block");
    }
    position_ = block_size_;
    ends_inside_fragment_ = true;
    return Step::kEnd;
  }
  if (verify_checksums_ && !ChecksumMatches(header)) return PassOverBlock("checksum mismatch");

  fragment->type = TypeByte(header);
  fragment->payload = Slice(header + kLogHeaderSize, size);
  fragment->offset = block_offset_ + position_;
  position_ += kLogHeaderSize + size;
  fragment->end = block_offset_ + position_;
  ledger_->Confirm();
  return Step::kFragment;
}

// Reads the next block; a short one is the last. A file may return fewer bytes than requested.
void FragmentReader::ReadBlock() {
  block_offset_ += block_size_;
  block_size_ = 0;
  position_ = 0;
  while (block_size_ < kLogBlockSize) {
    char* const scratch = block_.get() + block_size_;
    Slice bytes;
    const Status status = file_->Read(kLogBlockSize - block_size_, &bytes, scratch);
    if (!status.ok()) {
      ledger_->Report(kLogBlockSize, status);
      block_size_ = 0;
      is_last_block_ = true;
      failed_ = true;
      return;
    }
    if (bytes.empty()) {
      is_last_block_ = true;
      return;
    }
    if (bytes.data() != scratch) memmove(scratch, bytes.data(), bytes.size());
    block_size_ += bytes.size();
  }
}

// Skips zeros. Up to the end of the block they were allocated in advance and never written, and
// mean nothing. If a fragment follows them, they have replaced other fragments.
FragmentReader::Step FragmentReader::PassOverZeros() {
  const char* const p = block_.get() + position_;
  if (HoldsFragment(p + 1, block_size_ - position_ - 1)) return PassOverBlock(kZeros);
  position_ = block_size_;
  return Step::kGap;
}

FragmentReader::Step FragmentReader::PassOverBlock(const char* what) {
  const char* const p = block_.get() + position_;
  const size_t left = block_size_ - position_;
  const Status reason = LogCorruption(block_offset_ + position_, what);
  position_ = block_size_;
  if (HoldsFragment(p + 1, left - 1)) {
    ledger_->Report(left, reason);
  } else {
    ledger_->Suspect(left, reason);
  }
  return Step::kGap;
}

bool FragmentReader::HoldsFragment(const char* p, size_t size) {
  for (; size >= kLogHeaderSize; p++, size--) {
    const uint8_t type = TypeByte(p);
    if (type == 0 || type > kMaxFragmentType) continue;
    const size_t payload_size = PayloadSize(p);
    if (kLogHeaderSize + payload_size > size) continue;
    if (payload_size > search_budget_) return false;
    search_budget_ -= payload_size;
    if (ChecksumMatches(p)) return true;
  }
  return false;
}

}  // namespace leveldb
