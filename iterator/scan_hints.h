// ScanHints: what an iterator over a table may know of the scan that it is part of.
#ifndef BUSHSTORE_ITERATOR_SCAN_HINTS_H_
#define BUSHSTORE_ITERATOR_SCAN_HINTS_H_

namespace leveldb {

class ReadAhead;
class ScanWindow;

// What it points to must outlive the iterator; each may be null.
struct ScanHints {
  // Tells whether steps are to ask the processor for values, too.
  const ReadAhead* read_ahead = nullptr;

  // How much is read ahead from the device, by a scan that goes on from table to table.
  ScanWindow* window = nullptr;

  // Whether the scan reads the whole table once, to replace it.
  bool replaces = false;
};

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_SCAN_HINTS_H_
