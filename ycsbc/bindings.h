// The bindings: the stores that this build can open.
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
  const char* package;  // of Debian; the binding is built if it is installed
  StoreOptions (*read_options)(PropertyReader* reader);
  // The remaining members are null if the package was missing.
  Status (*open)(const StoreOptions& options, std::unique_ptr<Store>* store);
  std::string (*version)();
  const char* symbol;  // a symbol of the library, by which its file is found
};

// Returns all bindings, whether this build has them or not.
const std::vector<Binding>& AllBindings();

// Returns null if there is no binding of that name.
const Binding* FindBinding(const std::string& name);

// Returns a sentence without a full stop if there is no binding of that name, or this build lacks
// it; otherwise "".
std::string FindBindingMistake(const std::string& name);

// Returns what FindBindingMistake returns, or what is wrong with the paths of the store. `dashes`
// is the prefix of options, `path` and `pool` are the names of the options for the paths.
std::string FindStoreMistake(const std::string& name, const StoreOptions& options,
                             const std::string& dashes, const std::string& path,
                             const std::string& pool);

// Returns all names, and which of them this build lacks, for a help text.
std::string BindingWords();

// Reads the options of the store `chosen`, with a pool at `pool_path` unless that is empty. Reads
// those of the other bindings, too, so that a property file may have options for several.
StoreOptions ReadStoreOptions(const std::string& chosen, const std::string& pool_path,
                              PropertyReader* reader);

// Returns the properties that matter for that store, for reports.
std::map<std::string, std::string> PropertiesThatCount(const PropertyReader& reader,
                                                       const std::string& chosen,
                                                       const StoreOptions& options);

// Opens a store. On failure *store is null. REQUIRES: FindBindingMistake(name) returned "".
Status OpenStore(const std::string& name, const StoreOptions& options,
                 std::unique_ptr<Store>* store);

// Removes a store of that binding with everything in its directory, and its pool, if it has one.
Status RemoveStore(const std::string& name, const std::string& path);

// For bindings.cc only. Each function exists only if its package was installed when the build was
// configured.
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
