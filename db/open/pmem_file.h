// The text file PMEM in a database directory: where the database's pool is.
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
// Lines that begin with # are comments; each of the others is there once, in any order. `pool` is
// an absolute path: it has to be changed here when the pool is moved. `size` is the pool's ceiling
// in bytes. `assume_pmem` is 1 if that option was given, and 2 with `assume_pmem_anywhere`.
//
// `state` tells a pool that the manifest has to know from one that it need not:
//
//   new        written before the pool is made; the manifest does not name the tier yet. If it
//              still does not at the next open, there is nothing in the pool that was acknowledged.
//   used       written once the manifest names the tier. If it does not, the directory is not of
//              one piece, and is refused.
//   leaving    written before a manifest that does not name the tier any more. If that one is
//              current at the next open, the pool holds nothing that is not in tables, too.
//   aside      the same of a repair, which sets the pool aside.
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
  bool assume_pmem_anywhere = false;  // means nothing without the one before
  State state = kNew;
};

std::string EncodePmemFile(const PmemFile& file);

// Corruption names the line that makes no sense, or what is missing.
Status DecodePmemFile(const Slice& text, PmemFile* file);

// Whether a path can stand in a PMEM file: it is absolute and has no control characters.
bool FitsPmemFile(const std::string& path);

// Reads the file of `dbname`. NotFound if there is none.
Status ReadPmemFile(Env* env, const std::string& dbname, PmemFile* file);

// Puts `file` in the place of the one that is there, all at once, and makes that durable. After an
// error either may be there.
Status WritePmemFile(Env* env, const std::string& dbname, const PmemFile& file);

// Removes the file and what an interrupted WritePmemFile has left. OK if there is nothing.
Status RemovePmemFile(Env* env, const std::string& dbname);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_PMEM_FILE_H_
