// Linked into programs of integration tests that do not know the tier: with BUSHSTORE_TEST_TIER
// set, their DB::Open opens like PmemOpen with one of these option sets:
//
//   inline      no value is separated
//   separated   every value is
//   fixed       dynamic_tree is off
//
// The linker redirects calls of DB::Open to WrappedOpen (--wrap), and calls of RealOpen to it.

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "leveldb/pmem.h"

namespace leveldb {
namespace testkit {

#define BUSHSTORE_DB_OPEN \
  "_ZN7leveldb2DB4OpenERKNS_7OptionsERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEPPS0_"

Status WrappedOpen(const Options& options, const std::string& name,
                   DB** db) __asm__("__wrap_" BUSHSTORE_DB_OPEN);
Status RealOpen(const Options& options, const std::string& name,
                DB** db) __asm__("__real_" BUSHSTORE_DB_OPEN);

#undef BUSHSTORE_DB_OPEN

namespace {

PmemOptions OptionsOfKind(const std::string& kind) {
  PmemOptions options;
  options.require = false;  // as with the environment variable
  if (kind == "inline") {
    options.value_separation_bytes = std::numeric_limits<uint64_t>::max();
  } else if (kind == "separated") {
    options.value_separation_bytes = 1;
  } else if (kind == "fixed") {
    options.dynamic_tree = false;
  } else {
    std::fprintf(stderr, "BUSHSTORE_TEST_TIER is inline, separated or fixed, not %s\n",
                 kind.c_str());
    std::abort();
  }
  return options;
}

}  // namespace

Status WrappedOpen(const Options& options, const std::string& name, DB** db) {
  const char* const kind = std::getenv("BUSHSTORE_TEST_TIER");
  if (kind == nullptr) {
    return RealOpen(options, name, db);
  }
  PmemDB* opened = nullptr;
  const Status status = PmemOpen(options, OptionsOfKind(kind), name, &opened);
  *db = opened;
  return status;
}

}  // namespace testkit
}  // namespace leveldb
