#include "testing/corruption/file_pieces.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "db/version/version_edit.h"
#include "entry/batch_cursor.h"
#include "entry/internal_key.h"
#include "filelog/format.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "table/block.h"
#include "table/block_cursor.h"
#include "table/block_handle.h"
#include "table/block_source.h"
#include "table/pinned_block.h"
#include "util/coding.h"

namespace leveldb {
namespace testkit {

namespace {

[[noreturn]] void GiveUp(const std::string& what) {
  std::fprintf(stderr, "corruption: the base is not as expected: %s\n", what.c_str());
  std::abort();
}

std::string BaseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Splits a record file into records, each with the headers and payloads of its fragments. A log
// that was not closed ends with preallocated zeros.
template <typename Visit>
void ForEachRecord(const std::string& path, const std::string& bytes, Structure structure,
                   const Visit& visit) {
  std::string record;
  Piece piece;
  bool is_inside = false;
  for (size_t at = 0; at + kLogHeaderSize <= bytes.size();) {
    const size_t left_in_block = kLogBlockSize - at % kLogBlockSize;
    if (left_in_block < kLogHeaderSize) {
      at += left_in_block;
      continue;
    }
    const size_t size = static_cast<uint8_t>(bytes[at + 4]) |
                        static_cast<size_t>(static_cast<uint8_t>(bytes[at + 5])) << 8;
    const FragmentType type = static_cast<FragmentType>(bytes[at + 6]);
    if (!is_inside && bytes.find_first_not_of('\0', at) == std::string::npos) return;
    if (type == FragmentType::kZero || at + kLogHeaderSize + size > bytes.size()) {
      GiveUp(path + " has a bad fragment");
    }
    if (!is_inside) {
      piece = Piece();
      piece.structure = structure;
      piece.file = path;
      piece.Start("checksum", at, 4, true);
      record.clear();
    } else {
      // The rest of the previous block.
      piece.Add("filler", at - piece.end(), false);
      piece.Add("checksum", 4, true);
    }
    piece.Add("length", 2, true);
    piece.Add("type", 1, true);
    piece.Add("payload", size, true);
    record.append(bytes, at + kLogHeaderSize, size);
    is_inside = type == FragmentType::kFirst || type == FragmentType::kMiddle;
    at += kLogHeaderSize + size;
    if (!is_inside) {
      visit(&piece, record);
    }
  }
}

void FindManifestPieces(const std::string& path, const std::string& bytes, PieceMap* map,
                        NamedParts* named) {
  std::map<uint64_t, TreeRecord> trees;
  ForEachRecord(path, bytes, Structure::kManifest, [&](Piece* piece, const std::string& record) {
    VersionEdit edit;
    if (!edit.DecodeFrom(record).ok()) {
      GiveUp(path + " has a bad edit");
    }
    for (const auto& file : edit.deleted_files()) named->tables.erase(file.number);
    for (const auto& file : edit.new_files()) named->tables.insert(file.number);
    for (const auto& tree : edit.pmem().deleted_trees()) trees.erase(tree.number);
    for (const auto& tree : edit.pmem().new_trees()) {
      trees[tree.record.number] = tree.record;
    }
    named->log_number = edit.log_number().value_or(named->log_number);
    map->pieces.push_back(*piece);
  });
  for (const auto& [number, tree] : trees) named->trees.push_back(tree);
}

void FindLogPieces(const std::string& path, const std::string& bytes, PieceMap* map) {
  const int number = static_cast<int>(map->logs.size());
  LogRecords log;
  log.file = path;
  ForEachRecord(path, bytes, Structure::kLogFile, [&](Piece* piece, const std::string& record) {
    uint64_t sequence = BatchSequence(record);
    for (BatchCursor cursor(record); cursor.Next(); ++sequence) {
      piece->carries.push_back({cursor.key().ToString(), sequence});
    }
    piece->cuts.push_back({number, log.records.size()});
    log.records.push_back(piece->carries);
    map->pieces.push_back(*piece);
  });
  map->logs.push_back(std::move(log));
}

void FindCurrentPieces(const std::string& path, const std::string& bytes, PieceMap* map) {
  const size_t dash = bytes.rfind('-');
  Piece piece;
  piece.structure = Structure::kCurrent;
  piece.file = path;
  piece.Start("name", 0, dash + 1, false);
  piece.Add("number", bytes.size() - dash - 2, false);
  piece.Add("newline", 1, false);
  map->pieces.push_back(piece);
}

// Each line is a field.
void FindPmemFilePieces(const std::string& path, const std::string& bytes, PieceMap* map) {
  Piece piece;
  piece.structure = Structure::kPmemFile;
  piece.file = path;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
    const std::string word = bytes.substr(at, bytes.find_first_of(" \n", at) - at);
    const std::string name = word.empty() || word[0] == '#' ? "comment" : word;
    if (piece.fields.empty()) {
      piece.Start(name, at, end - at, false);
    } else {
      piece.Add(name, end - at, false);
    }
    at = end;
  }
  map->pieces.push_back(piece);
}

class BytesFile final : public RandomAccessFile {
 public:
  explicit BytesFile(const std::string& bytes) : bytes_(bytes) {}

  Status Read(uint64_t offset, size_t n, Slice* result, char*) const override {
    if (offset > bytes_.size()) return Status::IOError("beyond the end");
    *result = Slice(bytes_.data() + offset, std::min<size_t>(n, bytes_.size() - offset));
    return Status::OK();
  }

 private:
  const std::string& bytes_;
};

class TablePieces {
 public:
  TablePieces(const std::string& path, const std::string& bytes, PieceMap* map)
      : path_(path),
        bytes_(bytes),
        map_(map),
        file_(bytes),
        source_(&file_, nullptr, bytes.size(), nullptr, path) {}

  void Find() {
    Footer footer;
    const size_t footer_at = bytes_.size() - Footer::kSize;
    if (!footer.DecodeFrom(Slice(bytes_.data() + footer_at, Footer::kSize)).ok()) {
      GiveUp(path_ + " has a bad footer");
    }
    ForEachEntry(footer.index, [&](const Slice&, Slice value) {
      BlockHandle handle;
      if (!handle.ConsumeFrom(&value)) GiveUp(path_ + " has a bad index");
      Piece* const data = AddBlock(Structure::kTableData, handle);
      ForEachEntry(handle, [&](const Slice& key, const Slice&) {
        data->carries.push_back({ExtractUserKey(key).ToString(), ExtractTrailer(key) >> 8});
      });
    });
    ForEachEntry(footer.metaindex, [&](const Slice&, Slice value) {
      BlockHandle handle;
      if (!handle.ConsumeFrom(&value)) GiveUp(path_ + " has a bad metaindex");
      AddBlock(Structure::kTableFilter, handle);
    });
    AddBlock(Structure::kTableMetaindex, footer.metaindex);
    AddBlock(Structure::kTableIndex, footer.index);
    Piece piece;
    piece.structure = Structure::kTableFooter;
    piece.file = path_;
    std::string handle;
    footer.metaindex.AppendTo(&handle);
    piece.Start("metaindex handle", footer_at, handle.size(), false);
    const size_t before = handle.size();
    footer.index.AppendTo(&handle);
    piece.Add("index handle", handle.size() - before, false);
    piece.Add("padding", Footer::kSize - 8 - handle.size(), false);
    piece.Add("magic", 8, false);
    map_->pieces.push_back(piece);
  }

 private:
  Piece* AddBlock(Structure structure, const BlockHandle& handle) {
    Piece piece;
    piece.structure = structure;
    piece.file = path_;
    // The fields are in the order in which a reader uses them.
    const uint64_t tail = std::min<uint64_t>(8, handle.size);
    piece.Start("contents", handle.offset, handle.size - tail, true);
    piece.Add("end of contents", tail, true);
    piece.Add("type", 1, true);
    piece.Add("checksum", 4, true);
    if (piece.fields.front().size == 0) piece.fields.erase(piece.fields.begin());
    map_->pieces.push_back(piece);
    return &map_->pieces.back();
  }

  template <typename Visit>
  void ForEachEntry(const BlockHandle& handle, const Visit& visit) {
    PinnedBlock pinned;
    Block block;
    if (!source_.FetchOnce(true, handle, &pinned).ok() ||
        !Block::Parse(pinned.contents(), &block)) {
      GiveUp(path_ + " has a bad block");
    }
    BlockCursor cursor;
    cursor.Attach(block, 0);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) visit(cursor.key(), cursor.value());
  }

  const std::string& path_;
  const std::string& bytes_;
  PieceMap* const map_;
  BytesFile file_;
  BlockSource source_;
};

}  // namespace

void FindFilePieces(const ImagePlace& place, const Image& image, PieceMap* map, NamedParts* named) {
  const std::string current = place.db() + "/CURRENT";
  const std::string& name = image.at(current);
  FindCurrentPieces(current, name, map);
  const std::string manifest = place.db() + "/" + name.substr(0, name.size() - 1);
  FindManifestPieces(manifest, image.at(manifest), map, named);
  for (const auto& [path, bytes] : image) {
    const std::string base = BaseName(path);
    const size_t dot = base.find('.');
    const std::string suffix = dot == std::string::npos ? "" : base.substr(dot);
    const uint64_t number = std::strtoull(base.c_str(), nullptr, 10);
    if (base == "PMEM") {
      FindPmemFilePieces(path, bytes, map);
    } else if (suffix == ".log" && number >= named->log_number) {
      FindLogPieces(path, bytes, map);
    } else if (suffix == ".ldb" && named->tables.count(number) > 0) {
      TablePieces(path, bytes, map).Find();
    }
  }
}

}  // namespace testkit
}  // namespace leveldb
