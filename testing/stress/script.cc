#include "testing/stress/script.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <system_error>

#include "testing/stress/expected_state.h"

namespace leveldb {
namespace testkit {

namespace {

const char* const kNames[kStressKinds] = {"close", "kill", "power", "full", "eio", "pool", "merge"};

std::string CheckScript(const Script& script) {
  if (script.threads() < 1 || script.threads() > kStressThreadsMax) {
    return "a run has 1 to " + std::to_string(kStressThreadsMax) + " threads";
  }
  if (script.run.Get("world", 0) > static_cast<uint64_t>(World::kMerged)) {
    return "world is 0, real files, 1, simulated ones, or 2, merged directories";
  }
  if (script.run.Get("keys", 1) < 1 || script.run.Get("keys", 1) > 10000) {
    return "a thread has 1 to 10000 keys";
  }
  for (const Episode& episode : script.episodes) {
    const World world = episode.kind == Kind::kPower   ? World::kSimulated
                        : episode.kind == Kind::kMerge ? World::kMerged
                                                       : World::kReal;
    const bool may_be_anywhere = episode.kind == Kind::kClose && script.world() != World::kMerged;
    if (!may_be_anywhere && world != script.world()) {
      return std::string("there is no episode ") + KindName(episode.kind) + " in this world";
    }
  }
  return "";
}

}  // namespace

const char* KindName(Kind kind) {
  return kNames[static_cast<int>(kind)];
}

bool KindOf(const std::string& name, Kind* kind) {
  const auto found = std::find(kNames, kNames + kStressKinds, name);
  *kind = static_cast<Kind>(found - kNames);
  return found != kNames + kStressKinds;
}

uint64_t Numbers::Get(const std::string& name, uint64_t otherwise) const {
  const auto found = values_.find(name);
  return found == values_.end() ? otherwise : found->second;
}

std::vector<std::string> Numbers::Names() const {
  std::vector<std::string> names;
  for (const auto& value : values_) {
    names.push_back(value.first);
  }
  return names;
}

std::string Numbers::Text() const {
  std::string text;
  for (const auto& [name, value] : values_) {
    text += " " + name + "=" + std::to_string(value);
  }
  return text;
}

bool Numbers::Add(const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == word.size()) {
    return false;
  }
  const std::string digits = word.substr(equals + 1);
  uint64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end) {
    return false;
  }
  values_[word.substr(0, equals)] = number;
  return true;
}

std::string Script::Text() const {
  std::string text = "run" + run.Text() + "\n";
  for (const Episode& episode : episodes) {
    text += std::string("episode ") + KindName(episode.kind) + episode.numbers.Text() + "\n";
  }
  return text;
}

std::string Script::Parse(const std::string& text, Script* script) {
  *script = Script();
  std::istringstream lines(text);
  std::string line;
  bool has_run = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string where = "line " + std::to_string(number) + ": ";
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word[0] == '#') {
      continue;
    }
    Numbers* numbers = &script->run;
    if (word == "run" && !has_run) {
      has_run = true;
    } else if (word == "episode" && has_run) {
      Episode episode;
      if (!(words >> word) || !KindOf(word, &episode.kind)) {
        return where + "there is no such kind of episode";
      }
      script->episodes.push_back(episode);
      numbers = &script->episodes.back().numbers;
    } else {
      return where + "a script is one line \"run\" and then lines \"episode\"";
    }
    while (words >> word) {
      if (!numbers->Add(word)) {
        return where + "\"" + word + "\" is not name=number";
      }
    }
  }
  return has_run ? CheckScript(*script) : "there is no line \"run\"";
}

}  // namespace testkit
}  // namespace leveldb
