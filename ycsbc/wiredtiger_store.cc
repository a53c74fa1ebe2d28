#include <wiredtiger.h>

#include <string>
#include <utility>

#include "ycsbc/bindings.h"

namespace leveldb::ycsbc {

namespace {

constexpr char kTable[] = "table:records";
constexpr char kSessionsMax[] = "2048";
// Checkpoints limit the size of the log.
constexpr char kCheckpoints[] = "checkpoint=(wait=60,log_size=1GB)";

Status Ours(int code) {
  if (code == 0) return Status::OK();
  if (code == WT_NOTFOUND) return Status::NotFound("wiredtiger", wiredtiger_strerror(code));
  return Status::IOError("wiredtiger", wiredtiger_strerror(code));
}

WT_ITEM Theirs(const Slice& bytes) {
  WT_ITEM item{};
  item.data = bytes.data();
  item.size = bytes.size();
  return item;
}

Slice Ours(const WT_ITEM& item) {
  return Slice(static_cast<const char*>(item.data), item.size);
}

class WiredTigerSession final : public StoreSession {
 public:
  explicit WiredTigerSession(WT_CONNECTION* connection) {
    opened_ = connection->open_session(connection, nullptr, nullptr, &session_);
    if (opened_ == 0) {
      opened_ = session_->open_cursor(session_, kTable, nullptr, nullptr, &cursor_);
    }
  }

  ~WiredTigerSession() override {
    if (session_ != nullptr) session_->close(session_, nullptr);  // and its cursor
  }

  Status Get(const Slice& key, std::string* value) override {
    return Try([&] {
      SetKey(key);
      int code = cursor_->search(cursor_);
      WT_ITEM found{};
      if (code == 0) code = cursor_->get_value(cursor_, &found);
      if (code == 0) value->assign(static_cast<const char*>(found.data), found.size);
      return code;
    });
  }

  // A cursor overwrites existing values unless it is opened otherwise.
  Status Put(const Slice& key, const Slice& value) override {
    return Try([&] { return PutOne(key, value); });
  }

  Status PutAll(const EntryList& entries) override {
    return Try([&] {
      int code = session_->begin_transaction(session_, nullptr);
      if (code != 0) return code;
      for (size_t i = 0; i < entries.size() && code == 0; ++i) {
        code = PutOne(entries.key(i), entries.value(i));
      }
      if (code == 0) return session_->commit_transaction(session_, nullptr);
      session_->rollback_transaction(session_, nullptr);
      return code;
    });
  }

  Status Delete(const Slice& key) override {
    return Try([&] {
      SetKey(key);
      const int code = cursor_->remove(cursor_);
      return code == WT_NOTFOUND ? 0 : code;
    });
  }

  Status ScanEach(const Slice& start, ScanVisitor* visitor) override {
    return Walk(start.ToString(), /*is_back=*/false, visitor);
  }

  Status ScanEachBack(ScanVisitor* visitor) override { return Walk("", /*is_back=*/true, visitor); }

 private:
  using Step = int (*)(WT_CURSOR* cursor);

  // Passes the entries from `from` on to the visitor, or all if that is empty. If it has to begin
  // again, it continues after the last entry that was visited.
  Status Walk(std::string from, bool is_back, ScanVisitor* visitor) {
    bool from_is_seen = false;
    return Try([&] {
      const Step step = is_back ? cursor_->prev : cursor_->next;
      int code = from.empty() ? step(cursor_) : SearchFrom(from, from_is_seen, step, is_back);
      while (code == 0) {
        WT_ITEM key{};
        WT_ITEM value{};
        code = cursor_->get_key(cursor_, &key);
        if (code == 0) code = cursor_->get_value(cursor_, &value);
        if (code != 0) break;
        from.assign(static_cast<const char*>(key.data), key.size);
        from_is_seen = true;
        if (!visitor->Visit(Ours(key), Ours(value))) break;
        code = step(cursor_);
      }
      return code == WT_NOTFOUND ? 0 : code;
    });
  }

  int SearchFrom(const Slice& from, bool from_is_seen, Step step, bool is_back) {
    SetKey(from);
    int exact = 0;
    const int code = cursor_->search_near(cursor_, &exact);
    const bool is_on_the_wrong_side = is_back ? exact > 0 : exact < 0;
    const bool is_wanted = !is_on_the_wrong_side && (exact != 0 || !from_is_seen);
    return code == 0 && !is_wanted ? step(cursor_) : code;
  }

  int PutOne(const Slice& key, const Slice& value) {
    SetKey(key);
    const WT_ITEM item = Theirs(value);
    cursor_->set_value(cursor_, &item);
    return cursor_->insert(cursor_);
  }

  void SetKey(const Slice& key) {
    const WT_ITEM item = Theirs(key);
    cursor_->set_key(cursor_, &item);
  }

  // Repeats an operation if WiredTiger requires it. Releases the cursor's page afterwards, so that
  // it may be evicted.
  template <typename Action>
  Status Try(const Action& action) {
    if (opened_ != 0) return Ours(opened_);
    int code = 0;
    do {
      code = action();
      const int reset = cursor_->reset(cursor_);
      if (code == 0) code = reset;
    } while (code == WT_ROLLBACK);
    return Ours(code);
  }

  int opened_ = 0;
  WT_SESSION* session_ = nullptr;
  WT_CURSOR* cursor_ = nullptr;
};

class WiredTigerStore final : public Store {
 public:
  ~WiredTigerStore() override {
    if (connection_ != nullptr) connection_->close(connection_, nullptr);
  }

  Status Open(const StoreOptions& options) {
    // Without sync a write has been handed to the system when it returns, and survives a kill of
    // the process.
    std::string config = "session_max=" + std::string(kSessionsMax) + "," + kCheckpoints +
                         ",log=(enabled=true),transaction_sync=(enabled=true,method=" +
                         (options.sync ? "fsync" : "none") +
                         "),statistics=(fast),cache_size=" + std::to_string(options.cache_size);
    if (options.create) config += ",create";
    std::string compressor = "none";
    if (options.compression == kSnappyCompression) {
      compressor = "snappy";
      config += ",extensions=[libwiredtiger_snappy.so]";
    }
    const int code = wiredtiger_open(options.path.c_str(), nullptr, config.c_str(), &connection_);
    return code == 0 ? MakeTable(compressor) : Ours(code);
  }

  std::unique_ptr<StoreSession> NewSession() override {
    return std::make_unique<WiredTigerSession>(connection_);
  }

  std::string Statistics() override {
    WT_SESSION* session = nullptr;
    if (connection_->open_session(connection_, nullptr, nullptr, &session) != 0) return "";
    WT_CURSOR* cursor = nullptr;
    std::string text;
    if (session->open_cursor(session, "statistics:", nullptr, "statistics=(fast)", &cursor) == 0) {
      const char* words = nullptr;
      const char* value = nullptr;
      uint64_t number = 0;
      while (cursor->next(cursor) == 0 && cursor->get_value(cursor, &words, &value, &number) == 0) {
        text += std::string(words) + ": " + value + "\n";
      }
    }
    session->close(session, nullptr);
    return text;
  }

 private:
  Status MakeTable(const std::string& compressor) {
    WT_SESSION* session = nullptr;
    int code = connection_->open_session(connection_, nullptr, nullptr, &session);
    if (code != 0) return Ours(code);
    const std::string config = "key_format=u,value_format=u,block_compressor=" + compressor;
    code = session->create(session, kTable, config.c_str());
    const int closed = session->close(session, nullptr);
    return Ours(code != 0 ? code : closed);
  }

  WT_CONNECTION* connection_ = nullptr;
};

}  // namespace

Status OpenWiredTiger(const StoreOptions& options, std::unique_ptr<Store>* store) {
  if (options.compression == kZstdCompression) {
    return Status::NotSupported("wiredtiger.compression", "its package has no zstd");
  }
  auto opened = std::make_unique<WiredTigerStore>();
  const Status status = opened->Open(options);
  if (status.ok()) *store = std::move(opened);
  return status;
}

std::string WiredTigerVersion() {
  return std::to_string(WIREDTIGER_VERSION_MAJOR) + "." + std::to_string(WIREDTIGER_VERSION_MINOR) +
         "." + std::to_string(WIREDTIGER_VERSION_PATCH);
}

}  // namespace leveldb::ycsbc
