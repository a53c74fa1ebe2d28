#include "benchmarks/pairs/loaded_library.h"

#include <dlfcn.h>

#include "util/text.h"

namespace leveldb::bench {

namespace {

// Symbols looks functions up; `missing` names the first one that is missing.
class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  template <class Function>
  void Find(const char* name, Function* function) {
    void* const address = dlsym(library_, name);
    if (address == nullptr && missing_.empty()) missing_ = name;
    *function = reinterpret_cast<Function>(address);
  }

  const std::string& missing() const { return missing_; }

 private:
  void* const library_;
  std::string missing_;
};

}  // namespace

std::unique_ptr<LoadedLibrary> LoadedLibrary::Load(const std::string& path, std::string* mistake) {
  // The program itself has none of these names, and a library loaded like this exports none to
  // others. A name without a slash would be searched for in the library path.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    *mistake = "cannot load " + Escaped(path) + ": " + dlerror();
    return nullptr;
  }
  Symbols symbols(library);
  Functions functions;
  symbols.Find("leveldb_open", &functions.open);
  symbols.Find("leveldb_close", &functions.close);
  symbols.Find("leveldb_put", &functions.put);
  symbols.Find("leveldb_get", &functions.get);
  symbols.Find("leveldb_free", &functions.free);
  symbols.Find("leveldb_options_create", &functions.options_create);
  symbols.Find("leveldb_options_destroy", &functions.options_destroy);
  symbols.Find("leveldb_options_set_create_if_missing", &functions.set_create_if_missing);
  symbols.Find("leveldb_options_set_write_buffer_size", &functions.set_write_buffer_size);
  symbols.Find("leveldb_options_set_compression", &functions.set_compression);
  symbols.Find("leveldb_options_set_cache", &functions.set_cache);
  symbols.Find("leveldb_options_set_filter_policy", &functions.set_filter_policy);
  symbols.Find("leveldb_cache_create_lru", &functions.cache_create_lru);
  symbols.Find("leveldb_cache_destroy", &functions.cache_destroy);
  symbols.Find("leveldb_filterpolicy_create_bloom", &functions.filterpolicy_create_bloom);
  symbols.Find("leveldb_filterpolicy_destroy", &functions.filterpolicy_destroy);
  symbols.Find("leveldb_writeoptions_create", &functions.writeoptions_create);
  symbols.Find("leveldb_writeoptions_destroy", &functions.writeoptions_destroy);
  symbols.Find("leveldb_readoptions_create", &functions.readoptions_create);
  symbols.Find("leveldb_readoptions_destroy", &functions.readoptions_destroy);
  symbols.Find("leveldb_create_iterator", &functions.create_iterator);
  symbols.Find("leveldb_iter_destroy", &functions.iter_destroy);
  symbols.Find("leveldb_iter_seek_to_first", &functions.iter_seek_to_first);
  symbols.Find("leveldb_iter_seek_to_last", &functions.iter_seek_to_last);
  symbols.Find("leveldb_iter_seek", &functions.iter_seek);
  symbols.Find("leveldb_iter_next", &functions.iter_next);
  symbols.Find("leveldb_iter_prev", &functions.iter_prev);
  symbols.Find("leveldb_iter_valid", &functions.iter_valid);
  symbols.Find("leveldb_iter_key", &functions.iter_key);
  symbols.Find("leveldb_iter_value", &functions.iter_value);
  symbols.Find("leveldb_iter_get_error", &functions.iter_get_error);
  if (!symbols.missing().empty()) {
    *mistake = Escaped(path) + " is no LevelDB: it has no " + symbols.missing();
    return nullptr;
  }
  return std::unique_ptr<LoadedLibrary>(new LoadedLibrary(path, functions));
}

std::unique_ptr<LoadedDatabase> LoadedDatabase::Open(const LoadedLibrary* library,
                                                     const std::string& directory,
                                                     const Settings& settings,
                                                     std::string* mistake) {
  std::unique_ptr<LoadedDatabase> database(new LoadedDatabase(library, settings));
  char* error = nullptr;
  database->db_ = library->functions_.open(database->options_, directory.c_str(), &error);
  *mistake = database->TakeError(error);
  if (database->db_ == nullptr) database.reset();
  return database;
}

LoadedDatabase::LoadedDatabase(const LoadedLibrary* library, const Settings& settings)
    : library_(library),
      cache_(library->functions_.cache_create_lru(settings.cache_size)),
      filter_policy_(settings.bloom_bits > 0
                         ? library->functions_.filterpolicy_create_bloom(settings.bloom_bits)
                         : nullptr),
      options_(library->functions_.options_create()),
      write_options_(library->functions_.writeoptions_create()),
      read_options_(library->functions_.readoptions_create()) {
  const LoadedLibrary::Functions& functions = library->functions_;
  functions.set_create_if_missing(options_, 1);
  functions.set_write_buffer_size(options_, settings.write_buffer_size);
  functions.set_compression(options_, leveldb_no_compression);
  functions.set_cache(options_, cache_);
  if (filter_policy_ != nullptr) functions.set_filter_policy(options_, filter_policy_);
}

LoadedDatabase::~LoadedDatabase() {
  const LoadedLibrary::Functions& functions = library_->functions_;
  EndScan();
  if (db_ != nullptr) functions.close(db_);
  functions.readoptions_destroy(read_options_);
  functions.writeoptions_destroy(write_options_);
  functions.options_destroy(options_);
  if (filter_policy_ != nullptr) functions.filterpolicy_destroy(filter_policy_);
  functions.cache_destroy(cache_);
}

std::string LoadedDatabase::TakeError(char* error) const {
  if (error == nullptr) return "";
  const std::string text = library_->path() + ": " + error;
  library_->functions_.free(error);
  return text;
}

std::string LoadedDatabase::Put(const Slice& key, const Slice& value) {
  char* error = nullptr;
  library_->functions_.put(db_, write_options_, key.data(), key.size(), value.data(), value.size(),
                           &error);
  return TakeError(error);
}

std::string LoadedDatabase::Get(const Slice& key, size_t* size) {
  char* error = nullptr;
  char* const value =
      library_->functions_.get(db_, read_options_, key.data(), key.size(), size, &error);
  if (value == nullptr) {
    *size = kNotFound;
  } else {
    library_->functions_.free(value);
  }
  return TakeError(error);
}

std::string LoadedDatabase::ScanFirst(Slice* key, Slice* value) {
  EndScan();
  BeginScan();
  library_->functions_.iter_seek_to_first(scan_);
  return ShowScanned(key, value);
}

std::string LoadedDatabase::ScanLast(Slice* key, Slice* value) {
  EndScan();
  BeginScan();
  library_->functions_.iter_seek_to_last(scan_);
  return ShowScanned(key, value);
}

std::string LoadedDatabase::ScanFrom(const Slice& target, Slice* key, Slice* value) {
  if (scan_ == nullptr) BeginScan();
  library_->functions_.iter_seek(scan_, target.data(), target.size());
  return ShowScanned(key, value);
}

void LoadedDatabase::BeginScan() {
  scan_ = library_->functions_.create_iterator(db_, read_options_);
}

void LoadedDatabase::EndScan() {
  if (scan_ != nullptr) library_->functions_.iter_destroy(scan_);
  scan_ = nullptr;
}

std::string LoadedDatabase::ScanNext(Slice* key, Slice* value) {
  library_->functions_.iter_next(scan_);
  return ShowScanned(key, value);
}

std::string LoadedDatabase::ScanPrev(Slice* key, Slice* value) {
  library_->functions_.iter_prev(scan_);
  return ShowScanned(key, value);
}

std::string LoadedDatabase::ShowScanned(Slice* key, Slice* value) const {
  const LoadedLibrary::Functions& functions = library_->functions_;
  *key = *value = Slice();
  if (!functions.iter_valid(scan_)) {
    char* error = nullptr;
    functions.iter_get_error(scan_, &error);
    return TakeError(error);
  }
  size_t size;
  const char* data = functions.iter_key(scan_, &size);
  *key = Slice(data, size);
  data = functions.iter_value(scan_, &size);
  *value = Slice(data, size);
  return "";
}

}  // namespace leveldb::bench
