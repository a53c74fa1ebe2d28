// The stores that this build can open.
#ifndef BUSHSTORE_YCSBC_BINDINGS_H_
#define BUSHSTORE_YCSBC_BINDINGS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/status.h"
#include "ycsbc/property_reader.h"
#include "ycsbc/store.h"
#include "ycsbc/store_options.h"

namespace leveldb::ycsbc {

struct Binding {
  const char* name;     // on the command line and before its options
  const char* package;  // of Debian, which brings it into the build
  StoreOptions (*read_options)(PropertyReader* reader);
  // The rest is null where the build lacks the package.
  Status (*open)(const StoreOptions& options, std::unique_ptr<Store>* store);
  std::string (*version)();
  const char* symbol;  // one of the library's, by which its file is found
};

// All of them, whether this build has them or not.
const std::vector<Binding>& AllBindings();

// Null if there is none of that name.
const Binding* FindBinding(const std::string& name);

// What is wrong with that name as a sentence without a full stop, or "": there is no such binding,
// or this build lacks it.
std::string FindBindingMistake(const std::string& name);

// The same, and what is wrong with the store's place. `dashes` are what options begin with, `path`
// and `pool` the names of those that say where.
std::string FindStoreMistake(const std::string& name, const StoreOptions& options,
                             const std::string& dashes, const std::string& path,
                             const std::string& pool);

// All names with what this build lacks, for a help text.
std::string BindingWords();

// The options of the store `chosen`, with a pool at `pool_path` unless that is empty. Those of the
// other bindings are read, too, so that a property file may have them for several.
StoreOptions ReadStoreOptions(const std::string& chosen, const std::string& pool_path,
                              PropertyReader* reader);

// Of all that was read, what makes a difference to that store: for reports.
std::map<std::string, std::string> PropertiesThatCount(const PropertyReader& reader,
                                                       const std::string& chosen,
                                                       const StoreOptions& options);

// Opens a store. On failure *store is null. REQUIRES: FindBindingMistake(name) found none.
Status OpenStore(const std::string& name, const StoreOptions& options,
                 std::unique_ptr<Store>* store);

// Removes a store of that binding with everything in its directory, and the pool of one that has
// one.
Status RemoveStore(const std::string& name, const std::string& path);

// For bindings.cc; each is there only if its package was when the build was configured.
Status OpenLevelDb(const StoreOptions& options, std::unique_ptr<Store>* store);
std::string LevelDbVersion();
Status OpenRocksDb(const StoreOptions& options, std::unique_ptr<Store>* store);
std::string RocksDbVersion();
Status OpenLmdb(const StoreOptions& options, std::unique_ptr<Store>* store);
std::string LmdbVersion();
Status OpenWiredTiger(const StoreOptions& options, std::unique_ptr<Store>* store);
std::string WiredTigerVersion();

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_BINDINGS_H_
