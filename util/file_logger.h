// FileLogger is a Logger that writes lines of text to a file:
//
//    2026/11/21-03:15:07.123456 4711 Compacting 1@0 + 4@1 files
//
// The time is local; the number is the thread's.
#ifndef BUSHSTORE_UTIL_FILE_LOGGER_H_
#define BUSHSTORE_UTIL_FILE_LOGGER_H_

#include <memory>

#include "leveldb/env.h"
#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {

// Every entry is handed to the system before Logv returns, so that the last entries of a crashing
// process are kept. Errors of the file are ignored.
class FileLogger final : public Logger {
 public:
  // Owns the file.
  explicit FileLogger(std::unique_ptr<WritableFile> file);

  void Logv(const char* format, std::va_list ap) override;

 private:
  Mutex mutex_;
  const std::unique_ptr<WritableFile> file_ PT_GUARDED_BY(mutex_);
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_FILE_LOGGER_H_
