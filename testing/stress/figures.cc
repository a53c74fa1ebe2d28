#include "testing/stress/figures.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

namespace leveldb {
namespace testkit {

namespace {

const char* const kNames[kFigures] = {"runs",
                                      "episodes",
                                      "opens",
                                      "checks",
                                      "comparisons",
                                      "puts",
                                      "deletes",
                                      "batches",
                                      "gets",
                                      "reads of others' keys",
                                      "scans",
                                      "snapshots",
                                      "iterators",
                                      "full walks",
                                      "flushes",
                                      "compactions",
                                      "properties",
                                      "sizes",
                                      "drains",
                                      "conversions",
                                      "failed writes",
                                      "failed reads",
                                      "failed opens",
                                      "SIGKILLs",
                                      "power cuts",
                                      "cuts while opening",
                                      "cuts that lose nothing",
                                      "cuts after failed calls",
                                      "mixed directories",
                                      "mixed directories opened",
                                      "full disk",
                                      "pool allocations refused"};

}  // namespace

Figures::Figures() {
  void* const memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("mmap");
    std::exit(2);
  }
  shared_ = new (memory) Shared();
}

Figures::~Figures() {
  ::munmap(shared_, sizeof(Shared));
}

uint64_t Figures::Total() const {
  uint64_t total = Faults();
  for (const auto& count : shared_->counts) total += count.load();
  return total;
}

uint64_t Figures::Operations() const {
  uint64_t operations = 0;
  for (int i = static_cast<int>(Figure::kPuts); i <= static_cast<int>(Figure::kDrains); ++i) {
    operations += Get(static_cast<Figure>(i));
  }
  return operations;
}

uint64_t Figures::Faults() const {
  uint64_t faults = Get(Figure::kFullDisk) + Get(Figure::kPoolRefusals);
  for (const auto& count : shared_->faults) faults += count.load();
  return faults;
}

std::string Figures::Table(const Summary& summary) const {
  std::string text;
  const auto line = [&](const std::string& name, const std::string& value) {
    char row[128];
    std::snprintf(row, sizeof(row), "%-28s %14s\n", name.c_str(), value.c_str());
    text += row;
  };
  char hours[32];
  std::snprintf(hours, sizeof(hours), "%.3f", summary.seconds / 3600);
  line("hours", hours);
  line("seeds from", std::to_string(summary.first_seed));
  line("threads", std::to_string(summary.threads));
  line("operations", std::to_string(Operations()));
  line("faults", std::to_string(Faults()));
  for (int i = 0; i < kFigures; ++i) {
    line(kNames[i], std::to_string(Get(static_cast<Figure>(i))));
  }
  for (int i = 0; i < kCallKinds; ++i) {
    line(std::string("EIO of ") + CallName(static_cast<Call>(i)),
         std::to_string(shared_->faults[static_cast<size_t>(i)].load()));
  }
  line("found wrong", std::to_string(summary.failures));
  return text;
}

std::string Figures::Json(const Summary& summary) const {
  char text[160];
  std::snprintf(text, sizeof(text),
                "{\"seconds\": %.1f, \"first seed\": %llu, \"threads\": %u, \"kinds\": \"%s\", ",
                summary.seconds, static_cast<unsigned long long>(summary.first_seed),
                summary.threads, summary.kinds.c_str());
  std::string json = text;
  json += "\"operations\": " + std::to_string(Operations());
  json += ", \"faults\": " + std::to_string(Faults());
  for (int i = 0; i < kFigures; ++i) {
    json += std::string(", \"") + kNames[i] + "\": " + std::to_string(Get(static_cast<Figure>(i)));
  }
  for (int i = 0; i < kCallKinds; ++i) {
    json += std::string(", \"EIO of ") + CallName(static_cast<Call>(i)) +
            "\": " + std::to_string(shared_->faults[static_cast<size_t>(i)].load());
  }
  return json + ", \"found wrong\": " + std::to_string(summary.failures) + "}\n";
}

}  // namespace testkit
}  // namespace leveldb
