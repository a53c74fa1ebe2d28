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

std::string Place(int level, const FileMeta& file) {
  return "file #" + NumberToString(file.number) + " at level " +
         NumberToString(static_cast<uint64_t>(level));
}

}  // namespace

VersionBuilder::VersionBuilder(const InternalKeyComparator* comparator, VersionPtr base)
    : comparator_(comparator), base_(std::move(base)) {
  assert(base_ != nullptr);
}

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
}

// A file that the same edit takes from another level is a move: the table keeps its object, so that
// it counts as dropped only when the last version has dropped it everywhere.
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

Status VersionBuilder::Build(VersionPtr* version) const {
  Version::Levels levels;
  for (int level = 0; level < kNumLevels; level++) {
    const Status status = BuildLevel(level, &levels[level]);
    if (!status.ok()) return status;
  }
  // Not make_shared: the weak references of the version set must not keep the memory.
  version->reset(new Version(comparator_, std::move(levels)));
  return Status::OK();
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
      return Status::Corruption("smallest key is after the largest one", Place(level, file));
    }
    if (i == 0) continue;
    const FileMeta& before = *files[i - 1];
    if (before.number == file.number) {
      return Status::Corruption("named twice", Place(level, file));
    }
    if (level > 0 && comparator_->Compare(before.largest, file.smallest) >= 0) {
      return Status::Corruption("files overlap",
                                Place(level, before) + " and #" + NumberToString(file.number));
    }
  }
  return Status::OK();
}

}  // namespace leveldb
