#include "testing/corruption/figures.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace leveldb {
namespace testkit {

namespace {

const char* const kVerdictNames[kVerdicts] = {"harmless", "detected", "excused", "wrong"};

std::string Counts(const std::map<std::string, uint64_t>& counts) {
  std::string json;
  for (const auto& [name, count] : counts) {
    json += (json.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(count);
  }
  return "{" + json + "}";
}

}  // namespace

void Figures::Add(const Wound& wound, const Finding& finding) {
  ++images_;
  wrong_ += finding.verdict == Verdict::kWrong ? 1 : 0;
  ++cells_[wound.structure][wound.harm][static_cast<size_t>(finding.verdict)];
  ++fields_[std::string(StructureName(wound.structure)) + ": " + wound.field];
  if (finding.verdict == Verdict::kExcused) ++rules_[finding.rule];
}

void Figures::NotePeak(uint64_t kilobytes) {
  peak_kilobytes_ = std::max(peak_kilobytes_, kilobytes);
}

std::string Figures::Table(const Run& run) const {
  char row[200];
  std::snprintf(row, sizeof(row),
                "%llu images of %llu bases in %.0f s (%.1f a second), seed %llu, at most %llu MB\n",
                static_cast<unsigned long long>(images_), static_cast<unsigned long long>(bases_),
                run.seconds, static_cast<double>(images_) / std::max(run.seconds, 0.001),
                static_cast<unsigned long long>(run.seed),
                static_cast<unsigned long long>(peak_kilobytes_ / 1024));
  std::string text = row;
  const auto line = [&](const char* structure, const char* harm, const Verdicts& verdicts) {
    const uint64_t images = std::accumulate(verdicts.begin(), verdicts.end(), uint64_t{0});
    std::snprintf(
        row, sizeof(row), "%-16s %-9s %8llu %9llu %9llu %9llu %7llu\n", structure, harm,
        static_cast<unsigned long long>(images), static_cast<unsigned long long>(verdicts[1]),
        static_cast<unsigned long long>(verdicts[0]), static_cast<unsigned long long>(verdicts[2]),
        static_cast<unsigned long long>(verdicts[3]));
    text += row;
  };
  text += "structure        harm        images  detected  harmless   excused   wrong\n";
  Verdicts all{};
  for (const auto& [structure, harms] : cells_) {
    for (const auto& [harm, verdicts] : harms) {
      line(StructureName(structure), HarmName(harm), verdicts);
      for (size_t i = 0; i < all.size(); ++i) all[i] += verdicts[i];
    }
  }
  line("all", "", all);
  for (const auto& [rule, count] : rules_) {
    text += "excused " + std::to_string(count) + ": " + rule + "\n";
  }
  return text;
}

std::string Figures::Json(const Run& run) const {
  char head[160];
  std::snprintf(head, sizeof(head),
                "{\"seconds\": %.1f, \"seed\": %llu, \"bases\": %llu, \"peak MB\": %llu",
                run.seconds, static_cast<unsigned long long>(run.seed),
                static_cast<unsigned long long>(bases_),
                static_cast<unsigned long long>(peak_kilobytes_ / 1024));
  std::string cells;
  for (const auto& [structure, harms] : cells_) {
    for (const auto& [harm, verdicts] : harms) {
      std::map<std::string, uint64_t> counts;
      for (size_t i = 0; i < verdicts.size(); ++i) counts[kVerdictNames[i]] = verdicts[i];
      cells += std::string(cells.empty() ? "\"" : ", \"") + StructureName(structure) + " " +
               HarmName(harm) + "\": " + Counts(counts);
    }
  }
  return std::string(head) + ", \"cells\": {" + cells + "}, \"fields\": " + Counts(fields_) +
         ", \"rules\": " + Counts(rules_) + "}\n";
}

}  // namespace testkit
}  // namespace leveldb
