// FileTrace: records the file-system calls of this process and computes what a power cut would
// leave.
//
// When linked into a test program, file_trace.cc intercepts open, write, fallocate, fsync,
// fdatasync, rename, unlink and similar functions (it defines them and passes each call on), and
// records those on files in one directory. A recording can be cut anywhere and turned into the
// directory as the strictest file system would leave it after a power cut: only synced bytes, and
// only names that existed at the last fsync of the directory itself. Nothing is assumed about the
// library.

#ifndef BUSHSTORE_TESTING_TRACE_FILE_TRACE_H_
#define BUSHSTORE_TESTING_TRACE_FILE_TRACE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

// One call, or a number that the test has noted.
struct FileEvent {
  enum Kind {
    kCreate,   // `name` now is file number `file`, which is new and empty
    kWrite,    // `data` was written at `offset` of `file`
    kCut,      // `file` was truncated to `offset` bytes
    kSync,     // fsync or fdatasync of `file`
    kSyncDir,  // fsync of the directory
    kRename,   // `name` now is called `target`
    kRemove,   // `name` was removed
    kNote,     // `offset` is a number that the test noted
  };
  Kind kind;
  std::string name;
  std::string target;
  uint64_t file = 0;
  uint64_t offset = 0;
  std::string data;
};

// Starts recording what happens to files directly in `dir`, which must exist and be empty.
void StartFileTrace(const std::string& dir);
// Ends the recording and returns it.
std::vector<FileEvent> StopFileTrace();
// Adds a number to the recording.
void NoteInFileTrace(uint64_t number);

// Writes into `target`, an existing empty directory, what remains of the first `events` events
// after a power cut.
void MakeDirAfterPowerCut(const std::vector<FileEvent>& trace, size_t events,
                          const std::string& target);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_TRACE_FILE_TRACE_H_
