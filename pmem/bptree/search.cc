// A point read compares fingerprints, sixteen at a time, and reads the few entries that match:
// versions of a key are stored newest first, so the first match that is not too new is the result.
//
// A seek is a binary search. The entries that its first probes read are known beforehand, so the
// lines of all of them are prefetched at once; the last probes are neighbours, in lines that have
// arrived by then.
#include "pmem/bptree/search.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "util/coding.h"
#include "util/key_bytes.h"
#include "util/prefetch.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace leveldb {

namespace {

// Compares the user keys of entries with the one that is searched for: negative if an entry's is
// before it.
class KeyProbe {
 public:
  KeyProbe(const LeafView& leaf, const InternalKeyComparator& comparator, const Slice& user_key)
      : leaf_(leaf), comparator_(comparator), user_key_(user_key) {
    if (!comparator.is_bytewise()) return;
    const Slice& prefix = leaf.prefix();
    const size_t common = std::min(prefix.size(), user_key.size());
    prefix_order_ = CompareBytes(prefix.data(), prefix.size(), user_key.data(), common);
    if (prefix_order_ == 0) suffix_ = Slice(user_key.data() + common, user_key.size() - common);
  }

  int Compare(const LeafEntry& entry) {
    const Slice& suffix = entry.suffix;
    if (comparator_.is_bytewise()) {
      if (prefix_order_ != 0) return prefix_order_;
      return CompareBytes(suffix.data(), suffix.size(), suffix_.data(), suffix_.size());
    }
    if (leaf_.prefix().empty()) return comparator_.CompareUserKeys(suffix, user_key_);
    scratch_.assign(leaf_.prefix().data(), leaf_.prefix().size());
    scratch_.append(suffix.data(), suffix.size());
    return comparator_.CompareUserKeys(scratch_, user_key_);
  }

 private:
  const LeafView& leaf_;
  const InternalKeyComparator& comparator_;
  const Slice& user_key_;
  int prefix_order_ = 0;  // of the leaf's prefix to as many bytes of the key
  Slice suffix_;          // the key without them
  std::string scratch_;   // a whole key, for leaves whose prefix can't be compared separately
};

// Prefetches the entries that the first probes of a binary search read.
void PrefetchProbes(const LeafView& leaf) {
  constexpr size_t kProbes = 16;
  const size_t count = leaf.count();
  if (count < 2 * kProbes) {
    for (size_t i = 1; i < count; i += 2) PrefetchLine(leaf.EntryStart(i));
    return;
  }
  for (size_t i = 1; i < kProbes; i++) PrefetchLine(leaf.EntryStart(i * count / kProbes));
}

}  // namespace

bool FindInLeaf(const LeafView& leaf, const InternalKeyComparator& comparator,
                const Slice& user_key, uint64_t trailer, size_t* index) {
  PrefetchProbes(leaf);
  KeyProbe probe(leaf, comparator, user_key);
  size_t begin = 0;
  size_t end = leaf.count();
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    LeafEntry entry;
    if (!leaf.ReadEntry(middle, &entry)) return false;
    const int order = probe.Compare(entry);
    const bool is_before =
        order < 0 || (order == 0 && PackTrailer(entry.sequence, entry.type) > trailer);
    if (is_before) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  *index = begin;
  return true;
}

bool FindVersionInLeaf(const LeafView& leaf, const InternalKeyComparator& comparator,
                       const Slice& user_key, SequenceNumber sequence, uint64_t hash, bool* found,
                       LeafEntry* entry) {
  *found = false;
  const char* const fingerprints = leaf.fingerprints();
  if (fingerprints == nullptr || !comparator.is_bytewise()) {
    size_t index;
    if (!FindInLeaf(leaf, comparator, user_key, PackTrailer(sequence, kSeekType), &index)) {
      return false;
    }
    if (index == leaf.count()) return true;
    if (!leaf.ReadEntry(index, entry)) return false;
    *found = KeyProbe(leaf, comparator, user_key).Compare(*entry) == 0;
    return true;
  }

  const Slice& prefix = leaf.prefix();
  const uint8_t fingerprint = FingerprintOf(hash);
  for (size_t base = 0; base < leaf.count(); base += 16) {
    uint32_t matches = MatchingBytes(fingerprints + base, fingerprint);
    if (leaf.count() - base < 16) matches &= (1u << (leaf.count() - base)) - 1;
    for (; matches != 0; matches &= matches - 1) {
      const size_t index = base + static_cast<size_t>(std::countr_zero(matches));
      const char* const start = leaf.EntryStart(index);
      PrefetchLine(start + 40);  // An entry may reach into the next line.
      if (!leaf.ReadEntry(index, entry)) return false;
      if (entry->sequence > sequence) continue;
      if (prefix.size() + entry->suffix.size() != user_key.size()) continue;
      if (memcmp(user_key.data() + prefix.size(), entry->suffix.data(), entry->suffix.size()) !=
              0 ||
          memcmp(user_key.data(), prefix.data(), prefix.size()) != 0) {
        continue;
      }
      *found = true;
      return true;
    }
  }
  return true;
}

uint32_t MatchingBytesPortable(const char* p, uint8_t byte) {
  constexpr uint64_t kEach = 0x0101010101010101;
  constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
  uint32_t result = 0;
  for (int half = 0; half < 2; half++) {
    const uint64_t difference = LoadFixed64(p + 8 * half) ^ (kEach * byte);
    // The high bit of each byte is set if the byte is zero.
    const uint64_t zero = ~(((difference & kLow) + kLow) | difference | kLow);
    // The product moves the eight bits next to each other.
    const uint64_t bits = ((zero >> 7) * 0x0102040810204080) >> 56;
    result |= static_cast<uint32_t>(bits) << (8 * half);
  }
  return result;
}

uint32_t MatchingBytes(const char* p, uint8_t byte) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i same = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(byte)));
  return static_cast<uint32_t>(_mm_movemask_epi8(same));
#else
  return MatchingBytesPortable(p, byte);
#endif
}

}  // namespace leveldb
