// Functions that write numbers and bytes as text, for file names, messages and dumps.
#ifndef BUSHSTORE_UTIL_TEXT_H_
#define BUSHSTORE_UTIL_TEXT_H_

#include <cstdint>
#include <string>

#include "leveldb/slice.h"

namespace leveldb {

// Return or append the number in decimal.
std::string NumberToString(uint64_t number);
void AppendNumber(std::string* dst, uint64_t number);

// Return or append the bytes with everything outside printable ASCII as \xNN.
std::string Escaped(const Slice& bytes);
void AppendEscaped(std::string* dst, const Slice& bytes);

// Moves the decimal digits at the front of *text into *number. Returns false, with both unchanged,
// if there is no digit or the number does not fit.
bool ConsumeDecimal(Slice* text, uint64_t* number);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_TEXT_H_
