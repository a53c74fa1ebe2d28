#include "testing/corruption/wound.h"

#include <algorithm>

#include "filelog/format.h"

namespace leveldb {
namespace testkit {

namespace {

const char* const kNames[kHarms] = {"flip", "zero", "garbage", "truncate", "swap", "mix"};

// The sizes of ranges that a medium loses as a whole.
constexpr uint64_t kRanges[] = {64, 256, 4096};

bool IsTable(Structure structure) {
  return structure >= Structure::kTableData && structure <= Structure::kTableFooter;
}

class Inflicter {
 public:
  Inflicter(const Base& base, Dice* dice, Image* image, Wound* wound)
      : base_(base), dice_(*dice), image_(image), wound_(wound) {}

  bool Run(const WoundChoice& choice) {
    std::vector<std::vector<const Piece*>> of_structures(kStructures);
    for (const Piece& piece : base_.map.pieces) {
      of_structures[static_cast<size_t>(piece.structure)].push_back(&piece);
    }
    std::vector<Structure> present;
    for (const Structure structure : choice.structures) {
      if (!of_structures[static_cast<size_t>(structure)].empty()) present.push_back(structure);
    }
    if (present.empty()) return false;
    wound_->structure = present[dice_.Below(present.size())];
    wound_->harm = choice.harms[dice_.Below(choice.harms.size())];
    if (wound_->harm == Harm::kMix) return false;
    const auto& pieces = of_structures[static_cast<size_t>(wound_->structure)];
    const Piece& piece = *pieces[dice_.Below(pieces.size())];
    const Field& field = piece.fields[dice_.Below(piece.fields.size())];
    wound_->field = field.name;
    wound_->file = piece.file;
    bytes_ = &(*image_)[piece.file];
    if (wound_->harm == Harm::kSwap) {
      Swap(piece);
    } else {
      Damage(piece, field);
    }
    return NoteChange(base_.image.at(piece.file));
  }

 private:
  // Returns a position in the field; in long fields mostly one that is not zero.
  uint64_t PoolOffset(const Field& field) {
    const uint64_t at = field.begin + dice_.Below(field.size);
    if (field.size < 512 || dice_.OneIn(4)) return at;
    const size_t used = bytes_->find_first_not_of('\0', at);
    return used < field.begin + field.size ? used : at;
  }

  void Damage(const Piece& piece, const Field& field) {
    uint64_t begin = PoolOffset(field);
    if (wound_->harm == Harm::kFlip) {
      (*bytes_)[begin] = static_cast<char>((*bytes_)[begin] ^ (1 << dice_.Below(8)));
      return;
    }
    if (wound_->harm == Harm::kTruncate) {
      // May also cut exactly at the beginning of the field.
      bytes_->resize(dice_.OneIn(2) ? field.begin : begin);
      return;
    }
    uint64_t end = begin + 1;
    const uint64_t how = dice_.Below(6);
    if (how == 0) {
      begin = piece.begin();
      end = piece.end();
    } else if (how <= 2) {
      begin = field.begin;
      end = field.begin + field.size;
    } else {
      const uint64_t range = kRanges[how - 3];
      begin = begin / range * range;
      end = std::min<uint64_t>(begin + range, bytes_->size());
    }
    for (uint64_t at = begin; at < end; ++at) {
      (*bytes_)[at] = wound_->harm == Harm::kZero ? '\0' : static_cast<char>(dice_.Next());
    }
  }

  void Swap(const Piece& piece) {
    if (piece.structure == Structure::kPmemFile) {
      // The file as it was before the pool was in use.
      const size_t at = bytes_->find("state used");
      if (at != std::string::npos) bytes_->replace(at, 10, "state new");
    } else if (IsTable(piece.structure)) {
      std::vector<const std::string*> others;
      for (const Piece& other : base_.map.pieces) {
        if (other.structure == Structure::kTableFooter && other.file != piece.file) {
          others.push_back(&base_.image.at(other.file));
        }
      }
      if (!others.empty()) *bytes_ = *others[dice_.Below(others.size())];
    } else if (!base_.older.empty()) {
      const Image& older = base_.older[dice_.Below(base_.older.size())];
      const auto found = older.find(piece.file);
      if (found == older.end()) return;
      if (!IsInPool(piece.structure)) {
        *bytes_ = found->second;
      } else if (piece.end() <= found->second.size()) {
        const size_t size = piece.end() - piece.begin();
        bytes_->replace(piece.begin(), size, found->second, piece.begin(), size);
      }
    }
  }

  bool NoteChange(const std::string& before) {
    const size_t both = std::min(before.size(), bytes_->size());
    const auto first = std::mismatch(before.begin(), before.begin() + static_cast<ptrdiff_t>(both),
                                     bytes_->begin());
    wound_->begin = static_cast<uint64_t>(first.first - before.begin());
    if (before.size() != bytes_->size()) {
      wound_->end = std::max(before.size(), bytes_->size());
      return true;
    }
    wound_->end = before.size();
    while (wound_->end > wound_->begin && before[wound_->end - 1] == (*bytes_)[wound_->end - 1]) {
      --wound_->end;
    }
    return wound_->begin < wound_->end;
  }

  const Base& base_;
  Dice& dice_;
  Image* const image_;
  Wound* const wound_;
  std::string* bytes_ = nullptr;
};

// Returns whether the structure is read only when something is looked up in it.
bool IsReadLate(Structure structure) {
  return structure == Structure::kTableData || structure == Structure::kLeaf ||
         structure == Structure::kValue || structure == Structure::kChunkList ||
         structure == Structure::kUnused;
}

class Examination {
 public:
  Examination(const PieceMap& map, const Wound& wound, Injury* injury)
      : map_(map), wound_(wound), injury_(injury) {}

  void Run() {
    for (const Piece& piece : map_.pieces) {
      if (piece.file == wound_.file && Hits(piece.begin(), piece.end())) NoteHit(piece);
    }
    if (wound_.harm == Harm::kTruncate && IsInPool(wound_.structure)) {
      injury_->structures.insert(Structure::kPoolHeader);  // a truncated pool is refused as a whole
      injury_->is_local = false;
    }
  }

 private:
  bool Hits(uint64_t begin, uint64_t end) const { return begin < wound_.end && wound_.begin < end; }

  void NoteHit(const Piece& piece) {
    injury_->structures.insert(piece.structure);
    // What logs carry is read by the open.
    injury_->is_local &= IsReadLate(piece.structure) && piece.cuts.empty();
    for (const Field& field : piece.fields) {
      injury_->hits_checked_bytes |=
          field.is_checked && Hits(field.begin, field.begin + field.size);
    }
    injury_->lost.insert(piece.carries.begin(), piece.carries.end());
    for (const LogCut& cut : piece.cuts) {
      if (IsInPool(piece.structure)) {
        NotePoolCut(piece, cut);
      } else {
        NoteFileCut(piece);
      }
    }
  }

  // Notes that the records from the cut on are lost; with a value only if the log may end there.
  void NotePoolCut(const Piece& piece, const LogCut& cut) {
    const LogRecords& log = map_.logs[static_cast<size_t>(cut.log)];
    const bool is_value =
        piece.structure == Structure::kValue || piece.structure == Structure::kChunkList;
    if (!is_value) {
      for (size_t i = cut.record; i < log.records.size(); ++i) {
        injury_->lost.insert(log.records[i].begin(), log.records[i].end());
      }
    }
    injury_->may_end_log |= !log.end_is_proven && NothingIsWholeBehind(cut, log);
    if (injury_->may_end_log) {
      for (size_t i = cut.record; i < log.records.size(); ++i) {
        injury_->lost.insert(log.records[i].begin(), log.records[i].end());
      }
    }
  }

  // Returns whether no intact record after the cut proves that the log once continued.
  bool NothingIsWholeBehind(const LogCut& cut, const LogRecords& log) const {
    if (!log.is_fenced_in_order) return true;
    for (const Piece& piece : map_.pieces) {
      if (piece.structure != Structure::kPoolLog) continue;
      for (const LogCut& other : piece.cuts) {
        const bool is_behind = other.log == cut.log && other.record > cut.record;
        if (is_behind && !Hits(piece.begin(), piece.end())) return false;
      }
    }
    return true;
  }

  // A damaged length loses the rest of the block.
  void NoteFileCut(const Piece& hit) {
    uint64_t end =
        (std::min(hit.end(), wound_.end) + kLogBlockSize - 1) / kLogBlockSize * kLogBlockSize;
    end = std::max(end, (hit.end() + kLogBlockSize - 1) / kLogBlockSize * kLogBlockSize);
    for (const Piece& piece : map_.pieces) {
      if (piece.structure != Structure::kLogFile || piece.file != hit.file) continue;
      if (piece.begin() < end && piece.begin() >= hit.begin()) {
        injury_->lost.insert(piece.carries.begin(), piece.carries.end());
      }
    }
  }

  const PieceMap& map_;
  const Wound& wound_;
  Injury* const injury_;
};

}  // namespace

const char* HarmName(Harm harm) {
  return kNames[static_cast<size_t>(harm)];
}

bool HarmOf(const std::string& name, Harm* harm) {
  for (int i = 0; i < kHarms; ++i) {
    if (name == kNames[i]) {
      *harm = static_cast<Harm>(i);
      return true;
    }
  }
  return false;
}

std::string Wound::Text() const {
  return std::string(HarmName(harm)) + " of " + StructureName(structure) + " (" + field + "), " +
         file + " from " + std::to_string(begin) + " to " + std::to_string(end);
}

bool Inflict(const Base& base, const WoundChoice& choice, Dice* dice, Image* image, Wound* wound) {
  return Inflicter(base, dice, image, wound).Run(choice);
}

Injury Examine(const PieceMap& map, const Wound& wound) {
  Injury injury;
  Examination(map, wound, &injury).Run();
  return injury;
}

}  // namespace testkit
}  // namespace leveldb
