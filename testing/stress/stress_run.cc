#include "testing/stress/stress_run.h"

#include <stdlib.h>

#include <cstdio>
#include <filesystem>

#include "pmem/media/pool.h"
#include "pmem/media/pool_files.h"
#include "testing/stress/merged_run.h"
#include "testing/stress/power_run.h"
#include "testing/stress/real_run.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

namespace {

std::string NewDirectory(const std::string& parent, const char* name) {
  std::string path = parent + "/" + name + "-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    std::perror(path.c_str());
    std::exit(2);
  }
  return path;
}

// Blanks the beginning of a device; makes a file again, also if a drained database has removed it.
void BlankPool(const RunPlaces& places) {
  const PoolFiles files(places.pool, PoolKind::kDetect);
  Status status;
  if (files.kind() == PoolKind::kDevice) {
    status = files.Remove();
  } else {
    WriteFile(places.pool, "");
    std::filesystem::resize_file(places.pool, places.pool_bytes);
  }
  if (!status.ok()) {
    std::fprintf(stderr, "stress: cannot blank the pool: %s\n", status.ToString().c_str());
    std::exit(2);
  }
}

}  // namespace

std::string MeasurePool(const std::string& path, uint64_t* bytes) {
  const PoolFiles files(path, PoolKind::kDetect);
  if (!files.Exist() || files.kind() == PoolKind::kDirectory) {
    return "--pool wants a file or a device that is there, and " + path + " is none";
  }
  const Status status = files.Measure(0, bytes);
  return status.ok() ? "" : "--pool: " + status.ToString();
}

std::string RunStress(const Script& script, const RunPlaces& places, Figures* figures,
                      bool keep_wrong) {
  const std::string files = NewDirectory(places.files, "run");
  const std::string pools = NewDirectory(places.pools, "pools");
  const std::string pool = places.pool.empty() ? pools : places.pool;
  std::string wrong = script.world() == World::kSimulated ? RunPower(script, files, pools, figures)
                      : script.world() == World::kMerged
                          ? RunMerged(script, files, figures)
                          : RunReal(script, files, pool, places.pool_bytes, figures);
  figures->Add(Figure::kRuns);
  if (!wrong.empty() && keep_wrong) {
    wrong += "\nwhat is left: " + files + " and " + pool;
  } else {
    if (!places.pool.empty()) BlankPool(places);
    RemoveDir(files);
    RemoveDir(pools);
  }
  return wrong;
}

}  // namespace testkit
}  // namespace leveldb
