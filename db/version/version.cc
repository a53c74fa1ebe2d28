#include "db/version/version.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/version/level_search.h"
#include "util/text.h"

namespace leveldb {

namespace {

Version::Levels EmptyLevels() {
  Version::Levels levels;
  levels.fill(std::make_shared<const LevelFiles>());
  return levels;
}

// A range of user keys, open or closed, that can be widened.
class UserRange {
 public:
  UserRange(const Comparator* comparator, const Slice* begin, const Slice* end)
      : comparator_(comparator), has_begin_(begin != nullptr), has_end_(end != nullptr) {
    if (has_begin_) begin_ = *begin;
    if (has_end_) end_ = *end;
  }

  bool Overlaps(const FileMeta& file) const {
    return FileOverlapsRange(comparator_, file, has_begin_ ? &begin_ : nullptr,
                             has_end_ ? &end_ : nullptr);
  }

  // Widens the range to cover `file`. Returns whether that changed it.
  bool Include(const FileMeta& file) {
    bool grown = false;
    if (has_begin_ && comparator_->Compare(file.smallest.user_key(), begin_) < 0) {
      begin_ = file.smallest.user_key();
      grown = true;
    }
    if (has_end_ && comparator_->Compare(file.largest.user_key(), end_) > 0) {
      end_ = file.largest.user_key();
      grown = true;
    }
    return grown;
  }

 private:
  const Comparator* const comparator_;
  const bool has_begin_;
  const bool has_end_;
  Slice begin_;
  Slice end_;
};

// Widens `range` until every file of level 0 is entirely inside or entirely outside it.
void GrowOverLevel0(const std::vector<FileMetaPtr>& files, UserRange* range) {
  bool grown = true;
  while (grown) {
    grown = false;
    for (const FileMetaPtr& file : files) {
      if (range->Overlaps(*file) && range->Include(*file)) grown = true;
    }
  }
}

void AppendTree(const TreeRecord& tree, std::string* text) {
  text->push_back(' ');
  AppendNumber(text, tree.number);
  text->push_back(':');
  AppendNumber(text, tree.user_bytes);
  text->append("[" + tree.smallest.DebugString() + " .. " + tree.largest.DebugString() + "]\n");
}

void AppendFile(const FileMeta& file, std::string* text) {
  text->push_back(' ');
  AppendNumber(text, file.number);
  text->push_back(':');
  AppendNumber(text, file.size);
  text->append("[" + file.smallest.DebugString() + " .. " + file.largest.DebugString() + "]\n");
}

bool HasFiles(const Version::Levels& levels) {
  return std::any_of(levels.begin(), levels.end(),
                     [](const LevelFilesPtr& level) { return !level->empty(); });
}

}  // namespace

Version::Version(const InternalKeyComparator* comparator)
    : Version(comparator, EmptyLevels(), std::make_shared<const TreeGroup>(comparator),
              LevelShape()) {}

Version::Version(const InternalKeyComparator* comparator, Levels levels, TreeGroupPtr group,
                 const LevelShape& shape)
    : comparator_(comparator),
      levels_(std::move(levels)),
      has_files_(HasFiles(levels_)),
      group_(std::move(group)),
      shape_(shape) {
  assert(std::count(levels_.begin(), levels_.end(), nullptr) == 0);
  assert(group_ != nullptr);
}

double Version::score(int level) const {
  return LevelScore(level, num_files(level), level_bytes(level), shape_.level1_bytes);
}

int Version::compaction_level() const {
  int best = 0;
  for (int level = 1; level < kNumLevels; level++) {
    if (score(level) > score(best)) best = level;
  }
  return best;
}

double Version::compaction_score() const {
  return score(compaction_level());
}

std::vector<FileMetaPtr> Version::Overlapping(int level, const InternalKey* begin,
                                              const InternalKey* end) const {
  Slice begin_key;
  Slice end_key;
  if (begin != nullptr) begin_key = begin->user_key();
  if (end != nullptr) end_key = end->user_key();
  return OverlappingUserRange(level, begin != nullptr ? &begin_key : nullptr,
                              end != nullptr ? &end_key : nullptr);
}

std::vector<FileMetaPtr> Version::OverlappingUserRange(int level, const Slice* begin,
                                                       const Slice* end) const {
  std::vector<FileMetaPtr> found;
  if (level > 0) {
    const std::vector<FileMetaPtr>& all = files(level);
    size_t index = begin == nullptr ? 0 : FindFileOfUserKey(*comparator_, *levels_[level], *begin);
    while (index < all.size() &&
           FileOverlapsRange(comparator_->user_comparator(), *all[index], begin, end)) {
      found.push_back(all[index++]);
    }
    return found;
  }
  UserRange range(comparator_->user_comparator(), begin, end);
  GrowOverLevel0(files(0), &range);
  for (const FileMetaPtr& file : files(0)) {
    if (range.Overlaps(*file)) found.push_back(file);
  }
  return found;
}

bool Version::OverlapInLevel(int level, const Slice* smallest, const Slice* largest) const {
  if (level > 0) return SortedLevelOverlapsRange(*comparator_, *levels_[level], smallest, largest);
  for (const FileMetaPtr& file : files(0)) {
    if (FileOverlapsRange(comparator_->user_comparator(), *file, smallest, largest)) return true;
  }
  return false;
}

bool Version::Contains(int level, uint64_t number) const {
  for (const FileMetaPtr& file : files(level)) {
    if (file->number == number) return true;
  }
  return false;
}

std::string Version::DebugString() const {
  std::string text;
  for (int level = 0; level < kNumLevels; level++) {
    text.append("--- level ");
    AppendNumber(&text, static_cast<uint64_t>(level));
    text.append(" ---\n");
    for (const FileMetaPtr& file : files(level)) AppendFile(*file, &text);
  }
  for (int level = 0; level < kGroupLevels; level++) {
    if (group_->trees(level).empty()) continue;
    text.append("--- group level ");
    AppendNumber(&text, static_cast<uint64_t>(level));
    text.append(" ---\n");
    for (const TreePtr& tree : group_->trees(level)) AppendTree(tree->record(), &text);
  }
  return text;
}

}  // namespace leveldb
