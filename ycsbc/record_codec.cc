#include "ycsbc/record_codec.h"

#include <algorithm>
#include <cassert>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "benchmarks/value_codec.h"
#include "util/coding.h"
#include "ycsbc/mix64.h"

namespace leveldb::ycsbc {

namespace {

constexpr size_t kStampSize = 8;
static_assert(kStampSize == kFieldLengthMin);

constexpr size_t kTextSize = size_t{1} << 20;

// The text is large, so that blocks of a store do not hold two overlapping pieces of it: they would
// compress.
const std::string& Text() {
  static const std::string text = bench::MakeText(bench::kFragmentSize, kTextSize);
  return text;
}

// Returns the hash from which the bytes of a field follow.
uint64_t FieldHash(uint64_t record, size_t field, Version version) {
  return Mix64(Mix64(record * 0x9e3779b97f4a7c15 + field) + version);
}

uint64_t StampOf(uint64_t field_hash, Version version, Version record_version) {
  const uint64_t check = Mix64(field_hash + record_version * 0xc2b2ae3d27d4eb4f);
  return (check & 0xffffffff00000000) | version;
}

size_t TextOffset(uint64_t field_hash) {
  return field_hash % kTextSize;
}

// Visits the text from `offset` on, which repeats from the beginning at its end.
template <typename Visit>
bool ForText(size_t offset, size_t size, const Visit& visit) {
  size_t done = 0;
  while (done < size) {
    const size_t n = std::min(size - done, kTextSize - offset);
    if (!visit(done, Text().data() + offset, n)) return false;
    done += n;
    offset = 0;
  }
  return true;
}

__attribute__((format(printf, 1, 2))) std::string Format(const char* format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return text;
}

std::string WrongByte(size_t field, Version version, size_t place, char found, char expected) {
  return Format("field %zu has 0x%02x in byte %zu, where version %u wrote 0x%02x", field,
                static_cast<unsigned>(static_cast<uint8_t>(found)), place, version,
                static_cast<unsigned>(static_cast<uint8_t>(expected)));
}

// Returns a sentence that tells the first byte that differs from the text. REQUIRES: one does.
std::string FindWrongByte(size_t field, Version version, const char* found, const char* expected,
                          size_t place, size_t n) {
  const size_t i = static_cast<size_t>(std::mismatch(found, found + n, expected).first - found);
  return WrongByte(field, version, place + i, found[i], expected[i]);
}

}  // namespace

RecordCodec::RecordCodec(const CoreWorkload& workload)
    : field_count_(workload.field_count),
      length_max_(workload.field_length),
      constant_length_(workload.field_length_distribution == Distribution::kConstant),
      lengths_(workload.field_length_distribution, workload.field_length_min,
               workload.field_length) {
  Text();  // made before the clocks run
}

size_t RecordCodec::LengthOf(uint64_t record, size_t field, Version version) const {
  if (constant_length_) return length_max_;
  Random random(FieldHash(record, field, version));
  return lengths_.Next(&random);
}

void RecordCodec::Make(uint64_t record, const std::vector<Version>& versions,
                       std::string* value) const {
  assert(versions.size() == field_count_);
  const Version record_version = *std::max_element(versions.begin(), versions.end());
  value->resize(value_size_max());
  char* at = value->data();
  for (size_t field = 0; field < field_count_; ++field) {
    const Version version = versions[field];
    const uint64_t hash = FieldHash(record, field, version);
    const size_t length = LengthOf(record, field, version);
    StoreFixed64(at, StampOf(hash, version, record_version));
    ForText(TextOffset(hash), length - kStampSize, [at](size_t done, const char* text, size_t n) {
      std::memcpy(at + kStampSize + done, text, n);
      return true;
    });
    at += length;
  }
  value->resize(static_cast<size_t>(at - value->data()));
}

bool RecordCodec::ReadVersions(uint64_t record, const Slice& value, std::vector<Version>* versions,
                               std::string* wrong) const {
  versions->resize(field_count_);
  size_t offset = 0;
  for (size_t field = 0; field < field_count_; ++field) {
    if (value.size() - offset < kStampSize) {
      *wrong = Format("the value is cut off in field %zu: it has %zu bytes", field, value.size());
      return false;
    }
    const auto version = static_cast<Version>(LoadFixed64(value.data() + offset));
    const size_t length = LengthOf(record, field, version);
    if (value.size() - offset < length) {
      *wrong = Format("the value is cut off in field %zu: it has %zu bytes", field, value.size());
      return false;
    }
    (*versions)[field] = version;
    offset += length;
  }
  if (offset == value.size()) return true;
  *wrong = Format("the value goes on after its last field: it has %zu bytes instead of %zu",
                  value.size(), offset);
  return false;
}

bool RecordCodec::Check(uint64_t record, const Slice& value, std::vector<Version>* versions,
                        std::string* wrong) const {
  if (!ReadVersions(record, value, versions, wrong)) return false;
  const Version record_version = *std::max_element(versions->begin(), versions->end());
  const char* at = value.data();
  for (size_t field = 0; field < field_count_; ++field) {
    const Version version = (*versions)[field];
    const uint64_t hash = FieldHash(record, field, version);
    const uint64_t stamp = StampOf(hash, version, record_version);
    const uint64_t found = LoadFixed64(at);
    if (found != stamp) {
      *wrong = Format(
          "field %zu has the stamp 0x%016llx, which is not that of its version %u in "
          "version %u of this record",
          field, static_cast<unsigned long long>(found), version, record_version);
      return false;
    }
    const size_t length = LengthOf(record, field, version);
    const auto is_right = [&](size_t done, const char* text, size_t n) {
      const char* const bytes = at + kStampSize + done;
      if (std::memcmp(bytes, text, n) == 0) return true;
      *wrong = FindWrongByte(field, version, bytes, text, kStampSize + done, n);
      return false;
    };
    if (!ForText(TextOffset(hash), length - kStampSize, is_right)) return false;
    at += length;
  }
  return true;
}

}  // namespace leveldb::ycsbc
