// Fuzzes the properties and the command line of ycsbc. Any text is accepted, or refused with one
// printable line; what is accepted is within the bounds that the rest of the program relies on.
//
// Input: the mode (0: the rest is a property file, 1: the arguments, each ended by a zero), the
// rest.
#include <string>
#include <vector>

#include "testing/fuzz/fuzz_input.h"
#include "ycsbc/core_workload.h"
#include "ycsbc/properties.h"
#include "ycsbc/property_reader.h"
#include "ycsbc/run_options.h"
#include "ycsbc/store_options.h"

namespace leveldb {
namespace fuzz {
namespace {

using namespace ycsbc;

void CheckSentence(const std::string& sentence) {
  for (const char c : sentence) {
    Require(static_cast<unsigned char>(c) >= 0x20, "messages are one line");
  }
}

void CheckWorkload(const CoreWorkload& workload) {
  Require(workload.record_count >= 1, "there are records");
  Require(workload.insert_start < workload.record_count, "loading begins with one of them");
  Require(workload.insert_count >= 1, "something is loaded");
  Require(workload.insert_count <= workload.record_count - workload.insert_start,
          "and no more than there are");
  Require(workload.field_length_min >= kFieldLengthMin, "fields hold their stamp");
  Require(workload.field_length_min <= workload.field_length, "lengths are in order");
  Require(workload.field_count * workload.field_length <= (uint64_t{1} << 30),
          "values are of a size");
  Require(workload.scan_length_min <= workload.scan_length_max, "scans are in order");
  double sum = 0;
  for (const double proportion : workload.proportions) sum += proportion;
  Require(sum > 0.999 && sum < 1.001, "proportions add up");
}

void TakeAsFile(const std::string& text) {
  Properties properties;
  std::string mistake = properties.AddText(text, "file");
  CheckSentence(mistake);
  if (!mistake.empty()) return;
  PropertyReader reader(properties);
  const CoreWorkload workload = ReadCoreWorkload(&reader);
  ReadLevelDbOptions(&reader);
  ReadRocksDbOptions(&reader);
  ReadLmdbOptions(&reader);
  ReadWiredTigerOptions(&reader);
  mistake = reader.mistake();
  CheckSentence(mistake);
  CheckSentence(reader.FindUnknown());
  if (mistake.empty()) CheckWorkload(workload);
}

void TakeAsArguments(const std::string& text) {
  std::vector<std::string> words;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find('\0', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  std::vector<const char*> argv = {"ycsbc"};
  for (const std::string& word : words) {
    // Files that the fuzzer names must not be read.
    argv.push_back(word == "-P" || word == "--P" ? "-p" : word.c_str());
  }
  RunOptions options;
  bool wants_help = false;
  const std::string mistake =
      ParseCommandLine(static_cast<int>(argv.size()), argv.data(), &options, &wants_help);
  CheckSentence(mistake);
  if (!mistake.empty() || wants_help) return;
  Require(options.threads >= 1 && options.threads <= 1024, "there are threads");
  CheckWorkload(options.workload);
}

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  leveldb::fuzz::FuzzInput input(data, size);
  const bool is_file = !input.Flag();
  const std::string text = input.Rest().ToString();
  if (is_file) {
    leveldb::fuzz::TakeAsFile(text);
  } else {
    leveldb::fuzz::TakeAsArguments(text);
  }
  return 0;
}
