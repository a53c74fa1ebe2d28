#include "ycsbc/bindings.h"

#include <filesystem>
#include <system_error>

#include "leveldb/db.h"

namespace leveldb::ycsbc {

namespace {

bool ConcernsOtherBinding(const std::string& property, const std::string& chosen) {
  for (const Binding& binding : AllBindings()) {
    if (chosen != binding.name && property.rfind(std::string(binding.name) + ".", 0) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

const std::vector<Binding>& AllBindings() {
  static const std::vector<Binding> bindings = {
    {"leveldb", "libleveldb1d", &ReadLevelDbOptions, &OpenLevelDb, &LevelDbVersion, "leveldb_open"},
#if defined(BUSHSTORE_HAVE_ROCKSDB)
    {"rocksdb", "librocksdb-dev", &ReadRocksDbOptions, &OpenRocksDb, &RocksDbVersion,
     "rocksdb_open"},
#else
    {"rocksdb", "librocksdb-dev", &ReadRocksDbOptions, nullptr, nullptr, nullptr},
#endif
#if defined(BUSHSTORE_HAVE_LMDB)
    {"lmdb", "liblmdb-dev", &ReadLmdbOptions, &OpenLmdb, &LmdbVersion, "mdb_env_create"},
#else
    {"lmdb", "liblmdb-dev", &ReadLmdbOptions, nullptr, nullptr, nullptr},
#endif
#if defined(BUSHSTORE_HAVE_WIREDTIGER)
    {"wiredtiger", "libwiredtiger-dev", &ReadWiredTigerOptions, &OpenWiredTiger, &WiredTigerVersion,
     "wiredtiger_open"},
#else
    {"wiredtiger", "libwiredtiger-dev", &ReadWiredTigerOptions, nullptr, nullptr, nullptr},
#endif
  };
  return bindings;
}

const Binding* FindBinding(const std::string& name) {
  for (const Binding& binding : AllBindings()) {
    if (name == binding.name) return &binding;
  }
  return nullptr;
}

std::string FindBindingMistake(const std::string& name) {
  const Binding* const binding = FindBinding(name);
  if (binding == nullptr) {
    std::string names;
    for (const Binding& known : AllBindings()) {
      names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    return "there is no store \"" + name + "\"; -db takes one of " + names;
  }
  if (binding->open != nullptr) return "";
  return "this build has no " + name + ": install " + binding->package +
         ", run cmake again and build";
}

std::string FindStoreMistake(const std::string& name, const StoreOptions& options,
                             const std::string& dashes, const std::string& path,
                             const std::string& pool) {
  const std::string bad_binding = FindBindingMistake(name);
  if (!bad_binding.empty()) return bad_binding;
  if (options.path.empty()) {
    return dashes + path + " is missing: say in which directory the store is";
  }
  if (options.leveldb.use_pm && name != "leveldb") {
    return dashes + pool + " is for " + dashes + "db leveldb; " + name + " has no use for it";
  }
  return "";
}

std::string BindingWords() {
  std::string words;
  for (const Binding& binding : AllBindings()) {
    words += std::string(" ") + binding.name + (binding.open == nullptr ? " (not built)" : "");
  }
  return words;
}

StoreOptions ReadStoreOptions(const std::string& chosen, const std::string& pool_path,
                              PropertyReader* reader) {
  StoreOptions options;
  for (const Binding& binding : AllBindings()) {
    const StoreOptions read = binding.read_options(reader);
    if (chosen == binding.name) options = read;
  }
  options.leveldb.use_pm = !pool_path.empty();
  options.leveldb.pmem.path = pool_path;
  options.leveldb.pmem.convert = true;  // a run that names a tier accepts the conversion
  return options;
}

std::map<std::string, std::string> PropertiesThatCount(const PropertyReader& reader,
                                                       const std::string& chosen,
                                                       const StoreOptions& options) {
  std::map<std::string, std::string> properties;
  for (const auto& [name, value] : reader.values()) {
    if (!ConcernsOtherBinding(name, chosen)) properties[name] = value;
  }
  if (!options.leveldb.use_pm) {
    for (const std::string& name : TierProperties()) properties.erase(name);
  }
  return properties;
}

Status OpenStore(const std::string& name, const StoreOptions& options,
                 std::unique_ptr<Store>* store) {
  store->reset();
  return FindBinding(name)->open(options, store);
}

Status RemoveStore(const std::string& name, const std::string& path) {
  if (name == "leveldb") {
    const Status status = DestroyDB(path, Options());
    if (!status.ok()) return status;
  }
  std::error_code error;
  for (std::filesystem::directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    std::filesystem::remove_all(at->path(), error);
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return Status::IOError(path, error.message());
  }
  return Status::OK();
}

}  // namespace leveldb::ycsbc
