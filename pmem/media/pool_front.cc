#include "pmem/media/pool_front.h"

#include <algorithm>
#include <cstring>

#include "pmem/media/cache_lines.h"
#include "pmem/media/heap_layout.h"
#include "pmem/media/pool_heap.h"
#include "util/coding.h"
#include "util/round.h"

namespace leveldb {

namespace {

using Layout = HeapLayout;

// The root is among the first objects that libpmemobj allocates after its journals.
constexpr uint64_t kFrontBytes = 8 << 20;
constexpr size_t kRootAlignment = 64;

// libpmemobj's header begins with its signature.
constexpr char kSignature[] = "PMEMOBJ";

// A lane holds three journals, one after the other, each with a header of 64 bytes. The header has,
// among others, the offset at which the journal continues (0: nowhere) and the capacity in use,
// whole lines. The entries follow. The highest bits of an entry's first word say what kind it is,
// the others which pool offset it is for, and a word of zeros ends the entries. Most kinds change a
// word, and the new one follows. Others hold bytes: their sum and number follow, then the bytes, to
// the end of a line.
constexpr size_t kJournalHeadBytes = 64;
constexpr size_t kJournalNextAt = 8;
constexpr size_t kJournalCapacityAt = 16;
constexpr size_t kJournalCapacities[] = {192, 640, 2048};
constexpr int kEntryKindShift = 61;
constexpr uint64_t kEntryOffsetMask = (uint64_t{1} << kEntryKindShift) - 1;
constexpr bool kEntryKindExists[] = {true, true, true, false, false, true, true, false};
constexpr size_t kFirstKindWithBytes = 5;
constexpr size_t kWordEntryBytes = 16;
constexpr size_t kBytesEntryHeadBytes = 24;
constexpr size_t kBytesEntryCountAt = 16;

// A chunk whose header has the type of a run is divided into blocks. The chunk begins with their
// size, by which libpmemobj divides.
constexpr uint64_t kRunHeadBytes = 16;

// Returns true if all entries of a journal are for offsets in a pool of pool_bytes bytes.
// libpmemobj has a sum over the whole journal only for redo journals; it carries out the entries of
// others one by one.
bool EntriesAreSound(const char* entries, uint64_t capacity, uint64_t pool_bytes) {
  for (uint64_t at = 0; at < capacity;) {
    const uint64_t first = LoadFixed64(entries + at);
    if (first == 0) return true;
    const uint64_t kind = first >> kEntryKindShift;
    const uint64_t pool_offset = first & kEntryOffsetMask;
    if (!kEntryKindExists[kind]) return false;
    uint64_t changed = sizeof(uint64_t);
    uint64_t length = kWordEntryBytes;
    if (kind >= kFirstKindWithBytes) {
      const uint64_t room = capacity - at;
      if (room < kBytesEntryHeadBytes) return false;
      changed = LoadFixed64(entries + at + kBytesEntryCountAt);
      if (changed > room - kBytesEntryHeadBytes) return false;
      length = RoundUp(kBytesEntryHeadBytes + changed, uint64_t{kCacheLineBytes});
    }
    if (pool_offset > pool_bytes || changed > pool_bytes - pool_offset) return false;
    at += length;
  }
  return true;
}

}  // namespace

PoolFront::PoolFront(const char* base, uint64_t bytes)
    : file_("", 0, 0),
      bytes_(bytes),
      mapped_(base),
      front_(base, static_cast<size_t>(std::min(bytes, kFrontBytes))) {}

uint64_t PoolFront::MetadataEnd() {
  return Layout::kFirstChunkAt;
}

Status PoolFront::Read() {
  return ReadUpTo(Layout::kLanesAt);
}

Status PoolFront::ReadUpTo(size_t bytes) {
  const size_t wanted = std::min(bytes, bytes_);
  if (mapped_ != nullptr) return Status::OK();
  if (buffer_ != nullptr && wanted <= front_.size()) return Status::OK();
  front_ = {};
  buffer_ = std::make_unique_for_overwrite<char[]>(wanted);
  size_t filled = 0;
  Status s = ReadPart(0, wanted, buffer_.get(), &filled);
  if (s.ok()) front_ = std::string_view(buffer_.get(), filled);
  return s;
}

Status PoolFront::ReadPart(uint64_t at, size_t n, char* to, size_t* filled) const {
  if (mapped_ == nullptr) return file_.Read(at, n, to, filled);
  memcpy(to, mapped_ + at, n);
  *filled = n;
  return Status::OK();
}

bool PoolFront::IsBlank() const {
  return front_.find_first_not_of('\0') >= std::min(front_.size(), Layout::kDescriptorAt);
}

bool PoolFront::IsHalfMade() {
  if (!ReadUpTo(kFrontBytes).ok()) return false;
  if (front_.find_first_not_of('\0') == std::string_view::npos) return true;
  if (front_.size() < Layout::kLanesOffsetAt) return false;
  if (memcmp(front_.data(), kSignature, sizeof(kSignature)) != 0) return false;
  const std::string_view rest = front_.substr(Layout::kDescriptorAt);
  const std::string_view layout = rest.substr(0, rest.find('\0'));
  if (!layout.empty() && layout != PoolHeap::kLayout) return false;
  for (size_t at = 0; at + PoolRoot::kMagicBytes <= front_.size(); at += kRootAlignment) {
    if (memcmp(front_.data() + at, PoolRoot::kMagic, PoolRoot::kMagicBytes) == 0) return false;
  }
  return true;
}

// Reads the pool's root if it is at bytes[0, PoolRoot::kBytes), which are at `at` in the pool.
// Returns an error if it is there but damaged.
Status PoolFront::TakeRoot(const char* bytes, uint64_t at, const std::string& name,
                           PoolIdentity* identity, bool* is_there) {
  *is_there = false;
  if (memcmp(bytes, PoolRoot::kMagic, PoolRoot::kMagicBytes) != 0) return Status::OK();
  Status s = PoolRoot::ReadIdentity(bytes, name, identity);
  // Data may contain a copy of some root, but the copy does not name its own offset.
  *is_there = s.ok() && identity->here == at;
  return s;
}

Status PoolFront::FindRoot(const std::string& name, PoolIdentity* identity, std::string* root) {
  if (front_.size() < Layout::kLanesAt) return SearchRoot(name, identity, root);
  const uint64_t at = RoundUp(LoadFixed64(front_.data() + Layout::kRootOffsetAt), kRootAlignment);
  if (at > kFrontBytes - PoolRoot::kBytes || at + PoolRoot::kBytes > bytes_) {
    return SearchRoot(name, identity, root);
  }
  size_t filled;
  root->resize(PoolRoot::kBytes);
  const Status s = ReadPart(at, PoolRoot::kBytes, root->data(), &filled);
  if (!s.ok()) return s;
  bool is_there = false;
  if (filled == PoolRoot::kBytes && TakeRoot(root->data(), at, name, identity, &is_there).ok() &&
      is_there) {
    return s;
  }
  return SearchRoot(name, identity, root);
}

PoolOffset PoolFront::RootOffset() const {
  const uint64_t at =
      front_.size() < Layout::kLanesAt
          ? 0
          : RoundUp(LoadFixed64(front_.data() + Layout::kRootOffsetAt), kRootAlignment);
  const bool is_possible = at >= Layout::kFirstChunkAt && at <= kFrontBytes - PoolRoot::kBytes &&
                           at + PoolRoot::kBytes <= bytes_;
  return is_possible ? at : Layout::kFirstChunkAt;
}

// Searches the whole front, for a pool whose descriptor is damaged.
Status PoolFront::SearchRoot(const std::string& name, PoolIdentity* identity, std::string* root) {
  Status s = ReadUpTo(kFrontBytes);
  for (size_t at = 0; s.ok() && at + PoolRoot::kBytes <= front_.size(); at += kRootAlignment) {
    bool is_there;
    s = TakeRoot(front_.data() + at, at, name, identity, &is_there);
    if (is_there) {
      root->assign(front_.substr(at, PoolRoot::kBytes));
      return s;
    }
  }
  if (!s.ok()) return s;
  return Status::Corruption("no root of a BushStore pool in " + name,
                            "it is damaged, or no pool of ours");
}

bool PoolFront::LayoutIsKnown() const {
  return bytes_ >= Layout::kFirstChunkAt && front_.size() >= Layout::kLanesAt &&
         Layout::IsOf(front_.data());
}

uint64_t PoolFront::HeapEnd() const {
  if (!LayoutIsKnown()) return 0;
  const uint64_t bytes = LoadFixed64(front_.data() + Layout::kHeapBytesAt);
  return bytes <= UINT64_MAX - Layout::kHeapAt ? Layout::kHeapAt + bytes : UINT64_MAX;
}

bool PoolFront::JournalsAreSound(uint64_t bytes) const {
  const char* head = front_.data() + Layout::kLanesAt;
  for (size_t lane = 0; lane < Layout::kLanes; lane++) {
    for (const size_t capacity : kJournalCapacities) {
      const uint64_t noted_capacity = LoadFixed64(head + kJournalCapacityAt);
      if (LoadFixed64(head + kJournalNextAt) != 0 || noted_capacity > capacity ||
          noted_capacity % kCacheLineBytes != 0 ||
          !EntriesAreSound(head + kJournalHeadBytes, noted_capacity, bytes)) {
        return false;
      }
      head += kJournalHeadBytes + capacity;
    }
  }
  return true;
}

bool PoolFront::ChunksAreSound() const {
  const uint32_t chunks = LoadFixed32(front_.data() + Layout::kZoneAt + Layout::kZoneChunksAt);
  if (chunks > Layout::kChunksMax) return false;
  uint32_t chunk = 0;
  while (chunk < chunks) {
    const char* const head =
        front_.data() + Layout::kZoneAt + Layout::kZoneHeadBytes + chunk * Layout::kChunkHeadBytes;
    const uint32_t length = LoadFixed32(head + 4);
    if (length == 0 || length > chunks - chunk) return false;
    const uint16_t type = static_cast<uint16_t>(LoadFixed32(head));
    if (type == Layout::kRun && !RunIsSound(chunk, length)) return false;
    chunk += length;
  }
  return true;
}

// Returns true if a run has a valid block size and alignment. Runs beyond the front are not
// checked: they are never BushStore's, because the root is in its only one.
bool PoolFront::RunIsSound(uint32_t chunk, uint32_t chunks) const {
  const uint64_t at = Layout::kFirstChunkAt + uint64_t{chunk} * Layout::kChunkBytes;
  if (at + kRunHeadBytes > std::min(kFrontBytes, bytes_)) return true;
  char head[kRunHeadBytes];
  size_t filled;
  if (!ReadPart(at, sizeof(head), head, &filled).ok() || filled < sizeof(head)) return false;
  const uint64_t block_bytes = LoadFixed64(head);
  const uint64_t alignment = LoadFixed64(head + 8);
  return block_bytes >= kRunHeadBytes && block_bytes < uint64_t{chunks} * Layout::kChunkBytes &&
         alignment < Layout::kChunkBytes && (alignment & (alignment - 1)) == 0;
}

Status PoolFront::CheckHeap(const std::string& name, const PoolIdentity& identity,
                            uint64_t bytes_noted, uint64_t bytes) {
  Status s = ReadUpTo(Layout::kFirstChunkAt);
  if (!s.ok()) return s;
  if (front_.size() < Layout::kFirstChunkAt)
    return Status::Corruption("pool " + name, "is cut short");
  if (!LayoutIsKnown()) return Status::OK();
  const uint64_t root = LoadFixed64(front_.data() + Layout::kRootOffsetAt);
  const uint64_t heap_bytes = LoadFixed64(front_.data() + Layout::kHeapBytesAt);
  const char* what = nullptr;
  if (root > identity.here || identity.here - root >= kRootAlignment) what = "place of the root";
  if (heap_bytes > bytes - Layout::kHeapAt || heap_bytes + Layout::kHeapAt < bytes_noted)
    what = "length of the heap";
  if (!JournalsAreSound(bytes)) what = "journal";
  if (!ChunksAreSound()) what = "chain of chunks";
  if (what == nullptr) return Status::OK();
  return Status::Corruption("pool " + name, std::string("libpmemobj's ") + what + " is damaged");
}

Status PoolFront::Blank() const {
  const std::string zeros(std::min<uint64_t>(kFrontBytes, bytes_), '\0');
  return zeros.empty() ? Status::OK() : file_.Write(0, zeros.data(), zeros.size());
}

}  // namespace leveldb
