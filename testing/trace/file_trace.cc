#include "testing/trace/file_trace.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

namespace {

// Returns the real function that one defined below replaces.
template <typename Function>
Function* Real(const char* name) {
  void* const found = ::dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    std::fprintf(stderr, "file trace: no %s behind ours\n", name);
    std::abort();
  }
  return reinterpret_cast<Function*>(found);
}

// The state of the recording. It is made on first use and never destroyed: calls come from any
// thread, before main and after it.
class Recorder {
 public:
  static Recorder* Get() {
    static Recorder* const recorder = new Recorder;
    return recorder;
  }

  void Start(const std::string& dir) {
    const std::lock_guard<std::mutex> guard(mutex_);
    dir_ = dir;
    events_.clear();
    numbers_.clear();
    open_.clear();
  }

  std::vector<FileEvent> Stop() {
    const std::lock_guard<std::mutex> guard(mutex_);
    dir_.clear();
    open_.clear();
    return std::move(events_);
  }

  void Note(uint64_t number) {
    const std::lock_guard<std::mutex> guard(mutex_);
    events_.push_back(FileEvent{FileEvent::kNote, "", "", 0, number, ""});
  }

  void Opened(int descriptor, const char* path, int flags) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (descriptor < 0 || dir_.empty()) {
      return;
    }
    if (path == dir_ || path == dir_ + "/" || path == dir_ + "/.") {
      open_[descriptor] = Open{true, 0};
      return;
    }
    std::string name;
    if ((flags & O_ACCMODE) == O_RDONLY || !Name(path, &name)) {
      return;
    }
    auto number = numbers_.find(name);
    if (number == numbers_.end()) {
      number = numbers_.emplace(name, next_file_++).first;
      events_.push_back(FileEvent{FileEvent::kCreate, name, "", number->second, 0, ""});
    } else if ((flags & O_TRUNC) != 0) {
      events_.push_back(FileEvent{FileEvent::kCut, "", "", number->second, 0, ""});
    }
    open_[descriptor] = Open{false, number->second};
  }

  void Wrote(int descriptor, const void* data, ssize_t count, const off_t* at) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto open = open_.find(descriptor);
    if (open == open_.end() || open->second.is_dir || count <= 0) {
      return;
    }
    const uint64_t offset =
        static_cast<uint64_t>(at != nullptr ? *at : ::lseek(descriptor, 0, SEEK_CUR) - count);
    events_.push_back(
        FileEvent{FileEvent::kWrite, "", "", open->second.file, offset,
                  std::string(static_cast<const char*>(data), static_cast<size_t>(count))});
  }

  void Cut(int descriptor, off_t length) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto open = open_.find(descriptor);
    if (open != open_.end() && !open->second.is_dir) {
      events_.push_back(
          FileEvent{FileEvent::kCut, "", "", open->second.file, static_cast<uint64_t>(length), ""});
    }
  }

  // Stores to the mapping of a file are not seen. The file is read when it is synced, and counts
  // then.
  void Allocated(int descriptor) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto open = open_.find(descriptor);
    if (open != open_.end()) open->second.is_mapped = true;
  }

  void Synced(int descriptor) {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto open = open_.find(descriptor);
    if (open != open_.end()) {
      if (open->second.is_mapped) {
        const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
        events_.push_back(
            FileEvent{FileEvent::kWrite, "", "", open->second.file, 0, ReadFile(path)});
      }
      events_.push_back(FileEvent{open->second.is_dir ? FileEvent::kSyncDir : FileEvent::kSync, "",
                                  "", open->second.file, 0, ""});
    }
  }

  void Closed(int descriptor) {
    const std::lock_guard<std::mutex> guard(mutex_);
    open_.erase(descriptor);
  }

  void Renamed(const char* source, const char* target) {
    const std::lock_guard<std::mutex> guard(mutex_);
    std::string from;
    std::string to;
    if (Name(source, &from) && Name(target, &to) && numbers_.count(from) != 0) {
      numbers_[to] = numbers_[from];
      numbers_.erase(from);
      events_.push_back(FileEvent{FileEvent::kRename, from, to, 0, 0, ""});
    }
  }

  void Removed(const char* path) {
    const std::lock_guard<std::mutex> guard(mutex_);
    std::string name;
    if (Name(path, &name) && numbers_.erase(name) != 0) {
      events_.push_back(FileEvent{FileEvent::kRemove, name, "", 0, 0, ""});
    }
  }

 private:
  struct Open {
    bool is_dir;
    uint64_t file;
    bool is_mapped = false;
  };

  // Finds the name of a file directly in the directory. REQUIRES: mutex_ is held.
  bool Name(const std::string& path, std::string* name) const {
    if (dir_.empty() || path.compare(0, dir_.size() + 1, dir_ + "/") != 0) {
      return false;
    }
    *name = path.substr(dir_.size() + 1);
    return !name->empty() && name->find('/') == std::string::npos;
  }

  std::mutex mutex_;
  std::string dir_;  // empty: not recording
  std::vector<FileEvent> events_;
  std::map<std::string, uint64_t> numbers_;  // name to file number
  std::map<int, Open> open_;
  uint64_t next_file_ = 1;
};

}  // namespace

void StartFileTrace(const std::string& dir) {
  Recorder::Get()->Start(dir);
}

std::vector<FileEvent> StopFileTrace() {
  return Recorder::Get()->Stop();
}

void NoteInFileTrace(uint64_t number) {
  Recorder::Get()->Note(number);
}

void MakeDirAfterPowerCut(const std::vector<FileEvent>& trace, size_t events,
                          const std::string& target) {
  struct File {
    std::string bytes;
    std::string durable;
  };
  std::map<uint64_t, File> files;
  std::map<std::string, uint64_t> names;
  std::map<std::string, uint64_t> durable_names;
  for (size_t i = 0; i < events; ++i) {
    const FileEvent& event = trace[i];
    switch (event.kind) {
      case FileEvent::kCreate:
        names[event.name] = event.file;
        files[event.file] = File();
        break;
      case FileEvent::kWrite: {
        std::string* const bytes = &files[event.file].bytes;
        if (bytes->size() < event.offset + event.data.size()) {
          bytes->resize(event.offset + event.data.size());
        }
        bytes->replace(event.offset, event.data.size(), event.data);
        break;
      }
      case FileEvent::kCut:
        files[event.file].bytes.resize(event.offset);
        break;
      case FileEvent::kSync:
        files[event.file].durable = files[event.file].bytes;
        break;
      case FileEvent::kSyncDir:
        durable_names = names;
        break;
      case FileEvent::kRename:
        names[event.target] = names[event.name];
        names.erase(event.name);
        break;
      case FileEvent::kRemove:
        names.erase(event.name);
        break;
      case FileEvent::kNote:
        break;
    }
  }
  for (const auto& [name, number] : durable_names) {
    WriteFile(target + "/" + name, files[number].durable);
  }
}

}  // namespace testkit
}  // namespace leveldb

// The functions that the library and other users of the C library call. Calls inside glibc are not
// intercepted, which does not matter: the library opens its files itself, and the info log is not
// durable.
using leveldb::testkit::Real;
using leveldb::testkit::Recorder;

extern "C" {

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    std::va_list arguments;
    va_start(arguments, flags);
    mode = static_cast<mode_t>(va_arg(arguments, int));
    va_end(arguments);
  }
  static auto* const real = Real<int(const char*, int, ...)>("open");
  const int descriptor = real(path, flags, mode);
  Recorder::Get()->Opened(descriptor, path, flags);
  return descriptor;
}

int open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
    std::va_list arguments;
    va_start(arguments, flags);
    mode = static_cast<mode_t>(va_arg(arguments, int));
    va_end(arguments);
  }
  static auto* const real = Real<int(const char*, int, ...)>("open64");
  const int descriptor = real(path, flags, mode);
  Recorder::Get()->Opened(descriptor, path, flags);
  return descriptor;
}

ssize_t write(int descriptor, const void* data, size_t count) {
  static auto* const real = Real<ssize_t(int, const void*, size_t)>("write");
  const ssize_t written = real(descriptor, data, count);
  Recorder::Get()->Wrote(descriptor, data, written, nullptr);
  return written;
}

ssize_t pwrite(int descriptor, const void* data, size_t count, off_t offset) {
  static auto* const real = Real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  const ssize_t written = real(descriptor, data, count, offset);
  Recorder::Get()->Wrote(descriptor, data, written, &offset);
  return written;
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  // Records single writes: only what reaches the file matters here.
  ssize_t written = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t part = write(descriptor, parts[i].iov_base, parts[i].iov_len);
    if (part < 0) {
      return written > 0 ? written : part;
    }
    written += part;
  }
  return written;
}

int ftruncate(int descriptor, off_t length) {
  static auto* const real = Real<int(int, off_t)>("ftruncate");
  const int result = real(descriptor, length);
  if (result == 0) {
    Recorder::Get()->Cut(descriptor, length);
  }
  return result;
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  static auto* const real = Real<int(int, int, off_t, off_t)>("fallocate");
  const int result = real(descriptor, mode, offset, length);
  if (result == 0) {
    Recorder::Get()->Allocated(descriptor);
  }
  return result;
}

int fsync(int descriptor) {
  static auto* const real = Real<int(int)>("fsync");
  const int result = real(descriptor);
  if (result == 0) {
    Recorder::Get()->Synced(descriptor);
  }
  return result;
}

int fdatasync(int descriptor) {
  static auto* const real = Real<int(int)>("fdatasync");
  const int result = real(descriptor);
  if (result == 0) {
    Recorder::Get()->Synced(descriptor);
  }
  return result;
}

int close(int descriptor) {
  static auto* const real = Real<int(int)>("close");
  Recorder::Get()->Closed(descriptor);
  return real(descriptor);
}

int rename(const char* source, const char* target) {
  static auto* const real = Real<int(const char*, const char*)>("rename");
  const int result = real(source, target);
  if (result == 0) {
    Recorder::Get()->Renamed(source, target);
  }
  return result;
}

int unlink(const char* path) {
  static auto* const real = Real<int(const char*)>("unlink");
  const int result = real(path);
  if (result == 0) {
    Recorder::Get()->Removed(path);
  }
  return result;
}

}  // extern "C"
