// The text file PMEM in a database directory, which names the database's pool.
//
//   # The newest data of this database is in the pool named below. A copy of this directory
//   # without that pool is of no use: see `bushstore backup`.
//   format 1
//   pool /mnt/pmem/db-0123456789abcdef.set
//   id 00112233445566778899aabbccddeeff
//   size 1073741824
//   assume_pmem 0
//   state used
//
// Lines that begin with # are comments; each of the other lines occurs once, in any order. `pool`
// is an absolute path, which has to be changed here when the pool is moved. `size` is the maximum
// size of the pool in bytes. `assume_pmem` is 1 if that option was given, and 2 with
// `assume_pmem_anywhere`.
//
// `state` distinguishes a pool that the manifest must name from one that it need not name:
//
//   new        written before the pool is created; the manifest does not name the tier yet. If it
//              still does not at the next open, the pool holds no acknowledged write.
//   used       written once the manifest names the tier. If it does not, the directory is
//              inconsistent, and is refused.
//   leaving    written before a manifest that no longer names the tier. If that manifest is current
//              at the next open, everything in the pool is also in tables.
//   aside      like leaving, written by a repair, which sets the pool aside.
#ifndef BUSHSTORE_DB_OPEN_PMEM_FILE_H_
#define BUSHSTORE_DB_OPEN_PMEM_FILE_H_

#include <cstdint>
#include <string>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

struct PmemFile {
  enum State { kNew, kUsed, kLeaving, kAside };

  std::string pool;  // absolute path
  std::string id;    // of the pool, 32 hexadecimal digits
  uint64_t size = 0;
  bool assume_pmem = false;
  bool assume_pmem_anywhere = false;  // without effect unless assume_pmem is set
  State state = kNew;
};

std::string EncodePmemFile(const PmemFile& file);

// Returns Corruption that names the invalid line, or what is missing.
Status DecodePmemFile(const Slice& text, PmemFile* file);

// Returns whether a path can be stored in a PMEM file: it is absolute and has no control
// characters.
bool FitsPmemFile(const std::string& path);

// Reads the PMEM file of `dbname`. Returns NotFound if there is none.
Status ReadPmemFile(Env* env, const std::string& dbname, PmemFile* file);

// Replaces the PMEM file of `dbname` by `file`, atomically and durably. After an error the
// directory has either the old or the new file.
Status WritePmemFile(Env* env, const std::string& dbname, const PmemFile& file);

// Removes the PMEM file and what an interrupted WritePmemFile has left. Returns OK if there is
// none.
Status RemovePmemFile(Env* env, const std::string& dbname);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_PMEM_FILE_H_
