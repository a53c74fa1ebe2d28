#include "testing/corruption/base.h"

#include <cstdio>
#include <cstdlib>

#include "testing/corruption/file_pieces.h"
#include "testing/corruption/pool_pieces.h"
#include "testing/dice.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr uint64_t kPoolBytes = 8 << 20;  // the least possible

void Expect(const Status& status) {
  if (!status.ok()) {
    std::fprintf(stderr, "corruption: making a base: %s\n", status.ToString().c_str());
    std::abort();
  }
}

class BaseMaker {
 public:
  BaseMaker(uint64_t seed, Base* base) : dice_(seed), base_(base) {}

  void Make() {
    DrawOptions();
    Restore(base_->place, Image());
    const uint64_t layers = dice_.Between(3, 6);
    const bool has_plain_past = base_->pmem.has_value() && dice_.OneIn(3);
    std::optional<PmemOptions> later = base_->pmem;
    if (has_plain_past) base_->pmem.reset();
    OpenIt();
    for (uint64_t layer = 0; layer < layers; ++layer) {
      WriteLayer();
      if (layer + 1 == layers) break;
      // The batch is flushed, flushed and merged, or left to the log.
      if (!dice_.OneIn(6)) Flush();
      if (dice_.OneIn(3)) db_->CompactRange(nullptr, nullptr);
      if (dice_.OneIn(2)) base_->older.push_back(TakeImage(base_->place));
      if (layer == 0 || dice_.OneIn(4)) {
        db_.reset();
        base_->pmem = later;
        base_->options.compression = static_cast<CompressionType>(dice_.Below(3));
        OpenIt();
      }
    }
    base_->was_closed = dice_.OneIn(2);
    if (base_->was_closed) db_.reset();
    base_->image = TakeImage(base_->place);
    db_.reset();
    FindPieces();
  }

 private:
  void DrawOptions() {
    Options& options = base_->options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    options.block_size = 1024;
    options.max_file_size = 1 << 20;
    options.reuse_logs = dice_.OneIn(4);
    options.compression = static_cast<CompressionType>(dice_.Below(3));
    if (!dice_.OneIn(3)) {
      base_->filter.reset(NewBloomFilterPolicy(10));
      options.filter_policy = base_->filter.get();
    }
    if (dice_.OneIn(3)) return;
    PmemOptions pmem;
    pmem.path = base_->place.pool();
    pmem.size = kPoolBytes;
    pmem.assume_pmem = true;
    pmem.assume_pmem_anywhere = true;
    pmem.guard_faults = dice_.OneIn(2);
    pmem.convert = true;
    pmem.dynamic_tree = false;
    pmem.wal_persist_bytes = dice_.OneIn(4) ? 4096 : 0;
    if (dice_.OneIn(3)) {  // spilled at once
      pmem.spill_start = 0.1;
      pmem.spill_stop = 0.05;
    }
    base_->pmem = pmem;
  }

  void OpenIt() { Expect(base_->Open(base_->options, &db_)); }

  void Flush() {
    const Slice beyond("\xff");
    db_->CompactRange(&beyond, &beyond);
  }

  size_t DrawSize() {
    if (dice_.OneIn(150)) return dice_.Between(66000, 90000);  // a chunk list
    return dice_.OneIn(3) ? dice_.Between(250, 3000) : dice_.Below(150);
  }

  void WriteLayer() {
    for (uint64_t i = dice_.Between(10, 40); i > 0; --i) {
      WriteBatch batch;
      for (uint64_t updates = dice_.OneIn(8) ? dice_.Between(2, 5) : 1; updates > 0; --updates) {
        const std::string key = "key" + std::to_string(100 + dice_.Below(50));
        if (dice_.OneIn(8)) {
          base_->writings.Delete(key, &batch);
        } else {
          base_->writings.Put(key, DrawSize(), &batch);
        }
      }
      Expect(db_->Write(WriteOptions(), &batch));
    }
  }

  void FindPieces() {
    NamedParts named;
    FindFilePieces(base_->place, base_->image, &base_->map, &named);
    if (base_->image.count(base_->place.pool()) > 0) {
      Restore(base_->place, base_->image);
      FindPoolPieces(base_->place, base_->image, named, &base_->map);
    }
    for (LogRecords& log : base_->map.logs) {
      for (const auto& record : log.records) CheckWritten(record);
    }
    for (const Piece& piece : base_->map.pieces) CheckWritten(piece.carries);
    base_->summary = std::string(base_->pmem.has_value() ? "tier" : "plain") + ", " +
                     (base_->was_closed ? "closed, " : "killed, ") +
                     std::to_string(named.tables.size()) + " tables, " +
                     std::to_string(named.trees.size()) + " trees, " +
                     std::to_string(base_->map.logs.size()) + " logs, " +
                     std::to_string(base_->writings.last_sequence()) + " updates";
  }

  // Sequence numbers must be what the writings take them to be.
  void CheckWritten(const std::vector<KeyVersion>& versions) const {
    for (const KeyVersion& version : versions) {
      if (!base_->writings.Has(version.key, version.sequence)) {
        Expect(Status::Corruption(version.key, std::to_string(version.sequence)));
      }
    }
  }

  Dice dice_;
  Base* const base_;
  std::unique_ptr<DB> db_;
};

}  // namespace

Status Base::Open(const Options& changed, std::unique_ptr<DB>* db) const {
  db->reset();
  if (!pmem.has_value()) {
    DB* opened = nullptr;
    const Status status = DB::Open(changed, place.db(), &opened);
    db->reset(opened);
    return status;
  }
  PmemDB* opened = nullptr;
  const Status status = PmemOpen(changed, *pmem, place.db(), &opened);
  db->reset(opened);
  return status;
}

std::unique_ptr<Base> MakeBase(uint64_t seed, const ImagePlace& place) {
  auto base = std::make_unique<Base>();
  base->place = place;
  BaseMaker(seed, base.get()).Make();
  return base;
}

}  // namespace testkit
}  // namespace leveldb
