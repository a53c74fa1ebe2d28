// LoadedLibrary is a library with LevelDB's C interface that is loaded in addition to others: its
// functions are looked up by name, so that one process can call several libraries, each with
// databases of its own.
#ifndef BUSHSTORE_BENCHMARKS_PAIRS_LOADED_LIBRARY_H_
#define BUSHSTORE_BENCHMARKS_PAIRS_LOADED_LIBRARY_H_

#include <cstddef>
#include <memory>
#include <string>

#include "leveldb/c.h"
#include "leveldb/slice.h"

namespace leveldb::bench {

// The library stays loaded until the process ends: its background threads may need its code.
class LoadedLibrary {
 public:
  // Returns null if the library cannot be loaded, or lacks a function; *mistake is the error as a
  // sentence without a full stop.
  static std::unique_ptr<LoadedLibrary> Load(const std::string& path, std::string* mistake);

  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;

  const std::string& path() const { return path_; }

 private:
  friend class LoadedDatabase;

  struct Functions {
    decltype(&leveldb_open) open;
    decltype(&leveldb_close) close;
    decltype(&leveldb_put) put;
    decltype(&leveldb_get) get;
    decltype(&leveldb_free) free;
    decltype(&leveldb_options_create) options_create;
    decltype(&leveldb_options_destroy) options_destroy;
    decltype(&leveldb_options_set_create_if_missing) set_create_if_missing;
    decltype(&leveldb_options_set_write_buffer_size) set_write_buffer_size;
    decltype(&leveldb_options_set_compression) set_compression;
    decltype(&leveldb_options_set_cache) set_cache;
    decltype(&leveldb_options_set_filter_policy) set_filter_policy;
    decltype(&leveldb_cache_create_lru) cache_create_lru;
    decltype(&leveldb_cache_destroy) cache_destroy;
    decltype(&leveldb_filterpolicy_create_bloom) filterpolicy_create_bloom;
    decltype(&leveldb_filterpolicy_destroy) filterpolicy_destroy;
    decltype(&leveldb_writeoptions_create) writeoptions_create;
    decltype(&leveldb_writeoptions_destroy) writeoptions_destroy;
    decltype(&leveldb_readoptions_create) readoptions_create;
    decltype(&leveldb_readoptions_destroy) readoptions_destroy;
    decltype(&leveldb_create_iterator) create_iterator;
    decltype(&leveldb_iter_destroy) iter_destroy;
    decltype(&leveldb_iter_seek_to_first) iter_seek_to_first;
    decltype(&leveldb_iter_seek_to_last) iter_seek_to_last;
    decltype(&leveldb_iter_seek) iter_seek;
    decltype(&leveldb_iter_next) iter_next;
    decltype(&leveldb_iter_prev) iter_prev;
    decltype(&leveldb_iter_valid) iter_valid;
    decltype(&leveldb_iter_key) iter_key;
    decltype(&leveldb_iter_value) iter_value;
    decltype(&leveldb_iter_get_error) iter_get_error;
  };

  LoadedLibrary(const std::string& path, const Functions& functions)
      : path_(path), functions_(functions) {}

  const std::string path_;
  const Functions functions_;
};

// LoadedDatabase is an open database of a loaded library. It is used by one thread, while another
// one may call Put.
class LoadedDatabase {
 public:
  struct Settings {
    size_t write_buffer_size;
    size_t cache_size;
    int bloom_bits;
  };

  // Creates the database if it does not exist. Returns null on failure, with *mistake as above.
  // `library` must outlive the database.
  static std::unique_ptr<LoadedDatabase> Open(const LoadedLibrary* library,
                                              const std::string& directory,
                                              const Settings& settings, std::string* mistake);
  ~LoadedDatabase();

  LoadedDatabase(const LoadedDatabase&) = delete;
  LoadedDatabase& operator=(const LoadedDatabase&) = delete;

  const LoadedLibrary& library() const { return *library_; }

  // Returns an error, or "".
  std::string Put(const Slice& key, const Slice& value);

  // Returns an error, or ""; sets *size to that of the value, or to kNotFound if the key does not
  // exist.
  static constexpr size_t kNotFound = ~size_t{0};
  std::string Get(const Slice& key, size_t* size);

  // Return an error, or "". Move to the next or the previous entry of a scan, to the first or the
  // last one of a new scan, or to the first one at or after `target` of the current scan, or of a
  // new one. A scan sees the database at its beginning. REQUIRES, for ScanNext and ScanPrev: there
  // was an entry. Key and value are valid until the next call; the key is empty after the last
  // entry.
  std::string ScanFirst(Slice* key, Slice* value);
  std::string ScanLast(Slice* key, Slice* value);
  std::string ScanFrom(const Slice& target, Slice* key, Slice* value);
  std::string ScanNext(Slice* key, Slice* value);
  std::string ScanPrev(Slice* key, Slice* value);

  // Ends the current scan, if there is one.
  void EndScan();

 private:
  LoadedDatabase(const LoadedLibrary* library, const Settings& settings);

  std::string TakeError(char* error) const;
  void BeginScan();
  std::string ShowScanned(Slice* key, Slice* value) const;

  const LoadedLibrary* const library_;
  leveldb_cache_t* const cache_;
  leveldb_filterpolicy_t* const filter_policy_;  // null: none
  leveldb_options_t* const options_;
  leveldb_writeoptions_t* const write_options_;
  leveldb_readoptions_t* const read_options_;
  leveldb_t* db_ = nullptr;
  leveldb_iterator_t* scan_ = nullptr;  // the current scan
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_PAIRS_LOADED_LIBRARY_H_
