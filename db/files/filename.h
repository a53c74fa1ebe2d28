// Defines the names of the files in a database directory, and switches CURRENT.
//
//   CURRENT            text: the name of the live manifest and one newline
//   LOCK               held with a POSIX record lock while the database is open
//   LOG, LOG.old       the info log of this open and of the one before
//   MANIFEST-NNNNNN    the version log
//   NNNNNN.log         a write-ahead log
//   NNNNNN.ldb         a table (NNNNNN.sst in old directories: read, never made)
//   NNNNNN.dbtmp       a temporary file
//   PMEM               text: where the pool of a database with the persistent-memory tier is
//
// Numbers are decimal, padded to six digits, and all kinds of files share one counter.

#ifndef BUSHSTORE_DB_FILES_FILENAME_H_
#define BUSHSTORE_DB_FILES_FILENAME_H_

#include <cstdint>
#include <string>

#include "leveldb/status.h"

namespace leveldb {

class Env;

enum FileType {
  kLogFile,
  kLockFile,
  kTableFile,
  kManifestFile,
  kCurrentFile,
  kTempFile,
  kInfoLogFile,
};

// Each returns the whole path of a file of the database in directory `dbname`.
// REQUIRES: number > 0 where there is one.
std::string LogFileName(const std::string& dbname, uint64_t number);
std::string TableFileName(const std::string& dbname, uint64_t number);
std::string LegacyTableFileName(const std::string& dbname, uint64_t number);
std::string ManifestFileName(const std::string& dbname, uint64_t number);
std::string TempFileName(const std::string& dbname, uint64_t number);
std::string CurrentFileName(const std::string& dbname);
std::string LockFileName(const std::string& dbname);
std::string InfoLogFileName(const std::string& dbname);
std::string OldInfoLogFileName(const std::string& dbname);
std::string PmemFileName(const std::string& dbname);

// Determines the kind of the file `name` (no directory part) of a database directory. Returns
// false, and leaves the results unchanged, for any name that a database does not use. *number is 0
// for the kinds without a number. PMEM is not one of these kinds: only code that manages the pool
// uses it.
bool ParseFileName(const std::string& name, uint64_t* number, FileType* type);

// Makes CURRENT name manifest `manifest_number`: writes a temporary file, syncs it and renames it
// over CURRENT (the Env's rename makes the directory durable). After an error CURRENT names either
// the old or the new manifest, so both must be kept.
Status SetCurrentFile(Env* env, const std::string& dbname, uint64_t manifest_number);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_FILES_FILENAME_H_
