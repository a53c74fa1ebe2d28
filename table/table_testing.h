// For tests: files in memory, keys with trailers, and tables of random entries.
#ifndef BUSHSTORE_TABLE_TABLE_TESTING_H_
#define BUSHSTORE_TABLE_TABLE_TESTING_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "iterator/iterator_check.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/options.h"
#include "leveldb/table_builder.h"
#include "util/coding.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {

class StringSink final : public WritableFile {
 public:
  Status Append(const Slice& data) override {
    if (contents.size() + data.size() > capacity) return Status::IOError("disk full");
    contents.append(data.data(), data.size());
    appends++;
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Flush() override {
    flushes++;
    return Status::OK();
  }
  Status Sync() override { return Status::OK(); }

  std::string contents;
  size_t capacity = SIZE_MAX;
  int appends = 0;
  int flushes = 0;
};

// A file that is mapped (reads point into it) or not (reads are copied to the scratch memory).
class StringSource final : public RandomAccessFile {
 public:
  StringSource(std::string contents, bool mapped)
      : contents_(std::move(contents)), mapped_(mapped) {}

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    reads.fetch_add(1, std::memory_order_relaxed);
    if (offset >= fail_from) return Status::IOError("bad sector");
    if (offset > contents_.size()) return Status::IOError("read beyond the end");
    n = std::min(n, contents_.size() - static_cast<size_t>(offset));
    if (mapped_) {
      *result = Slice(contents_.data() + offset, n);
    } else {
      contents_.copy(scratch, n, offset);
      *result = Slice(scratch, n);
    }
    return Status::OK();
  }

  const std::string& contents() const { return contents_; }

  mutable std::atomic<int> reads{0};
  uint64_t fail_from = UINT64_MAX;

 private:
  const std::string contents_;
  const bool mapped_;
};

// Orders keys by their bytes, descending.
class ReverseComparator final : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override { return b.compare(a); }
  const char* Name() const override { return "test.Reverse"; }
  void FindShortestSeparator(std::string* start, const Slice& limit) const override {}
  void FindShortSuccessor(std::string* key) const override {}
};

constexpr size_t kTestTrailerSize = 8;

// Orders keys that consist of a body and a fixed64, by body and then by that number, descending.
// Only bodies are shortened for the index.
class TrailerComparator final : public Comparator {
 public:
  explicit TrailerComparator(const Comparator* bodies) : bodies_(bodies) {}

  int Compare(const Slice& a, const Slice& b) const override {
    const int order = bodies_->Compare(Body(a), Body(b));
    if (order != 0) return order;
    const uint64_t x = Trailer(a);
    const uint64_t y = Trailer(b);
    return x > y ? -1 : x < y ? 1 : 0;
  }
  const char* Name() const override { return "test.Trailer"; }
  void FindShortestSeparator(std::string* start, const Slice& limit) const override {
    std::string body = Body(*start).ToString();
    bodies_->FindShortestSeparator(&body, Body(limit));
    Replace(start, body);
  }
  void FindShortSuccessor(std::string* key) const override {
    std::string body = Body(*key).ToString();
    bodies_->FindShortSuccessor(&body);
    Replace(key, body);
  }

  static Slice Body(const Slice& key) {
    EXPECT_GE(key.size(), kTestTrailerSize);
    return Slice(key.data(), key.size() - kTestTrailerSize);
  }
  static uint64_t Trailer(const Slice& key) {
    return LoadFixed64(key.data() + key.size() - kTestTrailerSize);
  }
  static std::string MakeKey(const std::string& body, uint64_t trailer) {
    std::string key = body;
    AppendFixed64(&key, trailer);
    return key;
  }

 private:
  void Replace(std::string* key, const std::string& body) const {
    const Slice old_body = Body(*key);
    if (body.size() >= old_body.size() || bodies_->Compare(old_body, body) >= 0) return;
    *key = MakeKey(body, (uint64_t{1} << 56) * 256 - 256 + 1);
  }

  const Comparator* const bodies_;
};

// Makes filters of bodies only.
class BodyFilterPolicy final : public FilterPolicy {
 public:
  explicit BodyFilterPolicy(const FilterPolicy* policy) : policy_(policy) {}
  ~BodyFilterPolicy() override { delete policy_; }

  const char* Name() const override { return policy_->Name(); }
  void CreateFilter(const Slice* keys, int n, std::string* dst) const override {
    std::vector<Slice> bodies;
    for (int i = 0; i < n; i++) bodies.push_back(TrailerComparator::Body(keys[i]));
    policy_->CreateFilter(bodies.data(), n, dst);
  }
  bool KeyMayMatch(const Slice& key, const Slice& filter) const override {
    return policy_->KeyMayMatch(TrailerComparator::Body(key), filter);
  }

 private:
  const FilterPolicy* const policy_;
};

// Returns random bytes with many common prefixes and occasional extreme cases.
inline std::string RandomBody(Random* random) {
  static const std::string kStems[] = {"",           "k",        "key0000000",
                                       "key0000001", "\xff\xff", std::string(3, '\0')};
  std::string body = kStems[random->Uniform(6)];
  if (random->OneIn(50)) body.append(random->Uniform(300), 'x');
  for (size_t n = random->Uniform(6); n > 0; n--) {
    body.push_back(random->OneIn(4) ? static_cast<char>(random->Next())
                                    : static_cast<char>('0' + random->Uniform(10)));
  }
  return body;
}

// Returns about `count` entries with different keys made by new_key(), sorted.
template <typename NewKey>
Entries RandomEntries(size_t count, size_t max_value_size, const Comparator* comparator,
                      Random* random, NewKey new_key) {
  Entries entries;
  for (size_t i = 0; i < count; i++) entries.emplace_back(new_key(), "");
  std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
    return comparator->Compare(a.first, b.first) < 0;
  });
  const auto end = std::unique(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
    return comparator->Compare(a.first, b.first) == 0;
  });
  entries.erase(end, entries.end());
  for (auto& [key, value] : entries) {
    const size_t size = random->Uniform(max_value_size + 1);
    const bool compressible = random->OneIn(2);
    while (value.size() < size) {
      value.append(compressible ? 10 : 1, static_cast<char>(random->Next()));
    }
  }
  return entries;
}

// Returns entries with the keys key000000, key000001 and so on.
inline Entries NumberedEntries(int count, size_t value_size) {
  Entries entries;
  for (int i = 0; i < count; i++) {
    const std::string digits = NumberToString(static_cast<uint64_t>(i));
    entries.emplace_back("key" + std::string(6 - digits.size(), '0') + digits,
                         std::string(value_size, static_cast<char>('a' + i % 26)));
  }
  return entries;
}

// A callback for TableReader::Get; `arg` points to Entries.
inline void NoteFound(void* arg, const Slice& key, const Slice& value) {
  static_cast<Entries*>(arg)->emplace_back(key.ToString(), value.ToString());
}

inline std::string BuildTable(const Options& options, const Entries& entries) {
  StringSink sink;
  TableBuilder builder(options, &sink);
  for (const auto& [key, value] : entries) builder.Add(key, value);
  EXPECT_TRUE(builder.Finish().ok());
  EXPECT_EQ(builder.NumEntries(), entries.size());
  EXPECT_EQ(builder.FileSize(), sink.contents.size());
  return sink.contents;
}

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_TABLE_TESTING_H_
