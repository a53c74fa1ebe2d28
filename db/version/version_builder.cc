#include "db/version/version_builder.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "util/text.h"

namespace leveldb {

namespace {

bool NewestFirst(const FileMeta& a, const FileMeta& b) {
  return a.number > b.number;
}

bool Holds(const TreeList& trees, uint64_t number) {
  return std::any_of(trees.begin(), trees.end(),
                     [number](const TreePtr& tree) { return tree->number() == number; });
}

std::string Where(int level, const FileMeta& file) {
  return "file #" + NumberToString(file.number) + " at level " +
         NumberToString(static_cast<uint64_t>(level));
}

}  // namespace

VersionBuilder::VersionBuilder(const InternalKeyComparator* comparator, VersionPtr base,
                               TreeOpener open_tree)
    : comparator_(comparator),
      base_(std::move(base)),
      open_tree_(std::move(open_tree)),
      shape_(base_->shape()) {}

void VersionBuilder::Apply(const VersionEdit& edit) {
  std::vector<FileMetaPtr> metas;
  for (const VersionEdit::NewFile& file : edit.new_files()) metas.push_back(MetaFor(edit, file));
  for (const VersionEdit::DeletedFile& file : edit.deleted_files()) {
    LevelChanges& changes = changes_[file.level];
    if (changes.added.erase(file.number) == 0) changes.removed.insert(file.number);
  }
  for (size_t i = 0; i < metas.size(); i++) {
    changes_[edit.new_files()[i].level].added[metas[i]->number] = metas[i];
  }
  ApplyToGroup(edit.pmem());
}

void VersionBuilder::ApplyToGroup(const PmemEdit& edit) {
  std::vector<PmemEdit::NewTree> added = edit.new_trees();
  for (PmemEdit::NewTree& tree : added) {
    if (tree.tree == nullptr) tree.tree = FindTree(edit, tree);
  }
  for (const PmemEdit::DeletedTree& tree : edit.deleted_trees()) {
    GroupChanges& changes = group_changes_[tree.level];
    if (changes.added.erase(tree.number) == 0) changes.removed.insert(tree.number);
  }
  for (PmemEdit::NewTree& tree : added) {
    group_changes_[tree.level].added.insert_or_assign(tree.record.number, tree);
  }
}

// Returns the open tree if the same edit removes it from another level; null if it has to be
// opened.
TreePtr VersionBuilder::FindTree(const PmemEdit& edit, const PmemEdit::NewTree& added) const {
  for (const PmemEdit::DeletedTree& deleted : edit.deleted_trees()) {
    if (deleted.number != added.record.number) continue;
    const auto before = group_changes_[deleted.level].added.find(deleted.number);
    if (before != group_changes_[deleted.level].added.end()) return before->second.tree;
    for (const TreePtr& tree : base_->group()->trees(deleted.level)) {
      if (tree->number() == deleted.number) return tree;
    }
  }
  return nullptr;
}

// Returns the FileMeta of a file that the edit adds. A file that the same edit removes from another
// level is moved: the table keeps its object, so that it is obsolete only when no version names it
// at any level.
FileMetaPtr VersionBuilder::MetaFor(const VersionEdit& edit,
                                    const VersionEdit::NewFile& file) const {
  for (const VersionEdit::DeletedFile& deleted : edit.deleted_files()) {
    if (deleted.number != file.number) continue;
    FileMetaPtr moved = Find(deleted.level, deleted.number);
    if (moved != nullptr) {
      moved->allowed_seeks.store(FileMeta::InitialSeeks(moved->size), std::memory_order_relaxed);
      return moved;
    }
  }
  return std::make_shared<FileMeta>(file.number, file.size, file.smallest, file.largest);
}

FileMetaPtr VersionBuilder::Find(int level, uint64_t number) const {
  const LevelChanges& changes = changes_[level];
  const auto added = changes.added.find(number);
  if (added != changes.added.end()) return added->second;
  if (changes.removed.count(number) > 0) return nullptr;
  for (const FileMetaPtr& file : base_->files(level)) {
    if (file->number == number) return file;
  }
  return nullptr;
}

Status VersionBuilder::Build(VersionPtr* version) {
  Version::Levels levels;
  for (int level = 0; level < kNumLevels; level++) {
    const Status status = BuildLevel(level, &levels[level]);
    if (!status.ok()) return status;
  }
  TreeGroupPtr group;
  const Status status = BuildGroup(&group);
  if (!status.ok()) return status;
  // Not make_shared: the weak references of the version set must not keep its memory allocated.
  version->reset(new Version(comparator_, std::move(levels), std::move(group), shape_));
  return status;
}

Status VersionBuilder::BuildGroup(TreeGroupPtr* group) {
  bool unchanged = true;
  TreeLevels levels;
  for (int level = 0; level < kGroupLevels; level++) {
    GroupChanges& changes = group_changes_[level];
    unchanged = unchanged && changes.removed.empty() && changes.added.empty();
    for (const TreePtr& tree : base_->group()->trees(level)) {
      if (changes.removed.count(tree->number()) == 0) levels[level].push_back(tree);
    }
    for (auto& [number, added] : changes.added) {
      if (Holds(levels[level], number)) {
        return Status::Corruption("the manifest names one tree twice", added.record.DebugString());
      }
      const Status status = OpenTree(&added);
      if (!status.ok()) return status;
      levels[level].push_back(added.tree);
    }
  }
  if (unchanged) {
    *group = base_->group();
    return Status::OK();
  }
  return TreeGroup::Build(comparator_, std::move(levels), group);
}

Status VersionBuilder::OpenTree(PmemEdit::NewTree* added) const {
  if (added->tree != nullptr) return Status::OK();
  if (open_tree_ == nullptr) {
    return Status::InvalidArgument("a tree in persistent memory is named, but there is no pool",
                                   added->record.DebugString());
  }
  return open_tree_(added->record, &added->tree);
}

Status VersionBuilder::BuildLevel(int level, LevelFilesPtr* result) const {
  const LevelChanges& changes = changes_[level];
  if (changes.added.empty() && changes.removed.empty()) {
    *result = base_->shared_level(level);
    return Status::OK();
  }
  std::vector<FileMetaPtr> kept;
  for (const FileMetaPtr& file : base_->files(level)) {
    if (changes.removed.count(file->number) == 0) kept.push_back(file);
  }
  std::vector<FileMetaPtr> added;
  for (const auto& [number, file] : changes.added) added.push_back(file);

  const auto before = [this, level](const FileMetaPtr& a, const FileMetaPtr& b) {
    return level == 0 ? NewestFirst(*a, *b) : AscendingKeys(*a, *b);
  };
  std::sort(added.begin(), added.end(), before);
  std::vector<FileMetaPtr> files(kept.size() + added.size());
  std::merge(kept.begin(), kept.end(), added.begin(), added.end(), files.begin(), before);

  const Status status = CheckLevel(level, files);
  if (status.ok()) *result = std::make_shared<const LevelFiles>(std::move(files));
  return status;
}

bool VersionBuilder::AscendingKeys(const FileMeta& a, const FileMeta& b) const {
  const int order = comparator_->Compare(a.smallest, b.smallest);
  return order != 0 ? order < 0 : a.number < b.number;
}

Status VersionBuilder::CheckLevel(int level, const std::vector<FileMetaPtr>& files) const {
  for (size_t i = 0; i < files.size(); i++) {
    const FileMeta& file = *files[i];
    if (comparator_->Compare(file.smallest, file.largest) > 0) {
      return Status::Corruption(
          "the manifest names a table whose smallest key is after its largest", Where(level, file));
    }
    if (i == 0) continue;
    const FileMeta& before = *files[i - 1];
    if (before.number == file.number) {
      return Status::Corruption("the manifest names one table twice", Where(level, file));
    }
    if (level > 0 && comparator_->Compare(before.largest, file.smallest) >= 0) {
      return Status::Corruption("the manifest names tables that overlap",
                                Where(level, before) + " and #" + NumberToString(file.number));
    }
  }
  return Status::OK();
}

}  // namespace leveldb
