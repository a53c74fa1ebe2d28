// An episode begins with a wreck: disk and pools as the last power cut left them, and the
// operations that must be in them and that may be in them.
//
//   1. The wreck is opened. The power may be cut during the open; what that leaves is opened, too.
//      The same operations must explain all of it. What was found in the wreck is the new base.
//   2. Sessions run operations. At random changes of disk or pool the power is cut, and what that
//      leaves is kept. The sessions are not disturbed. Calls of the disk may fail in them, and in
//      the first open: the power is then cut under a store that has met an error.
//   3. Each wreck that was kept is opened, compared and checked. The next episode continues with
//      one of them.

#include "testing/stress/power_run.h"

#include <mutex>
#include <utility>
#include <vector>

#include "testing/contents.h"
#include "testing/crash/pools_image.h"
#include "testing/dice.h"
#include "testing/stress/child.h"
#include "testing/stress/comparison.h"
#include "testing/stress/crew.h"
#include "testing/stress/file_faults.h"
#include "testing/stress/site.h"
#include "testing/stress/store_place.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr char kDatabase[] = "/db";

// The result of a power cut, the operations that must be in it, and those that may.
struct PowerWreck {
  std::unique_ptr<PowerEnv> disk;
  PoolsImage pools;
  Bounds bounds;
};

class PowerRun {
 public:
  PowerRun(const Script& script, const std::string& files, const std::string& pools,
           Figures* figures, const PlantInPower& plant, Findings* findings)
      : script_(script),
        plant_(plant),
        cut_dice_(script.run.Get("seed", 1)),
        expected_(files + "/expected", script.threads(),
                  static_cast<uint32_t>(script.run.Get("keys", 50))),
        promise_(&expected_),
        model_(script.run.Get("msync", 0) != 0 ? PmemSim::Model::kMsync
                                               : PmemSim::Model::kCacheLines) {
    place_.name = kDatabase;
    place_.pools = pools;
    place_.msync = script.run.Get("msync", 0) != 0;
    place_.order = static_cast<KeyOrder>(script.run.Get("order", 0) % kKeyOrders);
    keys_ = std::make_unique<KeySpace>(script.run.Get("seed", 1), expected_.keys(), place_.order);
    site_.expected = &expected_;
    site_.keys = keys_.get();
    site_.figures = figures;
    site_.findings = findings;
    site_.promise = &promise_;
    site_.excuse = [this] { return MayFail(); };
    wreck_.disk = std::make_unique<PowerEnv>();
  }

  void Run() {
    for (const Episode& episode : script_.episodes) {
      episode_ = &episode;
      numbers_ = &episode.numbers;
      site_.may_not_spill = numbers_->Get("no_spill", 0) != 0;
      loss_ = episode.kind == Kind::kPower ? static_cast<Loss>(numbers_->Get("loss", 0) % 5)
                                           : Loss::kKeepAll;
      RunEpisode();
      if (site_.findings->any()) {
        return;
      }
      site_.figures->Add(Figure::kEpisodes);
    }
  }

 private:
  void RunEpisode() {
    wreck_.pools.WriteTo(place_.pools);
    sim_ = std::make_unique<PmemSim>(model_);
    UseDisk(wreck_.disk->AfterPowerLoss(Loss::kKeepAll, &cut_dice_));
    if (plant_) plant_(disk_.get(), sim_.get());
    if (Prepare() && Recover() && Work()) {
      TryAll();
    }
    site_.db = nullptr;
    db_.reset();
    sim_.reset();
  }

  void UseDisk(std::unique_ptr<PowerEnv> disk) {
    options_.reset();
    faults_ = std::make_unique<FileFaults>(disk.get(), *episode_, site_.figures);
    disk_ = std::move(disk);
    place_.env = faults_->env();
    options_ = std::make_unique<StoreOptions>(place_, *numbers_);
  }

  // ---- power cuts

  // Listens for the whole episode: the database's own threads must not see the listener change.
  void Listen() {
    const auto listener = [this](uint64_t) { MayCut(); };
    disk_->SetChangeListener(listener);
    sim_->SetChangeListener(listener);
  }

  // From now on the power is cut at one change in `gap` on average, at most `cuts` times.
  void AllowCuts(uint64_t cuts, uint64_t gap) {
    const std::lock_guard<std::mutex> guard(cut_mutex_);
    cuts_left_ = cuts;
    gap_ = gap;
  }

  void MayCut() {
    const std::lock_guard<std::mutex> guard(cut_mutex_);
    // If calls fail, the cuts are kept for the time after that, which may be short.
    const bool has_failed = faults_->HaveCome();
    const bool is_too_early = !is_recovering_ && faults_->any() && !has_failed;
    const uint64_t gap = has_failed ? 1 + gap_ / 16 : gap_;
    if (cuts_left_ > 0 && !is_too_early && cut_dice_.OneIn(gap)) {
      --cuts_left_;
      Cut();
    }
  }

  void Cut() {
    PowerWreck wreck;
    if (is_recovering_) {
      wreck.bounds = wreck_.bounds;
    } else {
      const bool in_any_order = loss_ == Loss::kTruncate || loss_ == Loss::kTear;
      wreck.bounds.low = loss_ == Loss::kKeepAll ? expected_.Returned() : promise_.Safe();
      wreck.bounds.has_holes = in_any_order && promise_.HasUsedLogFiles();
    }
    const PmemImages images = sim_->AfterPowerLoss(
        loss_, &cut_dice_, [&] { wreck.disk = disk_->AfterPowerLoss(loss_, &cut_dice_); });
    wreck.pools = images.pools.empty() ? PoolsImage(place_.pools) : PoolsImage(images);
    if (!is_recovering_) {
      wreck.bounds.high = expected_.Begun();
    }
    wrecks_.push_back(std::move(wreck));
    const Figure kind = is_recovering_ ? Figure::kCutsWhileOpening : Figure::kCuts;
    site_.figures->Add(loss_ == Loss::kKeepAll ? Figure::kCutsKeepingAll : kind);
    site_.figures->Add(Figure::kCutsAfterFaults, faults_->HaveCome() ? 1 : 0);
  }

  // ---- failing calls

  // Returns whether calls may fail while the database is opened.
  bool FailsFromOpen() const { return numbers_->Get("from_open", 0) != 0; }

  // Returns whether a call has failed since the database was opened.
  bool MayFail() const { return faults_->HaveCome(); }

  // ---- the steps

  bool Prepare() {
    const bool is_there = disk_->FileExists(std::string(kDatabase) + "/CURRENT");
    if (is_there && numbers_->Get("drain_first", 0) != 0) {
      site_.figures->Add(Figure::kDrains);
      if (!site_.findings->ExpectOk(DrainStoreAt(place_, *options_), "a drain before the open")) {
        return false;
      }
    }
    return !is_there || numbers_->Get("check", 0) != 1 || Check("before the open");
  }

  bool Check(const std::string& when) {
    site_.figures->Add(Figure::kChecks);
    return site_.findings->ExpectOk(CheckStoreAt(place_, *options_), "a check " + when);
  }

  bool Open(bool simulated, const char* when) {
    const PersistFactory persist = simulated ? sim_->Factory() : PersistFactory();
    const bool was_plain = IsPlain(place_);
    Status status = OpenStoreAt(place_, *options_, persist, &db_);
    if (!status.ok() && site_.IsExcused(status)) {
      site_.figures->Add(Figure::kFailedOpens);
      faults_->Heal();
      status = OpenStoreAt(place_, *options_, persist, &db_);
    }
    site_.figures->Add(Figure::kOpens);
    site_.db = db_.get();
    const bool was_converted = was_plain && status.ok() && HasTier(site_.db);
    site_.figures->Add(Figure::kConversions, was_converted ? 1 : 0);
    return site_.findings->ExpectOk(status, when);
  }

  void Close() {
    site_.db = nullptr;
    db_.reset();
  }

  // The effect of a failure ends when the database is opened again.
  void CloseAndHeal() {
    Close();
    faults_->Heal();
  }

  bool CompareAll(const Bounds& bounds, const std::string& when, std::vector<KeyState>* found) {
    Contents contents;
    Status status = ReadContents(db_.get(), &contents);
    if (!status.ok() && site_.IsExcused(status)) {
      CloseAndHeal();
      if (!Open(true, "an open without failing calls")) {
        return false;
      }
      status = ReadContents(db_.get(), &contents);
    }
    if (!site_.findings->ExpectOk(status, when)) {
      return false;
    }
    site_.figures->Add(Figure::kCompares);
    return site_.findings->Expect(Compare(expected_, *keys_, contents, bounds, found), when);
  }

  // Runs step 1.
  bool Recover() {
    is_recovering_ = true;
    Listen();
    AllowCuts(numbers_->Get("early_cuts", 0), 1 + numbers_->Get("gap", 20) / 4);
    if (FailsFromOpen()) faults_->Arm();
    const bool opened = Open(true, "the first open");
    AllowCuts(0, 1);
    std::vector<KeyState> found;
    if (!opened || !CompareAll(wreck_.bounds, "after the first open", &found)) {
      return false;
    }
    if (!wrecks_.empty()) {
      // The wrecks are opened at the same paths, so the current state is saved meanwhile.
      CloseAndHeal();
      PowerWreck own;
      own.disk = std::move(disk_);
      own.pools = PoolsImage(place_.pools);
      TryAll();
      wrecks_.clear();
      UseDisk(std::move(own.disk));
      own.pools.WriteTo(place_.pools);
      if (site_.findings->any() || !Open(true, "an open")) {
        return false;
      }
    }
    expected_.Settle(found);
    return true;
  }

  void NoteOpened() {
    const bool has_tier = HasTier(db_.get());
    const bool fences = has_tier && model_ == PmemSim::Model::kCacheLines;
    promise_.Opened(has_tier, fences, numbers_->Get("persist_bytes", 0));
  }

  // Runs step 2.
  bool Work() {
    promise_.Settled();
    NoteOpened();
    is_recovering_ = false;
    AllowCuts(numbers_->Get("cuts", 0), 1 + numbers_->Get("gap", 20));
    const uint64_t sessions = numbers_->Get("sessions", 1);
    for (uint64_t session = 0; session < sessions && !site_.findings->any(); ++session) {
      if (session > 0) {
        CloseAndHeal();
        promise_.Closed();
        const Bounds all = {expected_.Returned(), expected_.Begun()};
        if (FailsFromOpen()) faults_->Arm();
        if (!Open(true, "an open") || !CompareAll(all, "after an open", nullptr)) {
          break;
        }
        NoteOpened();
      }
      if (!FailsFromOpen()) faults_->Arm();
      RunCrew(site_, *numbers_, session);
    }
    CloseAndHeal();
    promise_.Closed();
    AllowCuts(0, 1);
    if (!site_.findings->any()) {
      Cut();
    }
    return !site_.findings->any();
  }

  // Runs step 3, and tries what cuts during step 1 left. One of the wrecks is kept unchanged for
  // the next episode.
  void TryAll() {
    const size_t kept = cut_dice_.Below(wrecks_.size());
    for (size_t i = 0; i < wrecks_.size() && !site_.findings->any(); ++i) {
      Try(wrecks_[i], "wreck " + std::to_string(i + 1) + " of " + std::to_string(wrecks_.size()));
    }
    if (!is_recovering_) {
      wreck_ = std::move(wrecks_[kept]);
      wrecks_.clear();
    }
  }

  void Try(const PowerWreck& wreck, const std::string& name) {
    const std::unique_ptr<PowerEnv> disk = wreck.disk->AfterPowerLoss(Loss::kKeepAll, &cut_dice_);
    wreck.pools.WriteTo(place_.pools);
    place_.env = disk.get();
    options_ = std::make_unique<StoreOptions>(place_, *numbers_);
    if (Open(false, name.c_str()) && CompareAll(wreck.bounds, name, nullptr)) {
      Close();
      Check("of " + name);
    }
    Close();
    options_.reset();
  }

  const Script& script_;
  const PlantInPower& plant_;
  std::mutex cut_mutex_;
  Dice cut_dice_;  // under the mutex while the database is open
  ExpectedState expected_;
  Promise promise_;
  const PmemSim::Model model_;
  StorePlace place_;
  std::unique_ptr<KeySpace> keys_;
  Site site_;

  // The current episode.
  const Episode* episode_ = nullptr;
  const Numbers* numbers_ = nullptr;
  Loss loss_ = Loss::kDropAll;
  std::unique_ptr<StoreOptions> options_;
  std::unique_ptr<PowerEnv> disk_;
  std::unique_ptr<FileFaults> faults_;  // of the disk
  std::unique_ptr<PmemSim> sim_;
  std::unique_ptr<PmemDB> db_;
  PowerWreck wreck_;  // the one where the episode began

  // The power cuts.
  bool is_recovering_ = false;
  uint64_t cuts_left_ = 0;
  uint64_t gap_ = 1;
  std::vector<PowerWreck> wrecks_;
};

}  // namespace

std::string RunPower(const Script& script, const std::string& files, const std::string& pools,
                     Figures* figures, const PlantInPower& plant) {
  const ChildEnd end = RunChild(*figures, [&](Findings* findings) {
    PowerRun(script, files, pools, figures, plant, findings).Run();
  });
  return end.was_killed ? "was killed, and not by this program" : end.wrong;
}

}  // namespace testkit
}  // namespace leveldb
