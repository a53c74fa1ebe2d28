#include "testing/pmem_sim.h"

#include <atomic>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <utility>
#include <vector>

#include "pmem/media/pool_files.h"
#include "testing/durable_image.h"
#include "testing/pmem_calls.h"

namespace leveldb {
namespace testkit {

namespace fs = std::filesystem;

namespace {

uint64_t ThisThread() {
  static std::atomic<uint64_t> threads{0};
  thread_local const uint64_t number = ++threads;
  return number;
}

// One pool of a simulation.
struct SimulatedPool {
  SimulatedPool(const PersistTarget& target, uint64_t bytes)
      : files(target.path, PoolKind::kDetect), image(target.base, bytes, target.reserved_bytes) {}

  const PoolFiles files;
  DurableImage image;
};

// Faults happen at the numbers in [first, end), counted by `seen`.
struct PlantedFault {
  uint64_t first = 0;
  uint64_t end = 0;
  uint64_t seen = 0;

  void Plant(uint64_t first_number, uint64_t count) {
    first = first_number;
    end = first_number + count;
  }
  // Counts one event. Returns whether it is faulty.
  bool Next() {
    seen++;
    return seen >= first && seen < end;
  }
};

}  // namespace

// The state that the simulation, its pools and the intercepted calls share.
class PmemSim::State : public PmemCallListener {
 public:
  explicit State(Model model) : model_(model) { ListenToPmemCalls(this); }
  ~State() override { StopListeningToPmemCalls(this); }

  SimulatedPool* Add(const PersistTarget& target) {
    uint64_t bytes = 0;
    static_cast<void>(PoolFiles(target.path, PoolKind::kDetect).Bytes(&bytes));
    auto pool = std::make_unique<SimulatedPool>(target, bytes);
    std::lock_guard lock(mutex_);
    pools_.push_back(std::move(pool));
    return pools_.back().get();
  }

  void Remove(SimulatedPool* pool) {
    std::lock_guard lock(mutex_);
    std::erase_if(pools_, [pool](const auto& other) { return other.get() == pool; });
  }

  // Calls from our own persist seam.

  void Copied(SimulatedPool* pool, const void* p, size_t n) {
    std::lock_guard lock(mutex_);
    pool->image.CaptureWords(ThisThread(), p, n);
  }

  void Flushed(SimulatedPool* pool, const void* p, size_t n) {
    NoteChange();
    std::lock_guard lock(mutex_);
    if (n == sizeof(uint64_t) && publishes_.Next()) {
      pool->image.TakeBack(ThisThread());
      pool->image.MakeDurable(p, n);
    } else {
      pool->image.CaptureLines(ThisThread(), p, n);
    }
  }

  void Fenced(SimulatedPool* pool) {
    NoteChange();
    std::lock_guard lock(mutex_);
    if (!fences_.Next() && model_ == Model::kCacheLines) pool->image.Fence(ThisThread());
  }

  void Synced(SimulatedPool* pool) {
    NoteChange();
    std::lock_guard lock(mutex_);
    if (fences_.Next()) return;
    if (model_ == Model::kCacheLines) {
      pool->image.Fence(ThisThread());
    } else {
      pool->image.FenceAll();
    }
  }

  // Calls from libpmemobj.

  bool Watches(const void* p) override {
    std::lock_guard lock(mutex_);
    return Find(p) != nullptr;
  }

  void LibraryFlushed(const void* p, size_t n) override {
    NoteChange();
    std::lock_guard lock(mutex_);
    if (SimulatedPool* const pool = Find(p)) pool->image.CaptureLines(ThisThread(), p, n);
  }

  void LibraryDrained() override {
    NoteChange();
    std::lock_guard lock(mutex_);
    for (const auto& pool : pools_) pool->image.Fence(ThisThread());
  }

  void LibrarySynced(const void* p, size_t n) override {
    NoteChange();
    std::lock_guard lock(mutex_);
    if (SimulatedPool* const pool = Find(p)) pool->image.MakeDurable(p, n);
  }

  bool PretendsPersistence() override { return model_ == Model::kCacheLines; }

  // Calls from tests.

  PmemImages AfterPowerLoss(Loss loss, Dice* dice, const std::function<void()>& meanwhile) {
    std::lock_guard lock(mutex_);
    PmemImages images;
    for (const auto& pool : pools_) {
      PoolImage image;
      image.directory = pool->files.directory();
      std::vector<PoolFiles::Part> parts = PartsOf(*pool);
      SparseBytes contents = CutPower(*pool, parts, loss, dice);
      // The pool may be growing. The image must not name more than the files hold; since files grow
      // first, that is so if they did not grow meanwhile.
      for (std::vector<PoolFiles::Part> now = PartsOf(*pool); BytesOf(now) != BytesOf(parts);
           now = PartsOf(*pool)) {
        parts = std::move(now);
        contents = CutPower(*pool, parts, loss, dice);
      }
      uint64_t at = 0;
      for (const PoolFiles::Part& part : parts) {
        image.files.push_back(
            {fs::relative(part.path, image.directory).string(), contents.TakePart(at, part.bytes)});
        at += part.bytes;
      }
      images.pools.push_back(std::move(image));
    }
    if (meanwhile) meanwhile();
    return images;
  }

  void SetChangeListener(std::function<void(uint64_t)> listener) {
    listener_ = std::move(listener);
  }
  uint64_t changes() const { return changes_.load(); }

  void SkipFences(uint64_t first, uint64_t count) {
    std::lock_guard lock(mutex_);
    fences_ = publishes_ = PlantedFault();
    fences_.Plant(first, count);
  }

  void PublishEarly(uint64_t first, uint64_t count) {
    std::lock_guard lock(mutex_);
    fences_ = publishes_ = PlantedFault();
    publishes_.Plant(first, count);
  }

  uint64_t fences() {
    std::lock_guard lock(mutex_);
    return fences_.seen;
  }

  uint64_t publishes() {
    std::lock_guard lock(mutex_);
    return publishes_.seen;
  }

 private:
  static std::vector<PoolFiles::Part> PartsOf(const SimulatedPool& pool) {
    std::vector<PoolFiles::Part> parts;
    static_cast<void>(pool.files.List(&parts));
    return parts;
  }

  static SparseBytes CutPower(const SimulatedPool& pool, const std::vector<PoolFiles::Part>& parts,
                              Loss loss, Dice* dice) {
    // Nothing is stored to a part before it is mapped.
    uint64_t mapped_bytes = 0;
    for (const PoolFiles::Part& part : parts) {
      if (mapped_bytes >= pool.image.touched_bytes()) break;
      mapped_bytes += part.bytes;
    }
    return pool.image.AfterPowerLoss(BytesOf(parts), mapped_bytes, loss, dice);
  }

  static uint64_t BytesOf(const std::vector<PoolFiles::Part>& parts) {
    uint64_t bytes = 0;
    for (const PoolFiles::Part& part : parts) bytes += part.bytes;
    return bytes;
  }

  SimulatedPool* Find(const void* p) {
    for (const auto& pool : pools_) {
      if (pool->image.Holds(p)) return pool.get();
    }
    return nullptr;
  }

  void NoteChange() {
    const uint64_t change = changes_.fetch_add(1);
    if (listener_) listener_(change);
  }

  const Model model_;
  std::function<void(uint64_t)> listener_;
  std::atomic<uint64_t> changes_{0};
  std::mutex mutex_;
  std::vector<std::unique_ptr<SimulatedPool>> pools_;
  PlantedFault fences_;
  PlantedFault publishes_;
};

// The persist seam of one pool.
class SimPersist final : public Persist {
 public:
  SimPersist(const PersistTarget& target, std::shared_ptr<PmemSim::State> state)
      : state_(std::move(state)), pool_(state_->Add(target)) {}
  ~SimPersist() override { state_->Remove(pool_); }

  void Copy(void* to, const void* from, size_t n) override {
    memcpy(to, from, n);
    copied_ += n;
    state_->Copied(pool_, to, n);
  }

  void Flush(const void* p, size_t n) override {
    flushes_++;
    state_->Flushed(pool_, p, n);
  }

  void Fence() override {
    fences_++;
    state_->Fenced(pool_);
  }

  Status Sync() override {
    syncs_++;
    state_->Synced(pool_);
    return Status::OK();
  }

  bool SurvivesPowerLoss() const override { return state_->PretendsPersistence(); }
  std::string Name() const override { return "simulated"; }

  PersistCounts counts() const override {
    PersistCounts counts;
    counts.bytes_copied = copied_.load();
    counts.flushes = flushes_.load();
    counts.fences = fences_.load();
    counts.syncs = syncs_.load();
    return counts;
  }

 private:
  const std::shared_ptr<PmemSim::State> state_;
  SimulatedPool* const pool_;
  std::atomic<uint64_t> copied_{0};
  std::atomic<uint64_t> flushes_{0};
  std::atomic<uint64_t> fences_{0};
  std::atomic<uint64_t> syncs_{0};
};

PmemSim::PmemSim(Model model) : state_(std::make_shared<State>(model)) {}

PmemSim::~PmemSim() = default;

PersistFactory PmemSim::Factory() {
  return [state = state_](const PersistTarget& target) {
    return std::make_unique<SimPersist>(target, state);
  };
}

PmemImages PmemSim::AfterPowerLoss(Loss loss, Dice* dice, const std::function<void()>& meanwhile) {
  return state_->AfterPowerLoss(loss, dice, meanwhile);
}

void PmemSim::SetChangeListener(std::function<void(uint64_t)> listener) {
  state_->SetChangeListener(std::move(listener));
}

uint64_t PmemSim::changes() const {
  return state_->changes();
}

void PmemSim::SkipFences(uint64_t first, uint64_t count) {
  state_->SkipFences(first, count);
}

void PmemSim::PublishEarly(uint64_t first, uint64_t count) {
  state_->PublishEarly(first, count);
}

uint64_t PmemSim::fences() const {
  return state_->fences();
}

uint64_t PmemSim::publishes() const {
  return state_->publishes();
}

namespace {

void WritePool(const PoolImage& pool, const std::string& directory) {
  for (const PoolImage::File& file : pool.files) {
    const fs::path path = fs::path(directory) / file.name;
    fs::create_directories(path.parent_path());
    file.bytes.WriteFile(path.string());
  }
}

}  // namespace

void PmemImages::WriteTo(const std::string& directory) const {
  for (const PoolImage& pool : pools) WritePool(pool, directory);
}

void PmemImages::Restore() const {
  for (const PoolImage& pool : pools) {
    // Removes parts that were added after the power cut: all are in the directory of the first file
    // of a directory pool.
    const fs::path first = fs::path(pool.directory) / pool.files[0].name;
    if (first.parent_path() != fs::path(pool.directory)) fs::remove_all(first.parent_path());
    WritePool(pool, pool.directory);
  }
}

}  // namespace testkit
}  // namespace leveldb
