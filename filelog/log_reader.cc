#include "filelog/log_reader.h"

#include <cassert>

#include "filelog/format.h"

namespace leveldb {

namespace {

bool BeginsRecord(FragmentType type) {
  return type == FragmentType::kFull || type == FragmentType::kFirst;
}

bool EndsRecord(FragmentType type) {
  return type == FragmentType::kFull || type == FragmentType::kLast;
}

constexpr char kEndIsMissing[] = "the end of a record is missing";

}  // namespace

LogReader::LogReader(SequentialFile* file, Reporter* reporter, bool checksum)
    : ledger_(reporter), fragments_(file, &ledger_, checksum) {}

bool LogReader::ReadRecord(Slice* record, std::string* scratch) {
  scratch->clear();
  Fragment fragment;
  while (NextFragment(&fragment)) {
    const FragmentType type = static_cast<FragmentType>(fragment.type);
    if (BeginsRecord(type)) {
      // Old writers left a first fragment without payload at the end of a block and then started
      // the record again in the next one: nothing is lost there.
      if (in_record_ && record_size_ > 0) {
        ledger_.Report(record_size_, LogCorruption(record_offset_, kEndIsMissing));
      }
      scratch->clear();
      in_record_ = true;
      record_offset_ = fragment.offset;
      record_size_ = 0;
    } else if (!in_record_) {
      ledger_.Report(fragment.payload.size(),
                     LogCorruption(fragment.offset, "the beginning of a record is missing"));
      continue;
    }
    record_size_ += fragment.payload.size();
    if (type != FragmentType::kFull) {
      scratch->append(fragment.payload.data(), fragment.payload.size());
    }
    if (!EndsRecord(type)) continue;

    *record = type == FragmentType::kFull ? fragment.payload : Slice(*scratch);
    in_record_ = false;
    last_record_offset_ = record_offset_;
    valid_end_ = fragment.end;
    return true;
  }
  scratch->clear();
  return false;
}

// Reads the next fragment of a known type; returns false at the end. Drops a record in which
// something was skipped.
bool LogReader::NextFragment(Fragment* fragment) {
  while (!at_end_) {
    const FragmentReader::Step step = fragments_.Next(fragment);
    if (step == FragmentReader::Step::kEnd) {
      NoteEnd();
      break;
    }
    const size_t unfinished = in_record_ ? record_size_ : 0;
    if (step == FragmentReader::Step::kGap) {
      if (unfinished > 0) ledger_.Suspect(unfinished, LogCorruption(record_offset_, kEndIsMissing));
    } else if (fragment->type != 0 && fragment->type <= kMaxFragmentType) {
      return true;
    } else {
      ledger_.Report(fragment->payload.size() + unfinished,
                     LogCorruption(fragment->offset, "unknown fragment type"));
    }
    in_record_ = false;
  }
  return false;
}

void LogReader::NoteEnd() {
  at_end_ = true;
  if (fragments_.failed()) {
    tail_ = Tail::kUnreadable;
  } else if (ledger_.has_suspects()) {
    tail_ = Tail::kGarbage;
    tail_reason_ = ledger_.first_suspect();
  } else if (in_record_ || fragments_.ends_inside_fragment()) {
    tail_ = Tail::kTorn;
  }
}

}  // namespace leveldb
