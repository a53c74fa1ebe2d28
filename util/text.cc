#include "util/text.h"

#include <charconv>
#include <system_error>

namespace leveldb {

void AppendNumber(std::string* dst, uint64_t number) {
  char digits[20];  // 2^64 - 1 has so many.
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), number);
  dst->append(digits, static_cast<size_t>(end.ptr - digits));
}

std::string NumberToString(uint64_t number) {
  std::string result;
  AppendNumber(&result, number);
  return result;
}

void AppendEscaped(std::string* dst, const Slice& bytes) {
  static const char kHexDigits[] = "0123456789abcdef";
  for (const char c : bytes) {
    if (c >= ' ' && c <= '~') {
      dst->push_back(c);
    } else {
      const uint8_t byte = static_cast<uint8_t>(c);
      const char escape[] = {'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
      dst->append(escape, sizeof(escape));
    }
  }
}

std::string Escaped(const Slice& bytes) {
  std::string result;
  AppendEscaped(&result, bytes);
  return result;
}

bool ConsumeDecimal(Slice* text, uint64_t* number) {
  // from_chars takes no sign and no space for unsigned types: digits only.
  uint64_t value = 0;
  const std::from_chars_result end = std::from_chars(text->begin(), text->end(), value);
  if (end.ec != std::errc()) return false;
  *number = value;
  text->remove_prefix(static_cast<size_t>(end.ptr - text->begin()));
  return true;
}

}  // namespace leveldb
