// ScanHints: information for an iterator over a table about the scan that it is part of.
#ifndef BUSHSTORE_ITERATOR_SCAN_HINTS_H_
#define BUSHSTORE_ITERATOR_SCAN_HINTS_H_

namespace leveldb {

class ReadAhead;
class ScanWindow;

// The objects must outlive the iterator; each may be null.
struct ScanHints {
  // Tells whether steps should prefetch values, too.
  const ReadAhead* read_ahead = nullptr;

  // Tells how much a scan that continues from table to table reads ahead from the device.
  ScanWindow* window = nullptr;

  // Whether the scan reads the whole table once, to replace it.
  bool replaces = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_SCAN_HINTS_H_
