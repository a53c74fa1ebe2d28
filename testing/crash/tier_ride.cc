#include "testing/crash/tier_ride.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "db/db_open.h"
#include "testing/contents.h"
#include "testing/status_checks.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr char kName[] = "/db";
constexpr uint64_t kBatchesAfterACut = 12;

}  // namespace

struct TierRide::Site {
  Site(std::unique_ptr<PowerEnv> site_disk, PmemSim::Model model, History* site_history)
      : disk(std::move(site_disk)), sim(model), history(site_history) {}

  const std::unique_ptr<PowerEnv> disk;
  PmemSim sim;
  History* const history;
  // Guarded by the ride's mutex: the total bytes of the first n batches, by n, and the progress of
  // the writes.
  std::vector<uint64_t> bytes{0};
  uint64_t started = 0;
  uint64_t acknowledged = 0;
  uint64_t synced = 0;
};

TierRide::TierRide(uint64_t seed, const RideOptions& options)
    : options_(options),
      dice_(seed),
      cut_dice_(dice_.Next()),
      dir_(Medium::kMemory),
      pools_(dir_ / "pools"),
      history_(dice_.Next(), options.value_size_max) {
  std::filesystem::create_directory(pools_);
}

TierRide::~TierRide() = default;

Status TierRide::OpenAt(PowerEnv* disk, PmemSim* sim, std::unique_ptr<PmemDB>* db) {
  Options options = options_.options;
  options.env = disk;
  options.create_if_missing = true;
  PmemOptions pmem = options_.pmem;
  pmem.path = pools_;
  pmem.convert = true;
  PmemRequest request = ResolvePmem(options, &pmem);
  if (sim != nullptr) {
    request.persist_factory = sim->Factory();
    const bool is_ride = site_ != nullptr && sim == &site_->sim;
    if (is_ride && options_.wrap) {
      request.persist_factory = [this, sim](const PersistTarget& target) {
        return options_.wrap(sim->Factory()(target));
      };
    }
  }
  PmemDB* opened = nullptr;
  const Status status = OpenDatabaseAs(request, options, kName, &opened);
  db->reset(opened);
  return status;
}

Status TierRide::CheckAt(PowerEnv* disk) {
  Options options = options_.options;
  options.env = disk;
  PmemOptions pmem = options_.pmem;
  pmem.path = pools_;
  std::string report;
  const Status status = CheckDB(kName, options, pmem, &report);
  return status.ok() ? status : Status::Corruption(status.ToString(), report);
}

uint64_t TierRide::Certain(const Site& site) const {
  if (options_.loss == Loss::kKeepAll) {
    return site.acknowledged;
  }
  if (options_.model == PmemSim::Model::kMsync) {
    return site.synced;
  }
  // At most this many bytes of what is acknowledged may be lost.
  uint64_t certain = site.acknowledged;
  while (certain > site.synced && site.bytes[site.acknowledged] - site.bytes[certain - 1] <=
                                      options_.pmem.wal_persist_bytes) {
    --certain;
  }
  return certain;
}

void TierRide::Cut(Site* site, std::vector<Wreck>* wrecks) {
  Wreck wreck;
  wreck.certain = Certain(*site);
  wreck.started = site->started;
  const PmemImages images = site->sim.AfterPowerLoss(options_.loss, &cut_dice_, [&] {
    wreck.disk = site->disk->AfterPowerLoss(options_.loss, &cut_dice_);
  });
  wreck.pools = images.pools.empty() ? PoolsImage(pools_) : PoolsImage(images);
  wrecks->push_back(std::move(wreck));
}

Status TierRide::WriteOne(Site* site, DB* db) {
  WriteOptions options;
  WriteBatch batch;
  uint64_t number;
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    site->history->Extend();
    number = site->history->size();
    batch = site->history->Batch(number);
    options.sync = dice_.OneIn(6);
    site->bytes.resize(number, site->bytes.back());
    site->bytes.push_back(site->bytes.back() + site->history->UserBytes(number));
    site->started = number;
  }
  const Status status = db->Write(options, &batch);
  if (status.ok()) {
    const std::lock_guard<std::mutex> guard(mutex_);
    site->acknowledged = number;
    site->synced = options.sync ? number : site->synced;
  }
  return status;
}

void TierRide::Run() {
  site_ = std::make_unique<Site>(std::make_unique<PowerEnv>(), options_.model, &history_);
  changes_between_cuts_ =
      options_.changes_between_cuts != 0 ? options_.changes_between_cuts : 1 + dice_.Below(200);
  const auto listener = [this](uint64_t) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (wrecks_.size() < options_.cuts && cut_dice_.OneIn(changes_between_cuts_)) {
      Cut(site_.get(), &wrecks_);
    }
  };
  site_->disk->SetChangeListener(listener);
  site_->sim.SetChangeListener(listener);
  // A ride that has had no cut yet goes on.
  while ((history_.size() < options_.batches || wrecks_.size() < options_.cuts_at_least) &&
         !::testing::Test::HasFailure()) {
    const uint64_t left = options_.batches - std::min(history_.size(), options_.batches);
    Session(std::min(dice_.Between(10, options_.batches), std::max<uint64_t>(left, 10)));
  }
  site_->disk->SetChangeListener(nullptr);
  site_->sim.SetChangeListener(nullptr);
  Cut(site_.get(), &wrecks_);
}

void TierRide::Session(uint64_t batches) {
  std::unique_ptr<PmemDB> db;
  ASSERT_OK(OpenAt(site_->disk.get(), &site_->sim, &db)) << site_->disk->Describe();
  if (plant_) {
    std::exchange(plant_, nullptr)(&site_->sim);
  }
  const Slice beyond("\xff");
  const Snapshot* snapshot = nullptr;
  Contents at_snapshot;
  for (uint64_t i = 0; i < batches; ++i) {
    ASSERT_OK(WriteOne(site_.get(), db.get())) << site_->disk->Describe();
    if (dice_.OneIn(40)) {
      db->CompactRange(&beyond, &beyond);  // a flush
    } else if (dice_.OneIn(150)) {
      db->CompactRange(nullptr, nullptr);
    } else if (dice_.OneIn(30) && snapshot == nullptr) {
      snapshot = db->GetSnapshot();
      at_snapshot = history_.StateAfter(history_.size());
    } else if (dice_.OneIn(60) && snapshot != nullptr) {
      Contents contents;
      ASSERT_OK(ReadContents(db.get(), &contents, snapshot));
      ASSERT_TRUE(contents == at_snapshot);
      db->ReleaseSnapshot(std::exchange(snapshot, nullptr));
    }
  }
  if (snapshot != nullptr) {
    db->ReleaseSnapshot(snapshot);
  }
  if (options_.drains && dice_.OneIn(8)) {
    ASSERT_OK(db->Drain());
  }
}

Status TierRide::RecoverOnce(const Wreck& wreck, History* history, uint64_t certain, Wreck* next,
                             uint64_t* count) {
  wreck.pools.WriteTo(pools_);
  Site site(wreck.disk->AfterPowerLoss(Loss::kKeepAll, &dice_), options_.model, history);
  site.synced = certain;
  std::vector<Wreck> wrecks;
  uint64_t left = 0;
  const auto listener = [&](uint64_t) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (left > 0 && --left == 0) {
      Cut(&site, &wrecks);
    }
  };
  site.disk->SetChangeListener(listener);
  site.sim.SetChangeListener(listener);
  site.acknowledged = certain;
  site.started = wreck.started;
  for (uint64_t number = 1; number <= history->size(); ++number) {
    site.bytes.push_back(site.bytes.back() + history->UserBytes(number));
  }
  left = dice_.OneIn(2) ? dice_.Between(1, 60) : dice_.Between(1, 400);

  std::unique_ptr<PmemDB> db;
  Status status = OpenAt(site.disk.get(), &site.sim, &db);
  if (status.ok()) {
    status = history->Check(db.get(), count);
  }
  if (status.ok() && (*count < certain || *count > wreck.started)) {
    status = Status::Corruption("holds " + std::to_string(*count) + " batches of " +
                                std::to_string(wreck.started) + ", and certainly " +
                                std::to_string(certain));
  }
  if (!status.ok()) {
    return status;
  }
  {
    // What was found is the new base, also for a cut that happened during the open.
    const std::lock_guard<std::mutex> guard(mutex_);
    for (Wreck& early : wrecks) {
      early.certain = early.started = *count;
    }
    history->CutTo(*count);
    site.bytes.resize(*count + 1);
    site.acknowledged = site.started = *count;
    site.synced = std::min(site.synced, *count);
  }
  for (uint64_t i = 0; i < kBatchesAfterACut && status.ok(); ++i) {
    status = WriteOne(&site, db.get());
  }
  if (status.ok() && dice_.OneIn(4)) {
    db->CompactRange(nullptr, nullptr);
  }
  db.reset();
  site.disk->SetChangeListener(nullptr);
  site.sim.SetChangeListener(nullptr);
  if (status.ok()) {
    status = CheckAt(site.disk.get());
  }
  if (wrecks.empty()) {
    // The database was closed before the power was cut.
    Wreck last;
    last.certain = Certain(site);
    last.started = site.started;
    last.disk = site.disk->AfterPowerLoss(options_.loss, &dice_);
    last.pools = PoolsImage(pools_);
    wrecks.push_back(std::move(last));
  }
  *next = std::move(wrecks.back());
  return status;
}

Status TierRide::Recover(const Wreck& wreck, int cuts, uint64_t* count) {
  site_.reset();
  History history = history_;
  Wreck next;
  Status status = RecoverOnce(wreck, &history, wreck.certain, &next, count);
  for (int cut = 1; cut <= cuts && status.ok(); ++cut) {
    const Wreck tried = std::move(next);
    uint64_t again = 0;
    status = RecoverOnce(tried, &history, tried.certain, &next, &again);
    if (!status.ok()) {
      status = Status::Corruption("after cut " + std::to_string(cut + 1),
                                  status.ToString() + "\n" + tried.disk->Describe());
    }
  }
  return status;
}

}  // namespace testkit
}  // namespace leveldb
