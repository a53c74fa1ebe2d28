// Script: all choices of a stress run, as data and as text.
//
// A stress run is one database from its first opening to its last. It is made of episodes, each
// with options to open with, operations to run, and a kind of failure. All of these are named
// numbers; a name that is not given has its default, so a script gets simpler by leaving things
// out:
//
//   run world=1 seed=77 threads=4 keys=100
//   episode power seed=5 ops=300 put=40 get=10 tier=1 pool=8388608 cuts=4 gap=50 loss=3
//
// Lines that begin with # are comments.

#ifndef BUSHSTORE_TESTING_STRESS_SCRIPT_H_
#define BUSHSTORE_TESTING_STRESS_SCRIPT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

// How an episode ends, or what fails in it.
enum class Kind {
  kClose,  // nothing: the store is closed and opened again
  kKill,   // SIGKILL
  kPower,  // power cuts, simulated
  kFull,   // no space for files
  kEio,    // a call of the file system fails
  kPool,   // no space in the pool
  kMerge,  // directories are mixed of several databases
};
constexpr int kStressKinds = static_cast<int>(Kind::kMerge) + 1;
const char* KindName(Kind kind);
bool KindOf(const std::string& name, Kind* kind);

// Named numbers. A name without a value has the default that the caller of Get gives.
class Numbers {
 public:
  uint64_t Get(const std::string& name, uint64_t otherwise) const;
  bool Has(const std::string& name) const { return values_.count(name) != 0; }
  void Set(const std::string& name, uint64_t value) { values_[name] = value; }
  void Remove(const std::string& name) { values_.erase(name); }
  std::vector<std::string> Names() const;

  // Returns " name=value" for each.
  std::string Text() const;
  // Reads one "name=value".
  bool Add(const std::string& word);

 private:
  std::map<std::string, uint64_t> values_;
};

struct Episode {
  Kind kind = Kind::kClose;
  Numbers numbers;
};

// In a real world, which uses real files, processes are killed and calls fail. In a simulated world
// the power is cut. In a merged world there is no single database, but directories that are mixed
// of several.
enum class World : uint64_t { kReal, kSimulated, kMerged };

struct Script {
  Numbers run;
  std::vector<Episode> episodes;

  World world() const { return static_cast<World>(run.Get("world", 0)); }
  uint32_t threads() const { return static_cast<uint32_t>(run.Get("threads", 1)); }

  std::string Text() const;
  // Reads what Text writes. Returns what is wrong with it; empty if nothing is.
  static std::string Parse(const std::string& text, Script* script);
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_SCRIPT_H_
