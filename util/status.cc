#include "leveldb/status.h"

#include <cstdint>
#include <cstring>

#include "util/text.h"

// The heap form is described at Status::state_. Programs access it directly.

namespace leveldb {

namespace {

constexpr size_t kCodeOffset = 4;
constexpr size_t kMessageOffset = 5;

uint32_t MessageLength(const char* state) {
  uint32_t length;
  memcpy(&length, state, sizeof(length));
  return length;
}

}  // namespace

Status::Status(Code code, const Slice& msg, const Slice& msg2) {
  const Slice separator = msg2.empty() ? Slice() : Slice(": ");
  const size_t total = msg.size() + separator.size() + msg2.size();
  char* const state = new char[kMessageOffset + total];
  const uint32_t length = static_cast<uint32_t>(total);
  memcpy(state, &length, sizeof(length));
  state[kCodeOffset] = static_cast<char>(code);
  state_ = state;
  if (total == 0) return;  // as of most keys that are not found
  char* end = state + kMessageOffset;
  for (const Slice& part : {msg, separator, msg2}) {
    memcpy(end, part.data(), part.size());
    end += part.size();
  }
}

const char* Status::CopyState(const char* state) {
  const size_t size = kMessageOffset + MessageLength(state);
  char* const copy = new char[size];
  memcpy(copy, state, size);
  return copy;
}

std::string Status::ToString() const {
  std::string text;
  switch (code()) {
    case kOk:
      return "OK";
    case kNotFound:
      text = "NotFound: ";
      break;
    case kCorruption:
      text = "Corruption: ";
      break;
    case kNotSupported:
      text = "Not implemented: ";
      break;
    case kInvalidArgument:
      text = "Invalid argument: ";
      break;
    case kIOError:
      text = "IO error: ";
      break;
    default:
      text = "Unknown code(" + NumberToString(static_cast<uint8_t>(state_[kCodeOffset])) + "): ";
      break;
  }
  text.append(state_ + kMessageOffset, MessageLength(state_));
  return text;
}

}  // namespace leveldb
