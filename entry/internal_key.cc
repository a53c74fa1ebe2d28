#include "entry/internal_key.h"

#include "util/copy_short.h"
#include "util/hash64.h"
#include "util/text.h"

namespace leveldb {

namespace {

const char* TypeName(ValueType type) {
  switch (type) {
    case kTypeDeletion:
      return "del";
    case kTypeValue:
      return "val";
    case kTypeValueRef:
      return "ref";
  }
  return "";
}

}  // namespace

void AppendInternalKey(std::string* dst, const Slice& user_key, SequenceNumber sequence,
                       ValueType type) {
  dst->append(user_key.data(), user_key.size());
  AppendFixed64(dst, PackTrailer(sequence, type));
}

bool InternalKey::DecodeFrom(const Slice& encoded) {
  if (encoded.size() < kTrailerSize) {
    rep_.clear();
    return false;
  }
  rep_.assign(encoded.data(), encoded.size());
  return true;
}

std::string InternalKey::DebugString() const {
  ParsedKey parsed;
  if (!ParseInternalKey(rep_, &parsed)) return "(bad internal key)" + Escaped(rep_);
  return "'" + Escaped(parsed.user_key) + "' @ " + NumberToString(parsed.sequence) + " : " +
         TypeName(parsed.type);
}

InternalKeyComparator::InternalKeyComparator(const Comparator* user_comparator)
    : user_comparator_(user_comparator), is_bytewise_(user_comparator == BytewiseComparator()) {}

const char* InternalKeyComparator::Name() const {
  return "leveldb.InternalKeyComparator";
}

namespace {

// Replaces the user key of `*key` by `shortened` if that is physically shorter and sorts after the
// old user key. It then gets the trailer that sorts before all others.
void ReplaceIfShorter(const Comparator* user_comparator, const Slice& old_user_key,
                      const std::string& shortened, std::string* key) {
  if (shortened.size() >= old_user_key.size()) return;
  if (user_comparator->Compare(old_user_key, shortened) >= 0) return;
  std::string replacement;
  replacement.reserve(shortened.size() + kTrailerSize);
  AppendInternalKey(&replacement, shortened, kMaxSequenceNumber, kSeparatorType);
  key->swap(replacement);
}

}  // namespace

void InternalKeyComparator::FindShortestSeparator(std::string* start, const Slice& limit) const {
  const Slice user_key = ExtractUserKey(*start);
  std::string shortened = user_key.ToString();
  user_comparator_->FindShortestSeparator(&shortened, ExtractUserKey(limit));
  ReplaceIfShorter(user_comparator_, user_key, shortened, start);
}

void InternalKeyComparator::FindShortSuccessor(std::string* key) const {
  const Slice user_key = ExtractUserKey(*key);
  std::string shortened = user_key.ToString();
  user_comparator_->FindShortSuccessor(&shortened);
  ReplaceIfShorter(user_comparator_, user_key, shortened, key);
}

LookupKey::LookupKey(const Slice& user_key, SequenceNumber sequence)
    : start_(inline_), size_(user_key.size() + kTrailerSize), hash_(HashKey64(user_key)) {
  if (size_ > kInlineBytes) start_ = new char[size_];
  CopyShort(start_, user_key.data(), user_key.size());
  StoreFixed64(start_ + user_key.size(), PackTrailer(sequence, kSeekType));
}

LookupKey::~LookupKey() {
  if (start_ != inline_) delete[] start_;
}

int InternalKeyComparator::AskUserComparator(Slice a, Slice b) const {
  return user_comparator_->Compare(a, b);
}

}  // namespace leveldb
