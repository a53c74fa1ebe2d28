#include "ycsbc/core_workload.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "util/text.h"

namespace leveldb::ycsbc {

namespace {

constexpr uint64_t kRecordsMax = 4'000'000'000;
constexpr double kSecondsMax = 1e9;
constexpr uint64_t kOperationsMax = 1'000'000'000'000;
constexpr uint64_t kFieldCountMax = 10'000;
constexpr uint64_t kFieldLengthMax = uint64_t{64} << 20;
constexpr uint64_t kValueBytesMax = uint64_t{1} << 30;
constexpr uint64_t kScanLengthMax = 1'000'000;
constexpr uint64_t kZeroPaddingMax = 100;
constexpr double kZipfianValueMax = 2;
constexpr double kProportionTolerance = 1e-6;

const char* const kProportionNames[kOperations] = {"readproportion", "updateproportion",
                                                   "insertproportion", "scanproportion",
                                                   "readmodifywriteproportion"};

void ReadDistribution(PropertyReader* reader, const std::string& name,
                      const std::vector<Distribution>& choices, Distribution* value) {
  const std::vector<std::string> all = {"constant", "uniform", "zipfian", "latest"};
  std::vector<std::string> words;
  int place = 0;
  for (size_t i = 0; i < choices.size(); ++i) {
    words.push_back(all[static_cast<size_t>(choices[i])]);
    if (choices[i] == *value) place = static_cast<int>(i);
  }
  reader->ReadWord(name, words, &place);
  *value = choices[static_cast<size_t>(place)];
}

void ReadRecords(PropertyReader* reader, CoreWorkload* workload) {
  reader->Read("recordcount", &workload->record_count, 1, kRecordsMax);
  if (!reader->IsGiven("recordcount")) {
    reader->AddMistake(
        "recordcount is missing: say how many records there are, as in "
        "-p recordcount=1000");
  }
  reader->Read("insertstart", &workload->insert_start, 0, kRecordsMax);
  if (workload->insert_start >= workload->record_count) {
    reader->AddMistake("insertstart must be less than recordcount, which is " +
                       std::to_string(workload->record_count));
  }
  const uint64_t rest =
      workload->record_count - std::min(workload->insert_start, workload->record_count);
  workload->insert_count = rest;
  reader->Read("insertcount", &workload->insert_count, 1, std::max<uint64_t>(rest, 1));
}

void ReadFields(PropertyReader* reader, CoreWorkload* workload) {
  const std::vector<Distribution> choices = {Distribution::kConstant, Distribution::kUniform,
                                             Distribution::kZipfian};
  reader->Read("fieldcount", &workload->field_count, 1, kFieldCountMax);
  reader->Read("fieldlength", &workload->field_length, kFieldLengthMin, kFieldLengthMax);
  reader->Read("minfieldlength", &workload->field_length_min, kFieldLengthMin,
               workload->field_length);
  // The first name is YCSB's, the second that of its translations to C++.
  ReadDistribution(reader, "fieldlengthdistribution", choices,
                   &workload->field_length_distribution);
  ReadDistribution(reader, "field_len_dist", choices, &workload->field_length_distribution);
  if (workload->field_count * workload->field_length > kValueBytesMax) {
    reader->AddMistake("fieldcount * fieldlength must be at most " +
                       std::to_string(kValueBytesMax));
  }
  reader->Read("readallfields", &workload->read_all_fields);
  reader->Read("writeallfields", &workload->write_all_fields);
}

void ReadMix(PropertyReader* reader, CoreWorkload* workload) {
  double sum = 0;
  std::string list;
  for (size_t i = 0; i < kOperations; ++i) {
    reader->Read(kProportionNames[i], &workload->proportions[i], 0, 1);
    sum += workload->proportions[i];
    if (i > 0) list += i + 1 == kOperations ? " and " : ", ";
    list += kProportionNames[i];
  }
  if (std::abs(sum - 1) > kProportionTolerance) {
    reader->AddMistake(list + " must add up to 1, and add up to " + std::to_string(sum));
  }
}

void ReadRequests(PropertyReader* reader, CoreWorkload* workload) {
  ReadDistribution(reader, "requestdistribution",
                   {Distribution::kUniform, Distribution::kZipfian, Distribution::kLatest},
                   &workload->request_distribution);
  reader->Read("zipfianvalue", &workload->zipfian_value, 0, kZipfianValueMax);
  reader->Read("maxscanlength", &workload->scan_length_max, 1, kScanLengthMax);
  reader->Read("minscanlength", &workload->scan_length_min, 1, workload->scan_length_max);
  ReadDistribution(reader, "scanlengthdistribution",
                   {Distribution::kUniform, Distribution::kZipfian},
                   &workload->scan_length_distribution);
}

void ReadKeys(PropertyReader* reader, CoreWorkload* workload) {
  int order = workload->hashed_keys ? 1 : 0;
  reader->ReadWord("insertorder", {"ordered", "hashed"}, &order);
  workload->hashed_keys = order == 1;
  reader->Read("zeropadding", &workload->zero_padding, 1, kZeroPaddingMax);
}

// Reads properties of stock workload files that have no effect here: the one table has no name,
// every read is checked, and the command line controls the measurements.
void IgnoreTheRest(PropertyReader* reader) {
  std::string workload = "CoreWorkload";
  reader->Read("workload", &workload);
  const std::string known = "CoreWorkload";
  if (workload.size() < known.size() ||
      workload.compare(workload.size() - known.size(), known.size(), known) != 0) {
    reader->AddMistake(
        "workload must be the core workload, site.ycsb.workloads.CoreWorkload, and "
        "is \"" +
        Escaped(workload) + "\"");
  }
  for (const char* name : {"table", "dataintegrity", "measurementtype", "histogram.buckets",
                           "timeseries.granularity", "hotspotdatafraction", "hotspotopnfraction"}) {
    reader->Ignore(name);
  }
}

}  // namespace

const char* OperationName(Operation operation) {
  switch (operation) {
    case Operation::kRead:
      return "READ";
    case Operation::kUpdate:
      return "UPDATE";
    case Operation::kInsert:
      return "INSERT";
    case Operation::kScan:
      return "SCAN";
    case Operation::kReadModifyWrite:
      return "READ-MODIFY-WRITE";
  }
  return "?";
}

CoreWorkload ReadCoreWorkload(PropertyReader* reader) {
  CoreWorkload workload;
  ReadRecords(reader, &workload);
  reader->Read("operationcount", &workload.operation_count, 1, kOperationsMax);
  reader->Read("maxexecutiontime", &workload.seconds_max, 0, kSecondsMax);
  ReadFields(reader, &workload);
  ReadMix(reader, &workload);
  ReadRequests(reader, &workload);
  ReadKeys(reader, &workload);
  IgnoreTheRest(reader);
  return workload;
}

}  // namespace leveldb::ycsbc
