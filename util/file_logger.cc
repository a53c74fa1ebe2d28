#include "util/file_logger.h"

#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <string>
#include <utility>

namespace leveldb {

namespace {

long ThreadNumber() {
  thread_local const long number = gettid();
  return number;
}

std::string TimeAndThread() {
  timeval now;
  gettimeofday(&now, nullptr);
  tm local;
  localtime_r(&now.tv_sec, &local);
  char text[64];
  const size_t date_length = strftime(text, sizeof(text), "%Y/%m/%d-%H:%M:%S", &local);
  snprintf(text + date_length, sizeof(text) - date_length, ".%06ld %ld ",
           static_cast<long>(now.tv_usec), ThreadNumber());
  return text;
}

// Appends what vprintf would print. One pass is enough mostly; longer text is printed again into a
// buffer that fits.
__attribute__((__format__(__printf__, 2, 0))) void AppendFormatted(std::string* dst,
                                                                   const char* format,
                                                                   std::va_list ap) {
  constexpr size_t kFirstTry = 400;
  const size_t start = dst->size();
  std::va_list again;
  va_copy(again, ap);
  dst->resize(start + kFirstTry);
  const int needed = vsnprintf(dst->data() + start, kFirstTry, format, ap);
  const size_t length = needed < 0 ? 0 : static_cast<size_t>(needed);
  dst->resize(start + length + 1);  // One more for the terminator.
  if (length >= kFirstTry) vsnprintf(dst->data() + start, length + 1, format, again);
  dst->resize(start + length);
  va_end(again);
}

}  // namespace

FileLogger::FileLogger(std::unique_ptr<WritableFile> file) : file_(std::move(file)) {}

void FileLogger::Logv(const char* format, std::va_list ap) {
  std::string line = TimeAndThread();
  AppendFormatted(&line, format, ap);
  if (line.back() != '\n') line.push_back('\n');
  MutexLock lock(&mutex_);
  if (file_->Append(line).ok()) file_->Flush();
}

}  // namespace leveldb
