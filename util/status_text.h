// MessageOf returns the text of a status, for use in longer messages.
#ifndef BUSHSTORE_UTIL_STATUS_TEXT_H_
#define BUSHSTORE_UTIL_STATUS_TEXT_H_

#include <string>

#include "leveldb/status.h"

namespace leveldb {

// Returns the message without the kind of error that ToString() begins with.
inline std::string MessageOf(const Status& status) {
  const std::string text = status.ToString();
  const size_t kind_end = text.find(": ");
  return kind_end == std::string::npos ? text : text.substr(kind_end + 2);
}

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_STATUS_TEXT_H_
