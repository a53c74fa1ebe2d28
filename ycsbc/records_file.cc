// A records file has three lines of text, then four bytes for each record, little-endian, and their
// CRC:
//
//   ycsbc records 1
//   BINDING complete|begun FIRST COUNT
//   SHAPE
#include "ycsbc/records_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb::ycsbc {

namespace {

constexpr char kTitle[] = "ycsbc records 1";
constexpr char kComplete[] = "complete";
constexpr char kBegun[] = "begun";
constexpr size_t kChunkRecords = 16 << 10;
constexpr size_t kVersionSize = 4;

std::string PathOf(const std::string& directory) {
  return directory + "/" + kRecordsFileName;
}

std::string Damaged(const std::string& directory) {
  return PathOf(directory) +
         " is damaged; remove it, and versions are checked from their first "
         "sight on";
}

bool ReadHeader(std::istream& in, RecordsFile* file) {
  std::string title;
  std::string state;
  std::string words;
  if (!std::getline(in, title) || title != kTitle || !std::getline(in, words) ||
      !std::getline(in, file->shape)) {
    return false;
  }
  std::istringstream fields(words);
  if (!(fields >> file->binding >> state >> file->first >> file->count)) return false;
  file->is_complete = state == kComplete;
  return file->is_complete || (state == kBegun && file->count == 0);
}

// Calls visit(chunk's first entry, chunk's entries) for all.
template <typename Visit>
bool ForChunks(uint64_t count, const Visit& visit) {
  for (uint64_t done = 0; done < count; done += kChunkRecords) {
    if (!visit(done, static_cast<size_t>(std::min<uint64_t>(kChunkRecords, count - done)))) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string ShapeOf(const CoreWorkload& workload) {
  const char* const names[] = {"constant", "uniform", "zipfian", "latest"};
  std::string shape = "fieldcount=" + std::to_string(workload.field_count) +
                      " fieldlength=" + std::to_string(workload.field_length) + " field_len_dist=" +
                      names[static_cast<size_t>(workload.field_length_distribution)];
  if (workload.field_length_distribution != Distribution::kConstant) {
    shape += " minfieldlength=" + std::to_string(workload.field_length_min);
  }
  return shape + " insertorder=" + (workload.hashed_keys ? "hashed" : "ordered") +
         " zeropadding=" + std::to_string(workload.zero_padding);
}

bool HasRecordsFile(const std::string& directory) {
  std::error_code ignored;  // what cannot be seen is not there
  return std::filesystem::exists(PathOf(directory), ignored);
}

std::string LoadRecordsFile(const std::string& directory, RecordsFile* file) {
  std::ifstream in(PathOf(directory), std::ios::binary);
  if (!in) return "cannot read " + PathOf(directory) + ": " + std::strerror(errno);
  return ReadHeader(in, file) ? "" : Damaged(directory);
}

std::string LoadVersions(const std::string& directory, RecordLedger* ledger) {
  std::ifstream in(PathOf(directory), std::ios::binary);
  RecordsFile file;
  if (!in || !ReadHeader(in, &file)) return Damaged(directory);
  uint32_t crc = 0;
  std::vector<char> bytes(kChunkRecords * kVersionSize);
  const bool is_whole = ForChunks(file.count, [&](uint64_t done, size_t n) {
    if (!in.read(bytes.data(), static_cast<std::streamsize>(n * kVersionSize))) return false;
    crc = crc32c::Extend(crc, bytes.data(), n * kVersionSize);
    for (size_t i = 0; i < n; ++i) {
      const Version version = LoadFixed32(bytes.data() + i * kVersionSize);
      if (version == RecordLedger::kAbsent || version >= RecordLedger::kUnknown) return false;
      ledger->Set(file.first + done + i, version);
    }
    return true;
  });
  char end[kVersionSize];
  if (!is_whole || !in.read(end, sizeof(end)) || LoadFixed32(end) != crc) return Damaged(directory);
  return "";
}

std::string SaveRecordsFile(const std::string& directory, const RecordsFile& file,
                            const RecordLedger* ledger) {
  const std::string path = PathOf(directory);
  const std::string draft = path + ".draft";
  std::ofstream out(draft, std::ios::binary | std::ios::trunc);
  out << kTitle << '\n'
      << file.binding << ' ' << (file.is_complete ? kComplete : kBegun) << ' ' << file.first << ' '
      << file.count << '\n'
      << file.shape << '\n';
  uint32_t crc = 0;
  std::vector<char> bytes(kChunkRecords * kVersionSize);
  ForChunks(file.count, [&](uint64_t done, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      StoreFixed32(bytes.data() + i * kVersionSize, ledger->Get(file.first + done + i).version);
    }
    crc = crc32c::Extend(crc, bytes.data(), n * kVersionSize);
    out.write(bytes.data(), static_cast<std::streamsize>(n * kVersionSize));
    return static_cast<bool>(out);
  });
  char end[kVersionSize];
  StoreFixed32(end, crc);
  out.write(end, sizeof(end));
  out.close();
  std::error_code error;
  if (out) std::filesystem::rename(draft, path, error);
  if (out && !error) return "";
  return "cannot write " + path + ": " + (error ? error.message() : std::strerror(errno));
}

}  // namespace leveldb::ycsbc
