#include "benchmarks/header_parts.h"

#include "benchmarks/tier_options.h"

namespace leveldb::bench {

std::string BuildWarnings(const std::string& program) {
  std::string warnings;
#if !defined(__OPTIMIZE__)
  warnings +=
      "WARNING: " + program + " was built without optimization, so the figures say little\n";
#endif
#if !defined(NDEBUG)
  warnings += "WARNING: " + program + " was built with assertions, so the figures are too slow\n";
#endif
  return warnings;
}

// The texts correspond to the rows of docs/durability.md.
std::string PersistenceWords(const std::string& medium, uint64_t wal_persist_bytes) {
  if (medium == "emulated") {
    return "nothing (emulated): writes survive a kill of the process, no power failure";
  }
  if (medium == "msync") {
    return "synced writes and those before them; others survive a kill of the process";
  }
  if (wal_persist_bytes == 0) return "every write before it is acknowledged";
  return "writes up to " + FormatSize(wal_persist_bytes) + " after they are acknowledged";
}

}  // namespace leveldb::bench
