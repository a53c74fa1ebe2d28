// CoreWorkload describes the operations of a run: the properties of YCSB's core workload (Cooper et
// al., "Benchmarking Cloud Serving Systems with YCSB", SoCC 2010).
#ifndef BUSHSTORE_YCSBC_CORE_WORKLOAD_H_
#define BUSHSTORE_YCSBC_CORE_WORKLOAD_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "ycsbc/property_reader.h"

namespace leveldb::ycsbc {

enum class Operation { kRead, kUpdate, kInsert, kScan, kReadModifyWrite };
inline constexpr size_t kOperations = 5;

// Returns "READ", ...
const char* OperationName(Operation operation);

enum class Distribution { kConstant, kUniform, kZipfian, kLatest };

// The size of a field stamp (record_codec.h).
inline constexpr uint64_t kFieldLengthMin = 8;

struct CoreWorkload {
  uint64_t record_count = 0;  // of the whole data set
  uint64_t insert_start = 0;  // records [insert_start, insert_start + insert_count) are loaded
  uint64_t insert_count = 0;
  uint64_t operation_count = 0;
  double seconds_max = 0;  // the time limit of a run; 0: the run does all operations

  uint64_t field_count = 10;
  uint64_t field_length = 100;  // the greatest, unless constant
  uint64_t field_length_min = kFieldLengthMin;
  Distribution field_length_distribution = Distribution::kConstant;
  bool read_all_fields = true;  // has no effect if a record is one value
  bool write_all_fields = false;

  std::array<double, kOperations> proportions{0.95, 0.05, 0, 0, 0};  // by Operation
  Distribution request_distribution = Distribution::kUniform;
  double zipfian_value = 0.99;
  uint64_t scan_length_max = 1000;
  uint64_t scan_length_min = 1;
  Distribution scan_length_distribution = Distribution::kUniform;

  bool hashed_keys = true;  // insertorder=hashed
  uint64_t zero_padding = 1;

  double proportion(Operation operation) const {
    return proportions[static_cast<size_t>(operation)];
  }
};

// Reads all properties of the workload; the reader records errors.
CoreWorkload ReadCoreWorkload(PropertyReader* reader);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_CORE_WORKLOAD_H_
