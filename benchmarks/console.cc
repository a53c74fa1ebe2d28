#include "benchmarks/console.h"

#include <cstdarg>
#include <cstdio>

#include "benchmarks/header_parts.h"
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

std::string VerifyWords(const BenchOptions& options) {
  return options.verify ? "on, every read is checked"
                        : "OFF (--verify=0): nothing that is read is checked";
}

std::string NoteLines(const TierOptions& tier) {
  std::string text;
  if (tier.bucket_nums != 0) {
    text += "NOTE: --bucket_nums is ignored; filters size themselves\n";
  }
  std::string idle;
  for (const std::string& flag : tier.idle_flags) idle += (idle.empty() ? "--" : ", --") + flag;
  if (!idle.empty()) text += "NOTE: without --use_pm there is no tier for " + idle + "\n";
  return text;
}

std::string SpillWords(const PmemOptions& pmem) {
  if (!pmem.spill) return "never (--flush_ssd=0)";
  return Format("from %.0f%% of the pool in use down to %.0f%%", 100 * pmem.spill_start,
                100 * pmem.spill_stop);
}

std::string TierLines(const TierOptions& tier, const std::string& device,
                      const std::string& medium) {
  if (!tier.use_pm) return "";
  const PmemOptions& pmem = tier.pmem;
  const std::string size = pmem.size == 0 ? "the library's default size" : FormatSize(pmem.size);
  std::string text;
  text += "Pool:       " + pmem.path + ", " + size + (pmem.prefault ? ", prefaulted" : "") + "\n";
  text += "Device:     " + device + "\n";
  text += "Persistent: " + PersistenceWords(medium, pmem.wal_persist_bytes) + "\n";
  text += "Separated:  values from " + FormatSize(pmem.value_separation_bytes) + " on; " +
          Format("collected at %.0f%% garbage\n", 100 * pmem.gc_ratio);
  text += "Trees:      " + std::string(pmem.dynamic_tree ? "dynamic" : "of fixed") + " sizes\n";
  text += "Spill:      " + SpillWords(pmem) + "\n";
  return text;
}

}  // namespace

std::string FormatHeader(const BenchOptions& options, const Machine& machine,
                         const std::string& device, const std::string& medium) {
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
  text += TierLines(options.tier, device, medium) + NoteLines(options.tier);
  text += BuildWarnings("db_bench");
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
  if (result.control_pause_micros.has_value()) {
    line += Format("Control thread's longest pause: %.1f micros\n", *result.control_pause_micros);
  }
  if (result.control_rare_pause_micros.has_value()) {
    line +=
        Format("Its pauses longer than %.1f micros: one in %llu operations\n",
               *result.control_rare_pause_micros, static_cast<unsigned long long>(kRareOperations));
  }
  if (result.paced.has_value()) {
    line += Format("At the processor's best pace: %.3f micros/op, %.0f %% of them\n",
                   result.paced->micros_per_operation, 100 * result.paced->share);
  }
  if (result.comparisons.has_value()) {
    line += Format("Comparisons: %llu\n", static_cast<unsigned long long>(*result.comparisons));
  }
  return line;
}

std::string FormatSkipped(const std::string& name) {
  return Format("%-12s : skipped (--use_existing_db is true)\n", name.c_str());
}

}  // namespace leveldb::bench
