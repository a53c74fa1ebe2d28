#include "testing/stress/life.h"

#include <stdlib.h>

#include <cstdio>

#include "testing/stress/power_life.h"
#include "testing/stress/real_life.h"
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

}  // namespace

std::string RunLife(const Script& script, const LifePlaces& places, Figures* figures,
                    bool keep_wrong) {
  const std::string files = NewDirectory(places.files, "life");
  const std::string pools = NewDirectory(places.pools, "pools");
  std::string wrong = script.world() == World::kSimulated
                          ? RunPowerLife(script, files, pools, figures)
                          : RunRealLife(script, files, pools, figures);
  figures->Add(Figure::kLives);
  if (!wrong.empty() && keep_wrong) {
    wrong += "\nwhat is left: " + files + " and " + pools;
  } else {
    RemoveDir(files);
    RemoveDir(pools);
  }
  return wrong;
}

}  // namespace testkit
}  // namespace leveldb
