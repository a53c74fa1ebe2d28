#include "benchmarks/pairs/pair_run.h"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include "benchmarks/pairs/pair_writer.h"
#include "benchmarks/tier_options.h"
#include "util/text.h"

namespace leveldb::bench {

namespace {

constexpr uint64_t kEntriesOfASeek = 100;

std::string RandomBytes(Random* random, size_t n) {
  std::string bytes(n, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random->Next());
  return bytes;
}

// Makes a new directory in `parent`; *made is its path. Returns an error, or "".
std::string MakeDirectory(const std::string& parent, std::string* made) {
  std::string path = parent + "/pair_bench.XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    return "cannot make a directory in " + Escaped(parent) + ": " + std::strerror(errno);
  }
  *made = path;
  return "";
}

}  // namespace

PairRun::PairRun(const PairOptions& options, const volatile std::sig_atomic_t* interrupted)
    : options_(options),
      interrupted_(interrupted),
      value_([&] {
        Random random(options.seed);
        return RandomBytes(&random, options.value_size);
      }()),
      random_(options.seed) {}

PairRun::~PairRun() {
  for (std::unique_ptr<LoadedDatabase>& db : dbs_) db.reset();
  std::error_code ignored;
  if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
  if (!pools_.empty()) std::filesystem::remove_all(pools_, ignored);
}

std::string PairRun::Run() {
  std::string mistake;
  for (size_t i = 0; i < libraries_.size(); i++) {
    libraries_[i] = LoadedLibrary::Load(options_.libraries[i], &mistake);
    if (!mistake.empty()) return mistake;
  }
  mistake = MakeDirectory(options_.db, &directory_);
  if (mistake.empty() && !options_.pm_path.empty()) {
    mistake = MakeDirectory(options_.pm_path, &pools_);
  }
  for (size_t i = 0; i < dbs_.size() && mistake.empty(); i++) mistake = Open(i);
  if (IsReading()) {
    if (mistake.empty()) mistake = FillForReads();
    if (mistake.empty()) mistake = Rest();
  }
  return mistake.empty() ? TakeTurns() : mistake;
}

PairRun::Action PairRun::ActionOf(PairWorkload workload) {
  switch (workload) {
    case PairWorkload::kFillSeq:
    case PairWorkload::kFillRandom:
      return Action::kPut;
    case PairWorkload::kReadRandom:
    case PairWorkload::kReadWhileWriting:
      return Action::kGet;
    case PairWorkload::kReadMissing:
      return Action::kGetMissing;
    case PairWorkload::kReadSeq:
      return Action::kScan;
    case PairWorkload::kReadSeqValues:
      return Action::kScanValues;
    case PairWorkload::kReadReverse:
      return Action::kScanBack;
    case PairWorkload::kReadReverseValues:
      return Action::kScanBackValues;
    case PairWorkload::kSeekOnce:
      return Action::kSeekOnce;
    case PairWorkload::kSeekRandom:
      return Action::kSeek;
    case PairWorkload::kSeekRandomValues:
      return Action::kSeekValues;
  }
  return Action::kPut;
}

PairRun::Order PairRun::OrderOf(PairWorkload workload) {
  switch (workload) {
    case PairWorkload::kFillSeq:
    case PairWorkload::kReadSeq:
    case PairWorkload::kReadSeqValues:
      return Order::kAscending;
    case PairWorkload::kReadReverse:
    case PairWorkload::kReadReverseValues:
      return Order::kDescending;
    default:
      return Order::kRandom;
  }
}

// Opens the database of a library. A library with the tier reads from the environment whether to
// use it.
std::string PairRun::Open(size_t which) {
  for (const char* name : {"PATH", "SIZE", "ASSUME", "PREFAULT", "CONVERT", "REQUIRE"}) {
    unsetenv((std::string("LEVELDB_PMEM_") + name).c_str());
  }
  if (!pools_.empty()) {
    const std::string pool = pools_ + "/" + std::to_string(which);
    std::error_code error;
    if (!std::filesystem::create_directory(pool, error)) {
      return "cannot make " + Escaped(pool) + ": " + error.message();
    }
    setenv("LEVELDB_PMEM_PATH", pool.c_str(), 1);
    setenv("LEVELDB_PMEM_SIZE", options_.pm_size.c_str(), 1);
    setenv("LEVELDB_PMEM_ASSUME", IsOnTmpfs(pool) ? "1" : "0", 1);
    setenv("LEVELDB_PMEM_PREFAULT", "1", 1);
    setenv("LEVELDB_PMEM_REQUIRE", "1", 1);
  }
  std::string mistake;
  dbs_[which] =
      LoadedDatabase::Open(libraries_[which].get(), directory_ + "/" + std::to_string(which),
                           options_.settings, &mistake);
  return mistake;
}

// Writes all keys in ascending order, then keys at random, so that every key exists and merges have
// placed the entries.
std::string PairRun::FillForReads() {
  double ignored;
  for (const Order order : {Order::kAscending, Order::kRandom}) {
    for (uint64_t i = 0; i < options_.num; i += options_.turn) {
      ChooseKeys(order, i);
      for (size_t which = 0; which < dbs_.size(); which++) {
        const std::string mistake = TakeTurn(which, Action::kPut, &ignored);
        if (!mistake.empty()) return mistake;
      }
    }
  }
  return "";
}

std::string PairRun::Rest() const {
  constexpr int kPiecesASecond = 20;
  for (int i = 0; i < options_.rest_seconds * kPiecesASecond; i++) {
    if (*interrupted_ != 0) return kInterrupted;
    std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kPiecesASecond));
  }
  return "";
}

// Runs the turns; the library that begins is drawn at random each time.
std::string PairRun::TakeTurns() {
  const Order order = OrderOf(options_.workload);
  for (uint64_t i = 0; i < options_.operations; i += options_.turn) {
    ChooseKeys(order, i);
    const size_t begins = random_.Uniform(2);
    for (const size_t which : {begins, 1 - begins}) {
      double nanos;
      const std::string mistake = TakeTurnOfWorkload(which, &nanos);
      if (!mistake.empty()) return mistake;
      nanos_[which].push_back(nanos);
    }
  }
  return "";
}

// Runs one turn. A writer's keys follow from those of the turn, and so are the same for both
// libraries.
std::string PairRun::TakeTurnOfWorkload(size_t which, double* nanos) {
  const Action action = ActionOf(options_.workload);
  if (options_.workload != PairWorkload::kReadWhileWriting) return TakeTurn(which, action, nanos);
  PairWriter writer(dbs_[which].get(), options_.num, value_, numbers_[0]);
  const std::string mistake = TakeTurn(which, action, nanos);
  const std::string of_writer = writer.Stop();
  return mistake.empty() ? of_writer : mistake;
}

void PairRun::ChooseKeys(Order order, uint64_t first) {
  numbers_.resize(options_.turn);
  for (uint64_t i = 0; i < options_.turn; i++) {
    const uint64_t ascending = (first + i) % options_.num;
    numbers_[i] = order == Order::kRandom       ? random_.Uniform(options_.num)
                  : order == Order::kDescending ? options_.num - 1 - ascending
                                                : ascending;
  }
}

std::string PairRun::TakeTurn(size_t which, Action action, double* nanos) {
  if (*interrupted_ != 0) return kInterrupted;
  LoadedDatabase* const db = dbs_[which].get();
  const auto begin = std::chrono::steady_clock::now();
  for (const uint64_t number : numbers_) {
    const std::string mistake = Operate(db, action, number);
    if (!mistake.empty()) return mistake;
  }
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  *nanos = taken.count() / static_cast<double>(options_.turn);
  return "";
}

std::string PairRun::Operate(LoadedDatabase* db, Action action, uint64_t number) {
  key_.Set(number);
  switch (action) {
    case Action::kPut:
      return db->Put(key_.key(), value_);
    case Action::kGet:
    case Action::kGetMissing:
      return Get(db, action == Action::kGet);
    case Action::kScan:
    case Action::kScanValues:  // in the order of the numbers, of which the first is 0
      return Scan(db, number == 0 ? &LoadedDatabase::ScanFirst : &LoadedDatabase::ScanNext,
                  action == Action::kScanValues);
    case Action::kScanBack:
    case Action::kScanBackValues:
      return Scan(
          db, number == options_.num - 1 ? &LoadedDatabase::ScanLast : &LoadedDatabase::ScanPrev,
          action == Action::kScanBackValues);
    case Action::kSeekOnce:
      return SeekOnce(db);
    case Action::kSeek:
    case Action::kSeekValues:
      return Seek(db, number, action == Action::kSeekValues);
  }
  return "";
}

std::string PairRun::Get(LoadedDatabase* db, bool is_there) {
  size_t size;
  std::string mistake = db->Get(is_there ? key_.key() : key_.NearMiss(), &size);
  if (mistake.empty() && size != (is_there ? value_.size() : LoadedDatabase::kNotFound)) {
    mistake = WrongData(*db);
  }
  return mistake;
}

std::string PairRun::Scan(LoadedDatabase* db, ScanStep step, bool reads_value) {
  Slice key;
  Slice value;
  std::string mistake = (db->*step)(&key, &value);
  if (mistake.empty() && !IsRight(key, value, reads_value)) mistake = WrongData(*db);
  return mistake;
}

std::string PairRun::SeekOnce(LoadedDatabase* db) {
  db->EndScan();
  Slice key;
  Slice value;
  std::string mistake = db->ScanFrom(key_.key(), &key, &value);
  if (mistake.empty() && !IsRight(key, value, false)) mistake = WrongData(*db);
  return mistake;
}

// Reads the entries from `number` on, up to the last key if there are fewer.
std::string PairRun::Seek(LoadedDatabase* db, uint64_t number, bool reads_values) {
  const uint64_t end = std::min(options_.num, number + kEntriesOfASeek);
  Slice key;
  Slice value;
  std::string mistake = db->ScanFrom(key_.key(), &key, &value);
  while (mistake.empty() && IsRight(key, value, reads_values) && ++number < end) {
    key_.Set(number);
    mistake = db->ScanNext(&key, &value);
  }
  if (mistake.empty() && number < end) mistake = WrongData(*db);
  return mistake;
}

// Returns whether this is the entry of key_.
bool PairRun::IsRight(const Slice& key, const Slice& value, bool reads_value) const {
  return key == key_.key() && (reads_value ? value == value_ : value.size() == value_.size());
}

std::string PairRun::WrongData(const LoadedDatabase& db) const {
  return db.library().path() + " gave wrong data for the key " + key_.key().ToString();
}

}  // namespace leveldb::bench
