#include "benchmarks/console.h"

#include <cstdarg>
#include <cstdio>

#include "benchmarks/key_codec.h"

namespace leveldb::bench {

namespace {

__attribute__((format(printf, 1, 2))) std::string Format(const char* format, ...) {
  char text[500];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  return text;
}

double Megabytes(double bytes) {
  return bytes / 1048576.0;
}

std::string BuildWarnings() {
  std::string warnings;
#if !defined(__OPTIMIZE__)
  warnings += "WARNING: db_bench was built without optimization, so the figures say little\n";
#endif
#if !defined(NDEBUG)
  warnings += "WARNING: db_bench was built with assertions, so the figures are too slow\n";
#endif
  return warnings;
}

std::string VerifyWords(const BenchOptions& options) {
  return options.verify ? "on, every read is checked"
                        : "OFF (--verify=0): nothing that is read is checked";
}

}  // namespace

std::string FormatHeader(const BenchOptions& options, const Machine& machine) {
  const int key_size = static_cast<int>(kKeyDigits) + options.key_prefix;
  const auto num = static_cast<double>(options.num);
  const double packed_value = options.value_size * options.compression_ratio;
  std::string text;
  text += "LevelDB:    version " + machine.library_version + ", " + machine.library_file + "\n";
  text += "Date:       " + machine.date + "\n";
  text += "CPU:        " + std::to_string(machine.cpu_cores) + " * " + machine.cpu_model + "\n";
  text += "CPUCache:   " + machine.cpu_cache + "\n";
  text += Format("Keys:       %d bytes each\n", key_size);
  text += Format("Values:     %d bytes each (%d bytes after compression)\n", options.value_size,
                 static_cast<int>(packed_value + 0.5));
  text += Format("Entries:    %lld\n", static_cast<long long>(options.num));
  text +=
      Format("RawSize:    %.1f MB (estimated)\n", Megabytes(num * (key_size + options.value_size)));
  text += Format("FileSize:   %.1f MB (estimated)\n", Megabytes(num * (key_size + packed_value)));
  text += "Verify:     " + VerifyWords(options) + "\n";
  text += BuildWarnings();
  return text + std::string(48, '-') + "\n";
}

std::string FormatResult(const BenchResult& result) {
  if (!result.text.empty()) return "\n" + result.text + "\n";
  std::string line =
      Format("%-12s : %11.3f micros/op;", result.name.c_str(), result.MicrosPerOperation());
  if (result.bytes > 0) line += Format(" %6.1f MB/s", result.MegabytesPerSecond());
  if (result.found.has_value()) {
    line += Format(" (%llu of %llu found)", static_cast<unsigned long long>(*result.found),
                   static_cast<unsigned long long>(result.operations));
  }
  if (result.writes_per_second.has_value()) {
    line += Format(" (beside %.0f writes/s)", *result.writes_per_second);
  }
  if (!result.message.empty()) line += " " + result.message;
  line += "\n";
  if (result.latency.has_value()) line += "Microseconds per op:\n" + result.latency->ToString();
  if (result.comparisons.has_value()) {
    line += Format("Comparisons: %llu\n", static_cast<unsigned long long>(*result.comparisons));
  }
  return line;
}

std::string FormatSkipped(const std::string& name) {
  return Format("%-12s : skipped (--use_existing_db is true)\n", name.c_str());
}

}  // namespace leveldb::bench
