#include "testing/corruption/trial.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "filelog/format.h"

namespace leveldb {
namespace testkit {

namespace {

// The structures without which a pool cannot be opened, so that a repair may refuse to guess.
const Structure kPoolEntrances[] = {Structure::kPmemFile,  Structure::kPoolHeader,
                                    Structure::kPoolHeap,  Structure::kRootIdentity,
                                    Structure::kRootWords, Structure::kRootSlabs};

// Returns whether the file has an intact record after the wound, which proves that what comes
// before it is damaged.
bool RecordFollows(const PieceMap& map, const Wound& wound) {
  if (wound.harm == Harm::kTruncate || wound.harm == Harm::kSwap) return false;
  return std::any_of(map.pieces.begin(), map.pieces.end(), [&](const Piece& piece) {
    return piece.file == wound.file && piece.begin() >= wound.end;
  });
}

// Like RecordFollows, but only in the block of a record file where the wound ends.
bool RecordFollowsInBlock(const PieceMap& map, const Wound& wound) {
  const uint64_t end = (wound.end + kLogBlockSize - 1) / kLogBlockSize * kLogBlockSize;
  return std::any_of(map.pieces.begin(), map.pieces.end(), [&](const Piece& piece) {
    return piece.file == wound.file && piece.begin() >= wound.end &&
           piece.begin() + kLogHeaderSize <= end;
  });
}

std::string Shortened(const std::string& text) {
  return text.size() <= 60 ? text : text.substr(0, 60) + "...";
}

class Trial {
 public:
  Trial(const Base& base, const std::set<KeyVersion>& held, const Image& image, const Wound& wound,
        Dice* dice)
      : base_(base),
        held_(held),
        image_(image),
        wound_(wound),
        injury_(Examine(base.map, wound)),
        dice_(*dice),
        writings_(base.writings) {}

  Finding Run() {
    const bool paranoid = dice_.OneIn(2);
    const bool checks = dice_.OneIn(2);
    const bool repairs = dice_.OneIn(2);
    UseOpen(paranoid);
    if (checks && finding_.wrong.empty()) Check();
    if (repairs && finding_.wrong.empty()) RepairIt(paranoid);
    return finding_;
  }

 private:
  void Note(Verdict verdict) { finding_.verdict = std::max(finding_.verdict, verdict); }

  void Wrong(const std::string& what) {
    Note(Verdict::kWrong);
    if (finding_.wrong.empty()) finding_.wrong = phase_ + ": " + what;
  }

  // Judges an error: it is right if it names the damaged file. If structures that locate others are
  // damaged, it may name another file of the database or the pool.
  void NoteError(const Status& status) {
    const std::string text = status.ToString();
    const std::string base_name = wound_.file.substr(wound_.file.rfind('/') + 1);
    const bool is_exact = text.find(base_name) != std::string::npos;
    const bool is_named = is_exact || text.find(base_.place.root) != std::string::npos;
    if (!is_named) Wrong("an error names neither file nor pool: " + text);
    if (injury_.is_local && !is_exact) Wrong("an error names another file: " + text);
    if (injury_.is_local && !status.IsCorruption()) Wrong("damage is called " + text);
    Note(Verdict::kDetected);
  }

  // Judges an error that an open returned.
  void NoteRefusal(const Status& status) {
    if (injury_.is_local) Wrong("an open is refused for it: " + status.ToString());
    NoteError(status);
  }

  // Returns whether the error of a read of this key may come from the damage. Leaves and blocks are
  // also searched for keys that they do not contain.
  bool MayMeetDamage(const std::string& key) const {
    if (!injury_.is_local || Hits(Structure::kTableData) || Hits(Structure::kLeaf)) return true;
    return std::any_of(injury_.lost.begin(), injury_.lost.end(),
                       [&key](const KeyVersion& version) { return version.key == key; });
  }

  void NoteAnswer(Answer answer, const std::string& key, const std::string& what,
                  const Judge& judge, const Allowance& allowance) {
    if (answer == Answer::kExcused) {
      Note(Verdict::kExcused);
      finding_.rule = allowance.rule;
    } else if (answer == Answer::kReturned) {
      has_deleted_key_ = true;
    } else if (answer == Answer::kWrong) {
      Wrong(what + "; " + judge.Expected(key));
    }
  }

  void Get(DB* db, const Judge& judge, const Allowance& allowance) {
    ReadOptions verified;
    verified.verify_checksums = true;
    for (const auto& [key, versions] : writings_.keys()) {
      std::string value;
      const Status status = db->Get(verified, key, &value);
      const Answer answer = judge.OfGet(key, status, value);
      if (answer == Answer::kError) NoteError(status);
      if (answer == Answer::kError && !MayMeetDamage(key)) {
        Wrong("a read of " + key + " fails, which was not hit: " + status.ToString());
      }
      NoteAnswer(answer, key,
                 "Get gives " + (status.ok() ? "\"" + Shortened(value) + "\"" : "nothing"), judge,
                 allowance);
    }
  }

  void Walk(DB* db, bool backwards, const Judge& judge, const Allowance& allowance) {
    ReadOptions verified;
    verified.verify_checksums = true;
    const std::unique_ptr<Iterator> entries(db->NewIterator(verified));
    std::set<std::string> shown;
    size_t steps = 0;
    for (backwards ? entries->SeekToLast() : entries->SeekToFirst(); entries->Valid();
         backwards ? entries->Prev() : entries->Next()) {
      if (++steps > writings_.keys().size()) return Wrong("an iterator does not come to its end");
      const std::string key = entries->key().ToString();
      const std::string value = entries->value().ToString();
      // The status reports what could not be read.
      if (!entries->status().ok()) continue;
      NoteAnswer(judge.OfValue(key, value), key,
                 "an iterator shows " + key + " = \"" + Shortened(value) + "\"", judge, allowance);
      shown.insert(key);
    }
    if (!entries->status().ok()) return NoteError(entries->status());
    for (const auto& [key, versions] : writings_.keys()) {
      if (shown.count(key) > 0) continue;
      NoteAnswer(judge.OfAbsence(key), key, "an iterator does not show " + key, judge, allowance);
    }
  }

  void ReadAll(DB* db, const Judge& judge, const Allowance& allowance) {
    Get(db, judge, allowance);
    Walk(db, false, judge, allowance);
    Walk(db, true, judge, allowance);
  }

  // Reads without verification. The only promise is that the process survives.
  void ReadCarelessly(DB* db) const {
    std::string value;
    for (const auto& [key, versions] : writings_.keys()) {
      static_cast<void>(db->Get(ReadOptions(), key, &value));
    }
    const std::unique_ptr<Iterator> entries(db->NewIterator(ReadOptions()));
    size_t steps = 0;
    for (entries->SeekToFirst(); entries->Valid() && steps < 10000; entries->Next()) {
      ++steps;
      value = entries->value().ToString();
    }
    db->GetProperty("leveldb.stats", &value);
    db->GetProperty("leveldb.sstables", &value);
    db->GetProperty("leveldb.pmem", &value);
    const Range range("", "z");
    uint64_t size = 0;
    db->GetApproximateSizes(&range, 1, &size);
  }

  // Writes that are acknowledged must be readable, whatever was damaged.
  void WriteSome(DB* db, Judge* judge) {
    for (uint64_t i = dice_.Between(1, 3); i > 0; --i) {
      const std::string key = "key" + std::to_string(100 + dice_.Below(50));
      const uint64_t before = writings_.Newest(key);
      WriteBatch batch;
      writings_.Put(key, dice_.OneIn(2) ? 40 : 400, &batch);
      const Status status = db->Write(WriteOptions(), &batch);
      if (!status.ok()) {
        NoteError(status);
        judge->DoubtNewest(key, before);
      }
    }
    db->CompactRange(nullptr, nullptr);
  }

  void UseOpen(bool paranoid) {
    phase_ = paranoid ? "opened, paranoid" : "opened";
    Restore(base_.place, image_);
    Options options = base_.options;
    options.paranoid_checks = paranoid;
    const Allowance allowance = AllowanceWhileOpen(base_, wound_, injury_, paranoid);
    Judge judge(writings_, held_, allowance);
    std::unique_ptr<DB> db;
    Status status = base_.Open(options, &db);
    if (!status.ok()) return NoteRefusal(status);
    ReadAll(db.get(), judge, allowance);
    if (dice_.OneIn(4)) {
      phase_ += ", after writes";
      WriteSome(db.get(), &judge);
      ReadAll(db.get(), judge, allowance);
      if (dice_.OneIn(2)) {
        phase_ += " and an open";
        status = base_.Open(options, &db);
        if (!status.ok()) return NoteError(status);
        ReadAll(db.get(), judge, allowance);
      }
    }
    if (dice_.OneIn(4)) ReadCarelessly(db.get());
  }

  void Check() {
    phase_ = "checked";
    Restore(base_.place, image_);
    Options options = base_.options;
    options.paranoid_checks = true;
    std::string report;
    const Status status =
        CheckDB(base_.place.db(), options, base_.pmem.value_or(PmemOptions()), &report);
    if (!status.ok()) return NoteError(status);
    // A crash, too, may leave a last edit that cannot be read. Reads judge what is lost by that.
    const bool ends_manifest = Hits(Structure::kManifest) && !RecordFollows(base_.map, wound_);
    const bool is_excused =
        ends_manifest ||
        !AllowanceWhileOpen(base_, wound_, injury_, /*paranoid=*/true).rule.empty();
    // An older copy may have valid checksums.
    if (injury_.hits_checked_bytes && !is_excused && wound_.harm != Harm::kSwap) {
      Wrong("damage to bytes that a checksum covers is not found");
    }
  }

  void RepairIt(bool paranoid) {
    phase_ = "repaired";
    Restore(base_.place, image_);
    Options options = base_.options;
    options.paranoid_checks = paranoid;
    Allowance allowance;
    allowance.rule = "repair: what was damaged is lost";
    allowance.lost = injury_.lost;
    allowance.deleted_keys_return = MayHoldWhatWasGivenUp();
    Status status = RepairDB(base_.place.db(), options);
    if (!status.ok() && MayRefuseRepair()) {
      NoteError(status);
      phase_ = "repaired without the pool";
      allowance.rule = "repair: the pool could not be opened";
      for (const Piece& piece : base_.map.pieces) {
        if (IsInPool(piece.structure)) {
          allowance.lost.insert(piece.carries.begin(), piece.carries.end());
        }
      }
      for (const LogRecords& log : base_.map.logs) {
        if (log.file != base_.place.pool()) continue;
        for (const auto& record : log.records) allowance.lost.insert(record.begin(), record.end());
      }
      std::string report;
      status = RepairDBWithoutPool(base_.place.db(), options, &report);
    }
    if (!status.ok()) return Wrong(status.ToString());
    writings_ = base_.writings;
    Judge judge(writings_, held_, allowance);
    options.create_if_missing = false;
    options.paranoid_checks = true;
    DB* opened = nullptr;
    status = DB::Open(options, base_.place.db(), &opened);
    const std::unique_ptr<DB> db(opened);
    if (!status.ok()) return Wrong(status.ToString());
    const Finding before = finding_;
    finding_.verdict = Verdict::kHarmless;
    ReadAll(db.get(), judge, allowance);
    if (finding_.verdict == Verdict::kDetected) Wrong("a read of it fails");
    // What a repair leaves out was damaged; the repair reports it in LOG.
    if (finding_.verdict == Verdict::kExcused) finding_.verdict = Verdict::kDetected;
    finding_.verdict = std::max(finding_.verdict, before.verdict);
    finding_.rule = before.rule;
    if (has_deleted_key_) {
      Note(Verdict::kExcused);
      finding_.rule = "repair after a kill: a deleted key";
    }
    status = db->Put(WriteOptions(), "new", "value");
    if (!status.ok()) Wrong(status.ToString());
  }

  bool Hits(Structure structure) const { return injury_.structures.count(structure) > 0; }

  // Returns whether a repair may find trees that were already removed from the manifest: without a
  // readable manifest it cannot tell, and a kill leaves some that the next open would have deleted.
  bool MayHoldWhatWasGivenUp() const {
    return base_.pmem.has_value() && !base_.was_closed && Hits(Structure::kManifest);
  }

  bool MayRefuseRepair() const {
    return base_.pmem.has_value() &&
           std::any_of(std::begin(kPoolEntrances), std::end(kPoolEntrances),
                       [this](Structure entrance) { return Hits(entrance); });
  }

  const Base& base_;
  const std::set<KeyVersion>& held_;
  const Image& image_;
  const Wound& wound_;
  const Injury injury_;
  Dice& dice_;
  Writings writings_;
  std::string phase_;
  bool has_deleted_key_ = false;  // one that may have returned
  Finding finding_;
};

}  // namespace

Allowance AllowanceWhileOpen(const Base& base, const Wound& wound, const Injury& injury,
                             bool paranoid) {
  Allowance allowance;
  const auto hits = [&](Structure structure) { return injury.structures.count(structure) > 0; };
  if (hits(Structure::kManifest) && !RecordFollows(base.map, wound) && wound.harm != Harm::kFlip &&
      wound.harm != Harm::kGarbage) {
    allowance.rule = "the manifest ends with an older edit";
    allowance.any_version = true;
  } else if (hits(Structure::kLogFile) && !RecordFollows(base.map, wound)) {
    allowance.rule = "log tail";
    allowance.lost = injury.lost;
  } else if (hits(Structure::kLogFile) && wound.harm == Harm::kZero &&
             !RecordFollowsInBlock(base.map, wound)) {
    allowance.rule = "zeros up to the end of a block of a log file";
    allowance.lost = injury.lost;
  } else if (hits(Structure::kLogFile) && !paranoid) {
    allowance.rule = "damaged log records are dropped without paranoid_checks";
    allowance.lost = injury.lost;
  } else if (injury.may_end_log) {
    allowance.rule = "tail of a log in the pool";
    allowance.lost = injury.lost;
  }
  return allowance;
}

Finding Try(const Base& base, const std::set<KeyVersion>& held, const Image& image,
            const Wound& wound, Dice* dice) {
  return Trial(base, held, image, wound, dice).Run();
}

}  // namespace testkit
}  // namespace leveldb
