// Status: the result of an operation. Success is represented by a null pointer; a failure has a
// kind and a message for humans.
//
// Thread-safety: const members may run concurrently; a mutation (assignment, move) requires
// external synchronization.

#ifndef LEVELDB_INCLUDE_STATUS_H_
#define LEVELDB_INCLUDE_STATUS_H_

#include <string>

#include "leveldb/export.h"
#include "leveldb/slice.h"

namespace leveldb {

class LEVELDB_EXPORT Status {
 public:
  // Creates a success status.
  Status() noexcept : state_(nullptr) {}
  ~Status() { delete[] state_; }

  Status(const Status& rhs) : state_(rhs.state_ == nullptr ? nullptr : CopyState(rhs.state_)) {}
  Status& operator=(const Status& rhs);

  // Leaves rhs in a valid but unspecified state: assign to it before reading it again.
  Status(Status&& rhs) noexcept : state_(rhs.state_) { rhs.state_ = nullptr; }
  Status& operator=(Status&& rhs) noexcept;

  static Status OK() { return Status(); }

  // Return a failure of the given kind. The message is "msg", or "msg: msg2" if msg2 is not empty;
  // the bytes are copied.
  static Status NotFound(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kNotFound, msg, msg2);
  }
  static Status Corruption(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kCorruption, msg, msg2);
  }
  static Status NotSupported(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kNotSupported, msg, msg2);
  }
  static Status InvalidArgument(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kInvalidArgument, msg, msg2);
  }
  static Status IOError(const Slice& msg, const Slice& msg2 = Slice()) {
    return Status(kIOError, msg, msg2);
  }

  bool ok() const { return state_ == nullptr; }

  // Return whether the failure is of the given kind. At most one of these and ok() is true.
  bool IsNotFound() const { return code() == kNotFound; }
  bool IsCorruption() const { return code() == kCorruption; }
  bool IsIOError() const { return code() == kIOError; }
  bool IsNotSupportedError() const { return code() == kNotSupported; }
  bool IsInvalidArgument() const { return code() == kInvalidArgument; }

  // Returns "OK", or the kind and the message: "IO error: /db/000005.log: No space left on device".
  std::string ToString() const;

 private:
  enum Code {
    kOk = 0,
    kNotFound = 1,
    kCorruption = 2,
    kNotSupported = 3,
    kInvalidArgument = 4,
    kIOError = 5
  };

  Status(Code code, const Slice& msg, const Slice& msg2);

  // Returns a copy of state, allocated with new[].
  static const char* CopyState(const char* state);

  Code code() const { return state_ == nullptr ? kOk : static_cast<Code>(state_[4]); }

  // Null for success. Otherwise a char[] block allocated with new[]. Programs built earlier read,
  // copy and delete it in their own code, so its format is frozen:
  //    bytes 0..3   length of the message (host order)
  //    byte  4      code
  //    bytes 5..    message
  const char* state_;
};

inline Status& Status::operator=(const Status& rhs) {
  if (state_ != rhs.state_) {
    const char* const copy = rhs.state_ == nullptr ? nullptr : CopyState(rhs.state_);
    delete[] state_;
    state_ = copy;
  }
  return *this;
}

inline Status& Status::operator=(Status&& rhs) noexcept {
  const char* const mine = state_;
  state_ = rhs.state_;
  rhs.state_ = mine;
  return *this;
}

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_STATUS_H_
