// RecordCodec makes and checks the values of records. Every byte of a field follows from key, field
// and version, so that a reader can tell a correct value from any other.
//
//   value = field, field, ...          without anything between them
//   field = stamp (8 bytes) | text
//   stamp = version of the field (4 bytes) | check (4 bytes), little-endian
//
// An update gives the record its next version, and the fields that it writes have this version from
// then on. The record's version is therefore the greatest of its fields'. The check of each field
// is a hash of record, field, its version *and the record's version*: fields of two states of a
// record do not pass together, as they would in a torn value. The text is a piece of a megabyte of
// random letters that does not compress, at an offset that follows from record, field and version.
// A field's length, where lengths vary, follows from these as well.
#ifndef BUSHSTORE_YCSBC_RECORD_CODEC_H_
#define BUSHSTORE_YCSBC_RECORD_CODEC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/slice.h"
#include "ycsbc/core_workload.h"
#include "ycsbc/generators.h"

namespace leveldb::ycsbc {

using Version = uint32_t;

// RecordCodec is immutable.
class RecordCodec {
 public:
  explicit RecordCodec(const CoreWorkload& workload);

  size_t field_count() const { return field_count_; }
  size_t value_size_max() const { return field_count_ * length_max_; }

  // Makes the value of a record whose fields have these versions.
  void Make(uint64_t record, const std::vector<Version>& versions, std::string* value) const;

  // Returns true if `value` is one that Make makes for this record, and sets *versions to those of
  // its fields. Otherwise *wrong describes the difference.
  bool Check(uint64_t record, const Slice& value, std::vector<Version>* versions,
             std::string* wrong) const;

 private:
  size_t LengthOf(uint64_t record, size_t field, Version version) const;
  bool ReadVersions(uint64_t record, const Slice& value, std::vector<Version>* versions,
                    std::string* wrong) const;

  const size_t field_count_;
  const size_t length_max_;
  const bool constant_length_;
  const LengthChooser lengths_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RECORD_CODEC_H_
