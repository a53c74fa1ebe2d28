#include "testing/merged/merge_judge.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/env.h"
#include "testing/contents.h"
#include "testing/merged/directory_entries.h"
#include "testing/store.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"

namespace leveldb {
namespace testkit {

namespace {

class MergeJudge {
 public:
  MergeJudge(const std::string& path, const std::string& scratch)
      : path_(path), scratch_(scratch), entries_(path) {}

  MergeVerdict Run() {
    AskStock();
    AskOurs();
    if (verdict_.wrong.empty()) RepairCopy();
    for (const char* const used : {"/stock", "/ours", "/repaired"}) RemoveDir(scratch_ + used);
    return verdict_;
  }

 private:
  void Wrong(const std::string& what) {
    if (verdict_.wrong.empty()) verdict_.wrong = what;
  }

  void AskStock() {
    if (!HaveStockLibrary()) return;
    CopyDir(path_, scratch_ + "/stock");
    const std::string dump = scratch_ + "/stock/dump";
    const Finished stock = RunDriver(Library::kStock, {scratch_ + "/stock", "dump", dump});
    if (stock.code == 0) stock_ = ReadFile(dump);
    if (!entries_.IsInOrder() || !entries_.doubt().empty()) return;
    if (!stock_.has_value()) return Wrong("LevelDB cannot read it: " + stock.output);
    if (*stock_ != DumpText(entries_.contents())) Wrong("LevelDB shows something else");
  }

  void AskOurs() {
    const std::string copy = scratch_ + "/ours";
    CopyDir(path_, copy);
    std::unique_ptr<DB> db;
    Status status = OpenPlainly(Options(), copy, &db);
    const bool is_refused = !status.ok();
    // A table of another state under the number that the manifest names is noticed only by reads.
    Contents contents;
    if (status.ok()) status = ReadContents(db.get(), &contents);
    verdict_.outcome = !status.ok()           ? "refused"
                       : entries_.IsInOrder() ? "opened, in order"
                                              : "opened, not in order";
    verdict_.outcome += stock_.has_value() ? "" : ", not read by LevelDB";
    verdict_.is_opened = status.ok();
    if (status.ok()) {
      shown_ = contents;
      if (entries_.doubt().empty() && contents != entries_.contents()) {
        Wrong("an open shows something else: " + Difference(entries_.contents(), contents));
      }
      std::vector<std::string> names;
      const Status listed = Env::Default()->GetChildren(copy + "/lost", &names);
      if (entries_.HasUnappliedLog() && (!listed.ok() || names.empty())) {
        Wrong("a log that was not applied is gone");
      }
      return;
    }
    const std::string text = status.ToString();
    if (entries_.IsWhole()) Wrong("nothing is missing, and an open fails: " + text);
    if (!status.IsCorruption()) Wrong("an open fails with " + text);
    if (is_refused && text.find("RepairDB") == std::string::npos) Wrong("no remedy: " + text);
    if (!is_refused && stock_.has_value()) Wrong("a read fails that LevelDB does: " + text);
  }

  void RepairCopy() {
    const std::string copy = scratch_ + "/repaired";
    CopyDir(path_, copy);
    Status status = RepairDB(copy, Options());
    std::unique_ptr<DB> db;
    if (status.ok()) status = OpenPlainly(Options(), copy, &db);
    Contents contents;
    if (status.ok()) status = ReadContents(db.get(), &contents);
    if (!status.ok()) return Wrong("a repair: " + status.ToString());
    if (shown_.has_value() && entries_.IsWhole() && !entries_.HasStrays()) {
      if (contents != *shown_) {
        Wrong("a repair shows something else: " + Difference(*shown_, contents));
      }
      return;
    }
    for (const auto& [key, value] : contents) {
      if (!entries_.MayBeShown(key, value)) {
        Wrong("a repair shows a value of " + key + " that is nowhere, or too old");
      }
    }
    if (shown_.has_value()) ExpectKept(*shown_, contents);
    if (stock_.has_value()) ExpectKeptOfStock(contents);
  }

  // Keys that were returned before and are missing now must be deleted somewhere in the directory.
  void ExpectKept(const Contents& before, const Contents& contents) {
    for (const auto& [key, value] : before) {
      if (!HasKey(contents, key) && !entries_.MayBeShown(key, std::nullopt)) {
        Wrong("a repair has lost " + key);
      }
    }
  }

  // A dump has keys in hexadecimal, and the line of an entry begins with its key.
  void ExpectKeptOfStock(const Contents& contents) {
    const std::string ours = "\n" + DumpText(contents);
    for (size_t at = 0; at < stock_->size(); at = stock_->find('\n', at) + 1) {
      const std::string hex = stock_->substr(at, stock_->find(' ', at) - at);
      std::string key;
      for (size_t i = 0; i + 1 < hex.size(); i += 2) {
        key.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
      }
      if (ours.find("\n" + hex + " ") == std::string::npos &&
          !entries_.MayBeShown(key, std::nullopt)) {
        Wrong("a repair has lost " + key + ", which LevelDB shows");
      }
    }
  }

  static bool HasKey(const Contents& contents, const std::string& key) {
    return std::any_of(contents.begin(), contents.end(),
                       [&key](const auto& entry) { return entry.first == key; });
  }

  // Returns the first difference, for a message.
  static std::string Difference(const Contents& wanted, const Contents& found) {
    const auto differ = std::mismatch(wanted.begin(), wanted.end(), found.begin(), found.end());
    const auto text = [](const Contents& contents, Contents::const_iterator at) {
      return at == contents.end() ? std::string("nothing") : at->second.substr(0, 40);
    };
    return "\"" + text(wanted, differ.first) + "\" is wanted, \"" + text(found, differ.second) +
           "\" is there, of " + std::to_string(wanted.size()) + " entries";
  }

  const std::string path_;
  const std::string scratch_;
  const DirectoryEntries entries_;
  std::optional<std::string> stock_;  // its dump
  std::optional<Contents> shown_;     // what an open with our library returned
  MergeVerdict verdict_;
};

}  // namespace

MergeVerdict JudgeMergedDirectory(const std::string& path, const std::string& scratch) {
  return MergeJudge(path, scratch).Run();
}

}  // namespace testkit
}  // namespace leveldb
