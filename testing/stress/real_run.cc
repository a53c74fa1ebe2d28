// An episode, in its own process:
//
//   1. What the previous one left is drained or checked, if the numbers say so.
//   2. The database is opened, and holds what the expected state allows, which is the new base.
//   3. Sessions run operations with the faults of the episode, each with an open of its own.
//   4. The cause of the faults ends: what can be read is right. The database is closed and checked.
//
// A kill may happen anywhere in this; the next episode checks what it left.

#include "testing/stress/real_run.h"

#include <memory>
#include <utility>

#include "testing/contents.h"
#include "testing/stress/child.h"
#include "testing/stress/comparison.h"
#include "testing/stress/crew.h"
#include "testing/stress/file_faults.h"
#include "testing/stress/kill_point.h"
#include "testing/stress/pool_refusals.h"
#include "testing/stress/site.h"
#include "testing/stress/store_place.h"

namespace leveldb {
namespace testkit {

namespace {

class RealEpisode {
 public:
  RealEpisode(const Episode& episode, const StorePlace& place, const KeySpace* keys,
              ExpectedState* expected, bool follows_kill, Figures* figures, Findings* findings)
      : episode_(episode),
        numbers_(episode.numbers),
        follows_kill_(follows_kill),
        place_(place),
        faults_(place.env, episode, figures) {
    if (CountsFileCalls() || faults_.any()) {
      place_.env = faults_.env();
    }
    options_ = std::make_unique<StoreOptions>(place_, numbers_);
    site_.expected = expected;
    site_.keys = keys;
    site_.figures = figures;
    site_.findings = findings;
    site_.excuse = [this] { return MayFail(); };
    site_.may_not_spill = numbers_.Get("no_spill", 0) != 0;
  }

  void Run() {
    if (episode_.kind == Kind::kKill) {
      ArmKill();
    } else if (FailsFromOpen()) {
      ArmFault();
    }
    if (!PrepareStore() || !OpenAndSettle() || !CheckAfterKill()) {
      return;
    }
    if (!FailsFromOpen()) {
      ArmFault();
    }
    const uint64_t sessions = numbers_.Get("sessions", 1);
    for (uint64_t session = 0; session < sessions && !site_.findings->any(); ++session) {
      if (session > 0 && !OpenAgain()) {
        return;
      }
      RunCrew(site_, numbers_, session);
    }
    if (episode_.kind == Kind::kKill && !site_.findings->any()) {
      kill_point_.Kill();
    }
    Finish();
  }

 private:
  bool CountsFileCalls() const {
    return episode_.kind == Kind::kKill &&
           numbers_.Get("kill_by", 0) == static_cast<uint64_t>(KillBy::kFile);
  }

  // ---- faults

  void ArmKill() {
    const KillBy by = static_cast<KillBy>(numbers_.Get("kill_by", 0));
    if (by == KillBy::kFile) {
      faults_.env()->SetListener([this](Call) { kill_point_.Count(KillBy::kFile); });
    } else if (by == KillBy::kStep) {
      site_.step = [this] { kill_point_.Count(KillBy::kStep); };
    } else if (by == KillBy::kPersist) {
      persist_ = kill_point_.Factory();
    }
    kill_point_.Arm(by, numbers_.Get("kill_at", 1));
  }

  void ArmFault() {
    faults_.Arm();
    if (episode_.kind == Kind::kPool) {
      RefuseReservations(numbers_.Get("room_at", 1), numbers_.Get("lasting", 0) != 0);
    }
  }

  // Returns whether the fault may occur while the database is opened.
  bool FailsFromOpen() const { return numbers_.Get("from_open", 0) != 0; }

  // Returns whether anything has failed since the last Heal.
  bool HasFailed() const { return faults_.HaveCome() || Refusals() > booked_refusals_; }

  // Returns whether a call has failed since the database was opened.
  bool MayFail() const { return is_hurt_ || HasFailed(); }

  // Ends and counts the faults. Their effects on the open database remain.
  void Heal() {
    is_hurt_ = is_hurt_ || HasFailed();
    faults_.Heal();
    StopRefusing();
    site_.figures->Add(Figure::kPoolRefusals, Refusals() - booked_refusals_);
    booked_refusals_ = Refusals();
  }

  // ---- the store

  bool PrepareStore() {
    const bool may_fail = FailsFromOpen();
    if (numbers_.Get("drain_first", 0) != 0 && !may_fail && place_.env->FileExists(Current())) {
      if (!site_.findings->ExpectOk(DrainStoreAt(place_, *options_), "a drain before the open")) {
        return false;
      }
      site_.figures->Add(Figure::kDrains);
    }
    return numbers_.Get("check", 0) != 1 || may_fail || Check("before the open");
  }

  std::string Current() const { return place_.name + "/CURRENT"; }

  bool Check(const std::string& when) {
    if (!place_.env->FileExists(Current())) {
      return true;
    }
    site_.figures->Add(Figure::kChecks);
    return site_.findings->ExpectOk(CheckStoreAt(place_, *options_), "a check " + when);
  }

  // Opens the database, and once more without the fault if the open fails because of it.
  bool Open(const char* when) {
    const bool was_plain = IsPlain(place_);
    Status status = OpenStoreAt(place_, *options_, persist_, &db_);
    if (!status.ok() && site_.IsExcused(status)) {
      site_.figures->Add(Figure::kFailedOpens);
      Heal();
      is_hurt_ = false;
      status = OpenStoreAt(place_, *options_, persist_, &db_);
    }
    site_.figures->Add(Figure::kOpens);
    site_.db = db_.get();
    const bool was_converted = was_plain && status.ok() && HasTier(site_.db);
    site_.figures->Add(Figure::kConversions, was_converted ? 1 : 0);
    return site_.findings->ExpectOk(status, when);
  }

  // Compares everything, without the fault if necessary.
  bool CompareAll(const char* when, std::vector<KeyState>* found) {
    Contents contents;
    Status status = ReadContents(db_.get(), &contents);
    if (!status.ok() && site_.IsExcused(status)) {
      Heal();
      Close();
      is_hurt_ = false;
      if (!Open(when)) {
        return false;
      }
      status = ReadContents(db_.get(), &contents);
    }
    if (!site_.findings->ExpectOk(status, when)) {
      return false;
    }
    site_.figures->Add(Figure::kCompares);
    const Bounds bounds = {site_.expected->Returned(), site_.expected->Begun()};
    return site_.findings->Expect(Compare(*site_.expected, *site_.keys, contents, bounds, found),
                                  when);
  }

  bool OpenAndSettle() {
    std::vector<KeyState> found;
    if (!Open("the first open") || !CompareAll("after the first open", &found)) {
      return false;
    }
    const auto no_kill = kill_point_.Hold();
    site_.expected->Settle(found);
    return true;
  }

  // Checks what a kill has left, unless step 1 did, after an open has recovered it. Where calls
  // fail, the end of the episode checks it.
  bool CheckAfterKill() {
    if (!follows_kill_ || numbers_.Get("check", 0) == 1 || FailsFromOpen()) return true;
    Close();
    return Check("after the first open") && Open("an open after a check");
  }

  bool OpenAgain() {
    Close();
    // The effect of a failure ends when the database is opened again.
    Heal();
    is_hurt_ = false;
    if (FailsFromOpen()) {
      ArmFault();
    }
    if (!Open("an open") || !CompareAll("after an open", nullptr)) {
      return false;
    }
    if (!FailsFromOpen()) {
      ArmFault();
    }
    return true;
  }

  void Close() {
    site_.db = nullptr;
    db_.reset();
  }

  void Finish() {
    Heal();
    if (!site_.findings->any()) {
      CompareAll("at the end", nullptr);
    }
    Close();
    const bool is_due = episode_.kind != Kind::kClose || numbers_.Get("check", 0) == 2;
    if (!site_.findings->any() && is_due) {
      Check("at the end");
    }
  }

  const Episode& episode_;
  const Numbers& numbers_;
  const bool follows_kill_;
  StorePlace place_;
  FileFaults faults_;
  KillPoint kill_point_;
  PersistFactory persist_;
  std::unique_ptr<StoreOptions> options_;
  std::unique_ptr<PmemDB> db_;
  Site site_;
  bool is_hurt_ = false;  // the open database has met a fault
  uint64_t booked_refusals_ = 0;
};

// Checks what the last episode leaves like that of every other.
Episode LastLook() {
  Episode episode;
  episode.numbers.Set("ops", 0);
  episode.numbers.Set("check", 1);
  return episode;
}

}  // namespace

std::string RunReal(const Script& script, const std::string& files, const std::string& pools,
                    uint64_t pool_bytes, Figures* figures) {
  const uint32_t keys_per_thread = static_cast<uint32_t>(script.run.Get("keys", 50));
  ExpectedState expected(files + "/expected", script.threads(), keys_per_thread);
  StorePlace place;
  place.env = Env::Default();
  place.name = files + "/db";
  place.pools = pools;
  place.pool_bytes = pool_bytes;
  place.msync = script.run.Get("msync", 0) != 0;
  place.order = static_cast<KeyOrder>(script.run.Get("order", 0) % kKeyOrders);
  const KeySpace keys(script.run.Get("seed", 1), expected.keys(), place.order);

  std::vector<Episode> episodes = script.episodes;
  episodes.push_back(LastLook());
  int number = 0;
  bool follows_kill = false;
  for (const Episode& episode : episodes) {
    const ChildEnd end = RunChild(*figures, [&](Findings* findings) {
      RealEpisode(episode, place, &keys, &expected, follows_kill, figures, findings).Run();
    });
    ++number;
    follows_kill = end.was_killed;
    std::string wrong = end.wrong;
    if (end.was_killed && episode.kind != Kind::kKill) {
      wrong = "was killed, and not by this program";
    }
    if (!wrong.empty()) {
      return "episode " + std::to_string(number) + " (" + KindName(episode.kind) + "): " + wrong;
    }
    figures->Add(Figure::kEpisodes);
    figures->Add(Figure::kKills, end.was_killed ? 1 : 0);
  }
  return "";
}

}  // namespace testkit
}  // namespace leveldb
