#include <lmdb.h>

#include <filesystem>
#include <utility>

#include "ycsbc/bindings.h"

namespace leveldb::ycsbc {

namespace {

// Each session has a slot in LMDB's table of readers.
constexpr unsigned kReadersMax = 2048;
constexpr mdb_mode_t kFileMode = 0644;

Status Ours(int code) {
  if (code == MDB_SUCCESS) return Status::OK();
  if (code == MDB_NOTFOUND) return Status::NotFound("lmdb", mdb_strerror(code));
  if (code == MDB_MAP_FULL) {
    return Status::IOError("lmdb.map_size is too small", mdb_strerror(code));
  }
  return Status::IOError("lmdb", mdb_strerror(code));
}

MDB_val Theirs(const Slice& bytes) {
  return {bytes.size(), const_cast<char*>(bytes.data())};
}

Slice Ours(const MDB_val& bytes) {
  return Slice(static_cast<const char*>(bytes.mv_data), bytes.mv_size);
}

// Each read sees the newest state: it renews a reset transaction, which costs less than a new one.
class LmdbSession final : public StoreSession {
 public:
  LmdbSession(MDB_env* environment, MDB_dbi table) : environment_(environment), table_(table) {}

  ~LmdbSession() override {
    if (cursor_ != nullptr) mdb_cursor_close(cursor_);
    if (reader_ != nullptr) mdb_txn_abort(reader_);
  }

  Status Get(const Slice& key, std::string* value) override {
    Status status = BeginRead();
    if (!status.ok()) return status;
    MDB_val their_key = Theirs(key);
    MDB_val their_value{};
    status = Ours(mdb_get(reader_, table_, &their_key, &their_value));
    if (status.ok()) {
      value->assign(static_cast<const char*>(their_value.mv_data), their_value.mv_size);
    }
    mdb_txn_reset(reader_);
    return status;
  }

  Status Put(const Slice& key, const Slice& value) override {
    return Write([&](MDB_txn* writer) { return PutOne(writer, key, value); });
  }

  Status PutAll(const EntryList& entries) override {
    return Write([&](MDB_txn* writer) {
      int code = MDB_SUCCESS;
      for (size_t i = 0; i < entries.size() && code == MDB_SUCCESS; ++i) {
        code = PutOne(writer, entries.key(i), entries.value(i));
      }
      return code;
    });
  }

  Status Delete(const Slice& key) override {
    return Write([&](MDB_txn* writer) {
      MDB_val their_key = Theirs(key);
      const int code = mdb_del(writer, table_, &their_key, nullptr);
      return code == MDB_NOTFOUND ? MDB_SUCCESS : code;
    });
  }

  Status ScanEach(const Slice& start, ScanVisitor* visitor) override {
    return Walk(Theirs(start), MDB_SET_RANGE, MDB_NEXT, visitor);
  }

  Status ScanEachBack(ScanVisitor* visitor) override {
    return Walk(MDB_val{}, MDB_LAST, MDB_PREV, visitor);
  }

 private:
  int PutOne(MDB_txn* writer, const Slice& key, const Slice& value) {
    MDB_val their_key = Theirs(key);
    MDB_val their_value = Theirs(value);
    return mdb_put(writer, table_, &their_key, &their_value, 0);
  }

  // Passes to the visitor the entry that the first operation finds from `key`, and those that the
  // other one finds from there.
  Status Walk(MDB_val key, MDB_cursor_op first, MDB_cursor_op next, ScanVisitor* visitor) {
    Status status = BeginRead();
    if (!status.ok()) return status;
    int code = cursor_ == nullptr ? mdb_cursor_open(reader_, table_, &cursor_)
                                  : mdb_cursor_renew(reader_, cursor_);
    MDB_val value{};
    if (code == MDB_SUCCESS) code = mdb_cursor_get(cursor_, &key, &value, first);
    while (code == MDB_SUCCESS && visitor->Visit(Ours(key), Ours(value))) {
      code = mdb_cursor_get(cursor_, &key, &value, next);
    }
    mdb_txn_reset(reader_);
    return code == MDB_NOTFOUND ? Status::OK() : Ours(code);
  }

  Status BeginRead() {
    if (reader_ != nullptr) return Ours(mdb_txn_renew(reader_));
    return Ours(mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &reader_));
  }

  template <typename Action>
  Status Write(const Action& action) {
    MDB_txn* writer = nullptr;
    int code = mdb_txn_begin(environment_, nullptr, 0, &writer);
    if (code != MDB_SUCCESS) return Ours(code);
    code = action(writer);
    if (code == MDB_SUCCESS) return Ours(mdb_txn_commit(writer));
    mdb_txn_abort(writer);
    return Ours(code);
  }

  MDB_env* const environment_;
  const MDB_dbi table_;
  MDB_txn* reader_ = nullptr;
  MDB_cursor* cursor_ = nullptr;
};

class LmdbStore final : public Store {
 public:
  ~LmdbStore() override {
    if (environment_ != nullptr) mdb_env_close(environment_);
  }

  Status Open(const StoreOptions& options) {
    int code = mdb_env_create(&environment_);
    if (code == MDB_SUCCESS) code = mdb_env_set_mapsize(environment_, options.lmdb.map_size);
    if (code == MDB_SUCCESS) code = mdb_env_set_maxreaders(environment_, kReadersMax);
    // Without MDB_NOSYNC a commit is on the medium when it returns; with it, it has been handed to
    // the system, and survives a kill of the process.
    const unsigned flags = MDB_NOTLS | (options.sync ? 0U : unsigned{MDB_NOSYNC});
    if (code == MDB_SUCCESS) {
      code = mdb_env_open(environment_, options.path.c_str(), flags, kFileMode);
    }
    return code == MDB_SUCCESS ? OpenTable() : Ours(code);
  }

  std::unique_ptr<StoreSession> NewSession() override {
    return std::make_unique<LmdbSession>(environment_, table_);
  }

  std::string Statistics() override {
    MDB_stat stat{};
    MDB_envinfo info{};
    if (mdb_env_stat(environment_, &stat) != MDB_SUCCESS ||
        mdb_env_info(environment_, &info) != MDB_SUCCESS) {
      return "";
    }
    return "entries " + std::to_string(stat.ms_entries) + "\ndepth " +
           std::to_string(stat.ms_depth) + "\nbranch-pages " +
           std::to_string(stat.ms_branch_pages) + "\nleaf-pages " +
           std::to_string(stat.ms_leaf_pages) + "\noverflow-pages " +
           std::to_string(stat.ms_overflow_pages) + "\npages-used " +
           std::to_string(info.me_last_pgno + 1) + "\npage-bytes " + std::to_string(stat.ms_psize) +
           "\n";
  }

 private:
  Status OpenTable() {
    MDB_txn* writer = nullptr;
    int code = mdb_txn_begin(environment_, nullptr, 0, &writer);
    if (code != MDB_SUCCESS) return Ours(code);
    code = mdb_dbi_open(writer, nullptr, 0, &table_);
    if (code == MDB_SUCCESS) return Ours(mdb_txn_commit(writer));
    mdb_txn_abort(writer);
    return Ours(code);
  }

  MDB_env* environment_ = nullptr;
  MDB_dbi table_ = 0;
};

}  // namespace

Status OpenLmdb(const StoreOptions& options, std::unique_ptr<Store>* store) {
  std::error_code ignored;  // then it is not there
  if (!options.create && !std::filesystem::exists(options.path + "/data.mdb", ignored)) {
    return Status::InvalidArgument(options.path, "does not exist");
  }
  auto opened = std::make_unique<LmdbStore>();
  const Status status = opened->Open(options);
  if (status.ok()) *store = std::move(opened);
  return status;
}

std::string LmdbVersion() {
  return std::to_string(MDB_VERSION_MAJOR) + "." + std::to_string(MDB_VERSION_MINOR) + "." +
         std::to_string(MDB_VERSION_PATCH);
}

}  // namespace leveldb::ycsbc
