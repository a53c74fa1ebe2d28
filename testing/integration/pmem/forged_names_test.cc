// A database directory from an untrusted source: paths in its files are not followed out of it. The
// file PMEM must name something outside, a pool; anything it names that is not the pool of this
// database stays unchanged, in whatever way the database is opened, repaired, drained or destroyed.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

namespace fs = std::filesystem;

class ForgedNames : public ::testing::TestWithParam<const char*> {
 protected:
  ForgedNames() : history_(AnnouncedSeed(), 500) {
    EXPECT_OK(store_.Open());
    EXPECT_OK(store_.Write(&history_, 30));
    store_.Close();
    pmem_file_ = ReadFile(store_.path() + "/PMEM");
    store_.Keep("tier");
    // The same directory with nothing in it but PMEM, and with a plain database.
    fs::remove_all(store_.path());
    fs::create_directories(store_.dir() / "empty/db");
    CopyDir(store_.pools(), store_.dir() / "empty/pools");
    EXPECT_OK(store_.OpenPlainly());
    EXPECT_OK(store_.Write(&history_, 30));
    store_.Close();
    store_.Keep("plain");
    MakeOutside();
  }

  // Makes foreign files, among them all files of another database's pool.
  void MakeOutside() {
    fs::create_directory(outside());
    WriteFile(outside() + "/letter", "precious");
    WriteFile(outside() + "/gone.moved", "/some/where\n");
    fs::create_directory(outside() + "/directory");
    fs::create_symlink(outside() + "/letter", outside() + "/link");
    WriteFile(outside() + "/text.set", "precious");
    fs::create_directory(outside() + "/text.pool");
    WriteFile(outside() + "/text.pool/000000.pmem", "precious");
    TierStore other(kTinyPool);
    EXPECT_OK(other.Open());
    EXPECT_OK(other.db()->Put(WriteOptions(), "key", "value"));
    other.Close();
    CopyDir(other.pools(), outside() + "/pools");
    for (const auto& entry : fs::directory_iterator(outside() + "/pools")) {
      if (entry.path().extension() == ".set") others_pool_ = entry.path();
    }
    CopyDir(outside(), store_.dir() / "outside-before");
  }

  std::string outside() const { return store_.dir() / "outside"; }

  std::vector<std::string> Victims() const {
    std::vector<std::string> victims = {others_pool_};
    for (const char* name : {"letter", "gone", "directory", "link", "text.set", "text.pool"}) {
      victims.push_back(outside() + "/" + name);
    }
    return victims;
  }

  // Writes PMEM with another path of the pool and another state.
  void Forge(const std::string& pool, const std::string& state) {
    std::string text;
    size_t begin = 0;
    while (begin < pmem_file_.size()) {
      const size_t end = pmem_file_.find('\n', begin) + 1;
      const std::string line = pmem_file_.substr(begin, end - begin);
      begin = end;
      if (line.compare(0, 5, "pool ") == 0) {
        text += "pool " + pool + "\n";
      } else if (line.compare(0, 6, "state ") == 0) {
        text += "state " + state + "\n";
      } else {
        text += line;
      }
    }
    WriteFile(store_.path() + "/PMEM", text);
  }

  // Any result is right, as long as nothing else is changed.
  void Act(int action) {
    const std::string path = store_.path();
    std::string report;
    switch (action) {
      case 0:
        static_cast<void>(store_.Open());
        store_.Close();
        break;
      case 1:
        static_cast<void>(store_.OpenPlainly());
        store_.Close();
        break;
      case 2:
        static_cast<void>(RepairDB(path, store_.options));
        break;
      case 3:
        static_cast<void>(RepairDBWithoutPool(path, store_.options, &report));
        break;
      case 4:
        static_cast<void>(DrainDB(path, store_.options, store_.pmem));
        break;
      default:
        static_cast<void>(DestroyDB(path, store_.options));
    }
  }

  void ExpectOutsideAsItWas() {
    const std::string before = store_.dir() / "outside-before";
    ASSERT_TRUE(SameFiles(before, outside())) << "something is gone, or changed";
    size_t entries[2] = {0, 0};
    for ([[maybe_unused]] const auto& e : fs::recursive_directory_iterator(before)) ++entries[0];
    for ([[maybe_unused]] const auto& e : fs::recursive_directory_iterator(outside())) {
      ++entries[1];
    }
    ASSERT_EQ(entries[0], entries[1]) << "something has been made there";
  }

  TierStore store_{kTinyPool};
  History history_;
  std::string pmem_file_;
  std::string others_pool_;
};

constexpr int kActions = 6;

TEST_P(ForgedNames, OfPoolsHarmNobodyElse) {
  for (const char* state : {"used", "leaving", "aside"}) {
    for (const std::string& victim : Victims()) {
      for (int action = 0; action < kActions; ++action) {
        SCOPED_TRACE(std::string(state) + " " + victim + " action " + std::to_string(action));
        store_.BringBack(GetParam());
        Forge(victim, state);
        Act(action);
        ASSERT_NO_FATAL_FAILURE(ExpectOutsideAsItWas());
      }
    }
  }
}

// The state `new` requests a new pool, which is made where nothing exists yet. What exists stays.
TEST_P(ForgedNames, OfPoolsToBeMadeReplaceNothing) {
  for (const std::string& victim : Victims()) {
    const bool is_free = victim == outside() + "/gone" || victim == outside() + "/directory" ||
                         victim == outside() + "/text.pool" || victim == outside() + "/text.set" ||
                         victim == others_pool_;
    for (int action = 0; action < kActions; ++action) {
      SCOPED_TRACE(victim + " action " + std::to_string(action));
      store_.BringBack(GetParam());
      Forge(victim, "new");
      Act(action);
      ASSERT_TRUE(SameFiles(store_.dir() / "outside-before", outside()));
      if (!is_free) {
        ASSERT_NO_FATAL_FAILURE(ExpectOutsideAsItWas());
      }
      RemoveDir(outside());
      fs::copy(store_.dir() / "outside-before", outside(),
               fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    }
  }
}

class ForgedCurrent : public ForgedNames {};

TEST_P(ForgedCurrent, StaysInTheDirectory) {
  store_.BringBack(GetParam());
  for (const char* name : {"../outside/MANIFEST-000001", "/outside/MANIFEST-000001", "..", ".",
                           "MANIFEST-000001/../../outside/MANIFEST-000001", "MANIFEST-", "LOCK",
                           "MANIFEST-99999999999999999999", "MANIFEST--1", "letter"}) {
    SCOPED_TRACE(name);
    WriteFile(store_.path() + "/CURRENT", std::string(name) + "\n");
    const Status status = store_.OpenPlainly();
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    EXPECT_TRUE(Says(status, "CURRENT"));
    ASSERT_NO_FATAL_FAILURE(ExpectOutsideAsItWas());
  }
}

INSTANTIATE_TEST_SUITE_P(In, ForgedNames, ::testing::Values("tier", "empty", "plain"),
                         [](const auto& tested) { return std::string(tested.param); });
INSTANTIATE_TEST_SUITE_P(In, ForgedCurrent, ::testing::Values("plain"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
