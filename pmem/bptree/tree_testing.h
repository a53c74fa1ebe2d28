// For tests only: unusual keys and entries in order, and what a lookup among them should find.
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_TESTING_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_TESTING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "entry/internal_key.h"
#include "iterator/iterator_check.h"
#include "pmem/bptree/builder.h"
#include "pmem/bptree/tree.h"
#include "util/hash64.h"
#include "util/random.h"

namespace leveldb {

// Makes keys and entries from one seed.
class EntryMaker {
 public:
  explicit EntryMaker(uint64_t seed) : random_(seed) {}

  Random* random() { return &random_; }

  // Returns a key that is empty, one byte, long, similar to others, full of 0x00 or 0xff, or
  // random.
  std::string UserKey() {
    switch (random_.Uniform(10)) {
      case 0:
        return std::string(random_.Uniform(2), static_cast<char>(random_.Next()));
      case 1:
        return std::string(random_.Uniform(20), random_.OneIn(2) ? '\xff' : '\0');
      case 2:
        return Bytes(random_.Uniform(30));
      case 3:
        return "a prefix that many keys share/" + Digits(3);
      case 4:
        return "a prefix that many keys share/" + std::string(random_.Uniform(12), '\0') +
               Digits(1);
      case 5:
        return random_.OneIn(20) ? std::string(10000, 'k') + Digits(2) : Digits(2);
      case 6:
        return Letters(random_.Uniform(6));
      default:
        return Digits(16);
    }
  }

  // Returns `size` random bytes.
  std::string Bytes(size_t size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random_.Next());
    return bytes;
  }

  std::string Value() {
    if (random_.OneIn(50)) return Bytes(random_.Uniform(20000));
    return Bytes(random_.Uniform(60));
  }

  // Returns about `count` entries with different sequences, in the comparator's order. They include
  // tombstones and runs of versions of one user key.
  Entries Make(const InternalKeyComparator& comparator, size_t count) {
    Entries entries;
    while (entries.size() < count) {
      const std::string user_key = UserKey();
      const uint64_t versions = random_.OneIn(10) ? 1 + random_.Uniform(60) : 1;
      for (uint64_t i = 0; i < versions; i++) {
        const bool is_tombstone = random_.OneIn(8);
        std::string key;
        AppendInternalKey(&key, user_key, NewSequence(), is_tombstone ? kTypeDeletion : kTypeValue);
        entries.emplace_back(key, is_tombstone ? "" : Value());
      }
    }
    std::sort(entries.begin(), entries.end(), [&comparator](const auto& a, const auto& b) {
      return comparator.Compare(a.first, b.first) < 0;
    });
    return entries;
  }

  // Returns a sequence that no entry has yet, in no particular order.
  SequenceNumber NewSequence() {
    const uint64_t step = ++sequences_;
    return random_.OneIn(1000) ? (step << 40) + step
                               : step * 7919 % 1000003 + (step / 1000003 << 21);
  }

 private:
  std::string Digits(int n) {
    char text[32];
    const uint64_t bound = n >= 10 ? 10000000 : 10u * n * n * n;
    snprintf(text, sizeof(text), "%0*llu", n,
             static_cast<unsigned long long>(random_.Uniform(bound)));
    return text;
  }

  std::string Letters(size_t n) {
    std::string text;
    for (size_t i = 0; i < n; i++) text.push_back("abAB"[random_.Uniform(4)]);
    return text;
  }

  Random random_;
  uint64_t sequences_ = 0;
};

// Returns what a lookup of `user_key` at `sequence` should find among entries in order.
inline TreeHit ExpectedHit(const Entries& entries, const InternalKeyComparator& comparator,
                           const std::string& user_key, SequenceNumber sequence) {
  const LookupKey lookup(user_key, sequence);
  const size_t index = SeekIndex(entries, &comparator, lookup.internal_key().ToString());
  TreeHit hit;
  if (index == entries.size()) return hit;
  ParsedKey key;
  EXPECT_TRUE(ParseInternalKey(entries[index].first, &key));
  if (comparator.CompareUserKeys(key.user_key, user_key) != 0) return hit;
  hit.found = true;
  hit.type = key.type;
  hit.sequence = key.sequence;
  hit.value = entries[index].second;
  return hit;
}

// Builds a tree of the entries, which are in order.
inline TreePtr BuildTree(const TreeBuildOptions& options, const Entries& entries,
                         TreeRecord* record = nullptr) {
  TreeBuilder builder(options);
  for (const auto& [key, value] : entries) builder.Add(key, value);
  TreePtr tree;
  const Status status = builder.Finish(record, &tree);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return tree;
}

// Looks up the user key as a reader does: checks the filter first.
inline TreeHit LookUp(const Tree& tree, const std::string& user_key, SequenceNumber sequence,
                      bool verify_checksums = true) {
  const LookupKey key(user_key, sequence);
  const uint64_t hash = HashKey64(user_key);
  TreeHit hit;
  if (!tree.MayContain(hash)) return hit;
  const Status status = tree.Get(key, hash, verify_checksums, &hit);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return hit;
}

inline void ExpectSameHit(const TreeHit& expected, const TreeHit& hit) {
  ASSERT_EQ(expected.found, hit.found);
  if (!hit.found) return;
  ASSERT_EQ(expected.type, hit.type);
  ASSERT_EQ(expected.sequence, hit.sequence);
  ASSERT_EQ(expected.value.ToString(), hit.value.ToString());
}

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_TESTING_H_
