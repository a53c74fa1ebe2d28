// Fuzzes sequences of calls of the C interface, on a database in memory, against a map.
//
// Input: options (1: a custom comparator, 2: a Bloom filter, 4: a cache, 8: no compression), then
// calls, each a byte followed by its arguments.
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/c_objects.h"
#include "leveldb/c.h"
#include "leveldb/helpers/memenv.h"
#include "testing/fuzz/fuzz_input.h"

namespace leveldb {
namespace fuzz {
namespace {

using Model = std::map<std::string, std::string>;

constexpr char kName[] = "/db";
constexpr size_t kHeldMax = 4;
constexpr int kCallsMax = 400;

void DestroyNothing(void*) {}
int CompareBytewise(void*, const char* a, size_t a_size, const char* b, size_t b_size) {
  return Slice(a, a_size).compare(Slice(b, b_size));
}
const char* NameOfOurs(void*) {
  return "fuzz.Bytewise";
}

// Requires at the end of a call that there is no error.
class NoError {
 public:
  ~NoError() { Require(message_ == nullptr, "a call that can't fail has not failed"); }
  operator char**() { return &message_; }  // NOLINT(google-explicit-constructor)

 private:
  char* message_ = nullptr;
};

class Calls {
 public:
  Calls(uint8_t flags, FuzzInput* input) : input_(*input), memory_(NewMemEnv(Env::Default())) {
    env_.rep = memory_.get();
    options_ = leveldb_options_create();
    leveldb_options_set_create_if_missing(options_, 1);
    leveldb_options_set_env(options_, &env_);
    leveldb_options_set_write_buffer_size(options_, 64 << 10);
    leveldb_options_set_paranoid_checks(options_, 1);
    if ((flags & 1) != 0) {
      comparator_ = leveldb_comparator_create(nullptr, DestroyNothing, CompareBytewise, NameOfOurs);
      leveldb_options_set_comparator(options_, comparator_);
    }
    if ((flags & 2) != 0) {
      policy_ = leveldb_filterpolicy_create_bloom(10);
      leveldb_options_set_filter_policy(options_, policy_);
    }
    if ((flags & 4) != 0) {
      cache_ = leveldb_cache_create_lru(100000);
      leveldb_options_set_cache(options_, cache_);
    }
    if ((flags & 8) != 0) leveldb_options_set_compression(options_, leveldb_no_compression);
    read_ = leveldb_readoptions_create();
    leveldb_readoptions_set_verify_checksums(read_, 1);
    write_ = leveldb_writeoptions_create();
    batch_ = leveldb_writebatch_create();
    Open();
  }

  ~Calls() {
    Close();
    leveldb_destroy_db(options_, kName, NoError());
    leveldb_writebatch_destroy(batch_);
    leveldb_writeoptions_destroy(write_);
    leveldb_readoptions_destroy(read_);
    leveldb_options_destroy(options_);
    if (cache_ != nullptr) leveldb_cache_destroy(cache_);
    if (policy_ != nullptr) leveldb_filterpolicy_destroy(policy_);
    if (comparator_ != nullptr) leveldb_comparator_destroy(comparator_);
  }

  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  void Run() {
    for (int i = 0; i < kCallsMax && !input_.empty(); ++i) Step();
    CheckAll();
  }

 private:
  struct Snapshot {
    const leveldb_snapshot_t* handle;
    Model model;
  };
  struct Position {
    leveldb_iterator_t* handle;
    Model model;
    Model::iterator at;
  };

  void Open() {
    db_ = leveldb_open(options_, kName, NoError());
    Require(db_ != nullptr, "the database opens");
  }

  void Close() {
    while (!iterators_.empty()) DropIterator(0);
    while (!snapshots_.empty()) DropSnapshot(0);
    leveldb_close(db_);
  }

  std::string Key() { return input_.Bytes(input_.Byte() % 16).ToString(); }
  std::string Value() {
    const uint8_t size = input_.Byte();
    // Long values fill the memtable, so that a table is flushed now and then; their bytes are not
    // part of the input.
    if (size >= 250) return std::string(size * 100, static_cast<char>(size));
    return input_.Bytes(size % 32).ToString();
  }

  void Step() {
    switch (input_.Byte() % 20) {
      case 0:
      case 1:
      case 2:
        return Put();
      case 3:
        return Delete();
      case 4:
        return CheckGet(read_, Key(), model_);
      case 5:
        return PutInBatch();
      case 6:
        return DeleteInBatch();
      case 7:
        return WriteBatchOut();
      case 8:
        leveldb_writebatch_clear(batch_);
        in_batch_.clear();
        return;
      case 9:
        return AppendBatch();
      case 10:
        return TakeSnapshot();
      case 11:
        if (!snapshots_.empty()) DropSnapshot(input_.Byte() % snapshots_.size());
        return;
      case 12:
        return ReadSnapshot();
      case 13:
        return TakeIterator();
      case 14:
        if (!iterators_.empty()) DropIterator(input_.Byte() % iterators_.size());
        return;
      case 15:
      case 16:
        return MoveIterator();
      case 17:
        return Compact();
      case 18:
        return Ask();
      default:
        return Reopen();
    }
  }

  void Put() {
    const std::string key = Key();
    const std::string value = Value();
    leveldb_writeoptions_set_sync(write_, input_.Byte() == 1 ? 1 : 0);
    leveldb_put(db_, write_, key.data(), key.size(), value.data(), value.size(), NoError());
    model_[key] = value;
  }

  void Delete() {
    const std::string key = Key();
    leveldb_delete(db_, write_, key.data(), key.size(), NoError());
    model_.erase(key);
  }

  void CheckGet(const leveldb_readoptions_t* options, const std::string& key, const Model& model) {
    size_t size = 0;
    char* const value = leveldb_get(db_, options, key.data(), key.size(), &size, NoError());
    const auto expected = model.find(key);
    Require((value != nullptr) == (expected != model.end()), "a key is there, or not");
    if (value != nullptr) {
      Require(Slice(value, size) == Slice(expected->second), "it has its value");
    }
    leveldb_free(value);
  }

  void PutInBatch() {
    const std::string key = Key();
    const std::string value = Value();
    leveldb_writebatch_put(batch_, key.data(), key.size(), value.data(), value.size());
    in_batch_.push_back({true, key, value});
  }

  void DeleteInBatch() {
    const std::string key = Key();
    leveldb_writebatch_delete(batch_, key.data(), key.size());
    in_batch_.push_back({false, key, ""});
  }

  void WriteBatchOut() {
    leveldb_write(db_, write_, batch_, NoError());
    for (const Change& change : in_batch_) {
      if (change.is_put) {
        model_[change.key] = change.value;
      } else {
        model_.erase(change.key);
      }
    }
  }

  void AppendBatch() {
    if (in_batch_.size() > 200) return;
    leveldb_writebatch_append(batch_, batch_);
    const std::vector<Change> copy = in_batch_;
    in_batch_.insert(in_batch_.end(), copy.begin(), copy.end());
    size_t found = 0;
    leveldb_writebatch_iterate(
        batch_, &found,
        [](void* state, const char*, size_t, const char*, size_t) {
          ++*static_cast<size_t*>(state);
        },
        [](void* state, const char*, size_t) { ++*static_cast<size_t*>(state); });
    Require(found == in_batch_.size(), "a batch holds what was put into it");
  }

  void TakeSnapshot() {
    if (snapshots_.size() < kHeldMax) {
      snapshots_.push_back({leveldb_create_snapshot(db_), model_});
    }
  }

  void DropSnapshot(size_t i) {
    leveldb_release_snapshot(db_, snapshots_[i].handle);
    snapshots_.erase(snapshots_.begin() + static_cast<ptrdiff_t>(i));
  }

  void ReadSnapshot() {
    if (snapshots_.empty()) return;
    const Snapshot& snapshot = snapshots_[input_.Byte() % snapshots_.size()];
    leveldb_readoptions_t* const options = leveldb_readoptions_create();
    leveldb_readoptions_set_snapshot(options, snapshot.handle);
    leveldb_readoptions_set_fill_cache(options, 0);
    CheckGet(options, Key(), snapshot.model);
    leveldb_readoptions_destroy(options);
  }

  void TakeIterator() {
    if (iterators_.size() >= kHeldMax) return;
    auto position = std::make_unique<Position>();
    position->handle = leveldb_create_iterator(db_, read_);
    position->model = model_;
    position->at = position->model.end();
    iterators_.push_back(std::move(position));
  }

  void DropIterator(size_t i) {
    leveldb_iter_get_error(iterators_[i]->handle, NoError());
    leveldb_iter_destroy(iterators_[i]->handle);
    iterators_.erase(iterators_.begin() + static_cast<ptrdiff_t>(i));
  }

  void MoveIterator() {
    if (iterators_.empty()) return;
    Position& position = *iterators_[input_.Byte() % iterators_.size()];
    const uint8_t move = input_.Byte() % 5;
    const bool is_valid = position.at != position.model.end();
    if (move == 0) {
      leveldb_iter_seek_to_first(position.handle);
      position.at = position.model.begin();
    } else if (move == 1) {
      leveldb_iter_seek_to_last(position.handle);
      position.at = position.model.empty() ? position.model.end() : std::prev(position.model.end());
    } else if (move == 2) {
      const std::string key = Key();
      leveldb_iter_seek(position.handle, key.data(), key.size());
      position.at = position.model.lower_bound(key);
    } else if (is_valid && move == 3) {
      leveldb_iter_next(position.handle);
      ++position.at;
    } else if (is_valid) {
      leveldb_iter_prev(position.handle);
      const bool is_first = position.at == position.model.begin();
      position.at = is_first ? position.model.end() : std::prev(position.at);
    }
    CheckPosition(position);
  }

  static void CheckPosition(const Position& position) {
    const bool is_valid = leveldb_iter_valid(position.handle) != 0;
    Require(is_valid == (position.at != position.model.end()), "an iterator is where it should be");
    if (!is_valid) return;
    size_t size = 0;
    const char* bytes = leveldb_iter_key(position.handle, &size);
    Require(Slice(bytes, size) == Slice(position.at->first), "it shows the key");
    bytes = leveldb_iter_value(position.handle, &size);
    Require(Slice(bytes, size) == Slice(position.at->second), "it shows the value");
  }

  void Compact() {
    const std::string begin = Key();
    const std::string end = Key();
    leveldb_compact_range(db_, begin.empty() ? nullptr : begin.data(), begin.size(),
                          end.empty() ? nullptr : end.data(), end.size());
  }

  void Ask() {
    const std::string name = "leveldb." + input_.ShortString().ToString();
    leveldb_free(leveldb_property_value(db_, name.c_str()));
    for (const char* known : {"leveldb.stats", "leveldb.sstables", "leveldb.num-files-at-level0",
                              "leveldb.approximate-memory-usage"}) {
      char* const text = leveldb_property_value(db_, known);
      Require(text != nullptr, "properties are known");
      leveldb_free(text);
    }
    const std::string begin = Key();
    const std::string end = Key();
    const char* const begins[] = {begin.data()};
    const char* const ends[] = {end.data()};
    const size_t begin_sizes[] = {begin.size()};
    const size_t end_sizes[] = {end.size()};
    uint64_t size = 0;
    leveldb_approximate_sizes(db_, 1, begins, begin_sizes, ends, end_sizes, &size);
    Require(size < (uint64_t{1} << 32), "sizes are sizes");
  }

  void Reopen() {
    const uint8_t how = input_.Byte();
    Close();
    if (how % 4 == 1) leveldb_repair_db(options_, kName, NoError());
    leveldb_options_set_max_open_files(options_, how % 2 == 0 ? 100 : 1000);
    leveldb_options_set_block_size(options_, 64 << (how % 8));
    leveldb_options_set_block_restart_interval(options_, 1 + how % 20);
    Open();
  }

  void CheckAll() {
    leveldb_iterator_t* const iterator = leveldb_create_iterator(db_, read_);
    auto expected = model_.begin();
    leveldb_iter_seek_to_first(iterator);
    for (; leveldb_iter_valid(iterator) != 0; leveldb_iter_next(iterator), ++expected) {
      Require(expected != model_.end(), "nothing is there that was not written");
      size_t size = 0;
      const char* const key = leveldb_iter_key(iterator, &size);
      Require(Slice(key, size) == Slice(expected->first), "everything is there");
    }
    Require(expected == model_.end(), "all of it");
    leveldb_iter_get_error(iterator, NoError());
    leveldb_iter_destroy(iterator);
  }

  struct Change {
    bool is_put;
    std::string key;
    std::string value;
  };

  FuzzInput& input_;
  const std::unique_ptr<Env> memory_;
  leveldb_env_t env_{};
  leveldb_options_t* options_ = nullptr;
  leveldb_comparator_t* comparator_ = nullptr;
  leveldb_filterpolicy_t* policy_ = nullptr;
  leveldb_cache_t* cache_ = nullptr;
  leveldb_readoptions_t* read_ = nullptr;
  leveldb_writeoptions_t* write_ = nullptr;
  leveldb_writebatch_t* batch_ = nullptr;
  std::vector<Change> in_batch_;
  leveldb_t* db_ = nullptr;
  Model model_;
  std::vector<Snapshot> snapshots_;
  std::vector<std::unique_ptr<Position>> iterators_;
};

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  leveldb::fuzz::FuzzInput input(data, size);
  const uint8_t flags = input.Byte();
  leveldb::fuzz::Calls(flags, &input).Run();
  return 0;
}
