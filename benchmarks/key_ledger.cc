// The format of the file: magic (8 bytes) | keys (8) | key prefix (8) | generation (1) | entry of
// untracked keys (1) | one byte for each key | crc32c of all that (4). Numbers are little-endian.
#include "benchmarks/key_ledger.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb::bench {

namespace {

constexpr uint64_t kMagic = 0x3179656b68636e62;  // "bnchkey1"
constexpr size_t kFileHeaderSize = 26;
constexpr size_t kFileTrailerSize = 4;

}  // namespace

KeyLedger::KeyLedger(uint64_t keys, Entry entry) : keys_(keys), others_(entry) {
  entries_ = std::make_unique<std::atomic<Entry>[]>(keys);
  Reset(entry);
}

void KeyLedger::Reset(Entry entry) {
  others_ = entry;
  for (uint64_t key = 0; key < keys_; ++key) {
    entries_[key].store(entry, std::memory_order_relaxed);
  }
}

uint64_t KeyLedger::FirstPresent(uint64_t begin, uint64_t end) const {
  const uint64_t tracked_end = std::min(end, keys_);
  for (uint64_t key = begin; key < tracked_end; ++key) {
    const Entry entry = entries_[key].load(std::memory_order_acquire);
    if (entry != kAbsent && entry != kUnknown) return key;
  }
  return end;
}

Generation KeyLedger::NextGeneration() {
  generation_ = generation_ == kGenerationMax ? 1 : static_cast<Generation>(generation_ + 1);
  return generation_;
}

std::string KeyLedger::Save(const std::string& path, uint64_t key_prefix) const {
  std::string bytes;
  bytes.reserve(kFileHeaderSize + keys_ + kFileTrailerSize);
  AppendFixed64(&bytes, kMagic);
  AppendFixed64(&bytes, keys_);
  AppendFixed64(&bytes, key_prefix);
  bytes.push_back(static_cast<char>(generation_));
  bytes.push_back(static_cast<char>(others_));
  for (uint64_t key = 0; key < keys_; ++key) bytes.push_back(static_cast<char>(Get(key)));
  AppendFixed32(&bytes, crc32c::Value(bytes.data(), bytes.size()));

  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return "";
  return "cannot write " + path + ": " + std::strerror(errno);
}

std::string KeyLedger::Load(const std::string& path, uint64_t key_prefix) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return "";
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());

  const std::string damaged =
      path + " is damaged; remove it to go on without knowing which keys are there";
  if (bytes.size() < kFileHeaderSize + kFileTrailerSize) return damaged;
  const size_t summed = bytes.size() - kFileTrailerSize;
  if (LoadFixed32(bytes.data() + summed) != crc32c::Value(bytes.data(), summed)) return damaged;
  if (LoadFixed64(bytes.data()) != kMagic) return damaged;
  const uint64_t saved_keys = LoadFixed64(bytes.data() + 8);
  if (saved_keys != summed - kFileHeaderSize) return damaged;

  const uint64_t saved_prefix = LoadFixed64(bytes.data() + 16);
  if (saved_prefix != key_prefix) {
    return "the database was written with --key_prefix=" + std::to_string(saved_prefix) +
           ", and this run has --key_prefix=" + std::to_string(key_prefix);
  }

  generation_ = static_cast<Generation>(bytes[24]);
  keys_ = std::max(keys_, saved_keys);
  entries_ = std::make_unique<std::atomic<Entry>[]>(keys_);
  Reset(static_cast<Entry>(bytes[25]));
  for (uint64_t key = 0; key < saved_keys; ++key) {
    Set(key, static_cast<Entry>(bytes[kFileHeaderSize + key]));
  }
  return "";
}

}  // namespace leveldb::bench
