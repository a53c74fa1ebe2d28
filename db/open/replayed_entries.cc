#include "db/open/replayed_entries.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <future>
#include <memory>
#include <numeric>
#include <system_error>
#include <thread>

#include "util/prefetch.h"

namespace leveldb {

namespace {

constexpr size_t kDigestSize = 8;

// An entry, represented by its index and the first bytes in which keys differ.
struct Digested {
  uint64_t digest;
  uint32_t index;
};

// Returns the kDigestSize bytes of `key` after `prefix` as a number that sorts like them.
uint64_t Digest(const Slice& key, size_t prefix) {
  uint64_t digest = 0;
  const size_t available = key.size() - prefix;
  if (available >= kDigestSize) {
    memcpy(&digest, key.data() + prefix, kDigestSize);
    return std::endian::native == std::endian::little ? __builtin_bswap64(digest) : digest;
  }
  for (size_t i = 0; i < kDigestSize; i++) {
    digest = digest << 8 | (i < available ? static_cast<unsigned char>(key[prefix + i]) : 0);
  }
  return digest;
}

size_t SharedPrefix(const Slice& a, const Slice& b, size_t at_most) {
  const size_t limit = std::min({a.size(), b.size(), at_most});
  if (memcmp(a.data(), b.data(), limit) == 0) return limit;
  size_t length = 0;
  while (length < limit && a[length] == b[length]) length++;
  return length;
}

// Sorts in one pass for each byte of the digests in which they differ, from the last byte on.
void SortByDigest(std::vector<Digested>* items) {
  using Counts = std::array<uint32_t, 256>;
  std::array<Counts, kDigestSize> counts{};
  for (const Digested& item : *items) {
    for (size_t i = 0; i < kDigestSize; i++) counts[i][item.digest >> 8 * i & 0xff]++;
  }
  std::vector<Digested> sorted(items->size());
  for (size_t i = 0; i < kDigestSize; i++) {
    const auto byte_of = [i](const Digested& item) { return item.digest >> 8 * i & 0xff; };
    if (items->empty() || counts[i][byte_of(items->front())] == items->size()) continue;
    Counts places;
    std::exclusive_scan(counts[i].begin(), counts[i].end(), places.begin(), 0u);
    for (const Digested& item : *items) sorted[places[byte_of(item)]++] = item;
    items->swap(sorted);
  }
}

}  // namespace

void ReplayedEntries::Add(SequenceNumber sequence, ValueType type, const Slice& key,
                          const Slice& value) {
  const size_t index = size();
  const size_t shared = index == 0 ? key.size() : SharedPrefix(At(0).Key(), key, shared_prefix_);
  if (shared != shared_prefix_) digested_ = index;
  shared_prefix_ = shared;
  if (index == pieces_.size() * kPieceEntries) {
    pieces_.push_back(std::make_unique_for_overwrite<Entry[]>(kPieceEntries));
  }
  pieces_[index / kPieceEntries][index % kPieceEntries] = {
      PackTrailer(sequence, type), key.data(), value.data(), static_cast<uint32_t>(key.size()),
      static_cast<uint32_t>(value.size())};
  digests_.push_back(Digest(key, shared_prefix_));
}

void ReplayedEntries::Truncate(size_t size) {
  digests_.resize(size);
  digested_ = std::min(digested_, size);
}

void ReplayedEntries::Fill(MemTable* memtable) const {
  // For fewer entries, half of them take about as long as starting the thread.
  constexpr size_t kLeastForThread = 10'000;
  Fill(size() >= kLeastForThread && std::thread::hardware_concurrency() > 1, memtable);
}

void ReplayedEntries::Fill(bool with_thread, MemTable* memtable) const {
  const std::vector<uint32_t> order = Order(memtable->comparator());
  size_t half = order.size();
  std::future<void> other;
  if (with_thread) {
    half /= 2;
    try {
      other = std::async(std::launch::async, [this, &order, half, memtable] {
        FillPart(order, half, order.size(), 1, memtable);
      });
    } catch (const std::system_error&) {  // no thread is available
      half = order.size();
    }
  }
  FillPart(order, 0, half, 0, memtable);
  if (other.valid()) other.get();
}

// The entries are spread over the pool, so each is prefetched some time before it is needed.
void ReplayedEntries::FillPart(const std::vector<uint32_t>& order, size_t begin, size_t end,
                               size_t part, MemTable* memtable) const {
  constexpr size_t kEntriesAhead = 32;
  constexpr size_t kBytesAhead = 12;
  MemTable::InsertHint hint;
  for (size_t i = begin; i < end; i++) {
    if (i + kEntriesAhead < end) {
      PrefetchLine(&At(order[i + kEntriesAhead]));
      const Entry& soon = At(order[i + kBytesAhead]);
      PrefetchLine(soon.key);
      PrefetchLine(soon.value + soon.value_size / 2);
    }
    const Entry& entry = At(order[i]);
    memtable->Add(entry.trailer >> 8, static_cast<ValueType>(entry.trailer & 0xff), entry.Key(),
                  entry.Value(), part, &hint);
  }
}

std::vector<uint32_t> ReplayedEntries::Order(const InternalKeyComparator& comparator) const {
  if (comparator.is_bytewise()) return OrderOfBytes();
  std::vector<uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t i, uint32_t j) {
    const Entry& a = At(i);
    const Entry& b = At(j);
    const int by_key = comparator.CompareUserKeys(a.Key(), b.Key());
    return by_key != 0 ? by_key < 0 : a.trailer > b.trailer;
  });
  return order;
}

// Returns the order by the bytes after the prefix that all keys share.
std::vector<uint32_t> ReplayedEntries::OrderOfBytes() const {
  std::vector<Digested> items(size());
  for (uint32_t i = 0; i < items.size(); i++) {
    items[i] = {i < digested_ ? Digest(At(i).Key(), shared_prefix_) : digests_[i], i};
  }
  SortByDigest(&items);
  for (auto run = items.begin(); run != items.end();) {
    const auto is_other = [run](const Digested& item) { return item.digest != run->digest; };
    const auto end = std::find_if(run + 1, items.end(), is_other);
    if (end - run > 1) {
      std::sort(run, end, [this](const Digested& a, const Digested& b) {
        const int by_key = At(a.index).Key().compare(At(b.index).Key());
        return by_key != 0 ? by_key < 0 : At(a.index).trailer > At(b.index).trailer;
      });
    }
    run = end;
  }
  std::vector<uint32_t> order(items.size());
  for (size_t i = 0; i < items.size(); i++) order[i] = items[i].index;
  return order;
}

}  // namespace leveldb
