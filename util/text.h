// Numbers and bytes as text: for file names, messages and dumps.
#ifndef BUSHSTORE_UTIL_TEXT_H_
#define BUSHSTORE_UTIL_TEXT_H_

#include <cstdint>
#include <string>

#include "leveldb/slice.h"

namespace leveldb {

// The number in decimal.
std::string NumberToString(uint64_t number);
void AppendNumber(std::string* dst, uint64_t number);

// The bytes with everything outside printable ASCII as \xNN.
std::string Escaped(const Slice& bytes);
void AppendEscaped(std::string* dst, const Slice& bytes);

// Takes the decimal digits at the front of *text into *number. False, with both left as they were,
// when there is no digit or the number does not fit.
bool ConsumeDecimal(Slice* text, uint64_t* number);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_TEXT_H_
