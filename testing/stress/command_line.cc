#include "testing/stress/command_line.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "testing/stress/expected_state.h"

namespace leveldb {
namespace testkit {

const char kStressUsage[] =
    "usage: stress [OPTION...]\n"
    "\n"
    "Stresses databases: many threads, random options at each opening, random operations, and at\n"
    "random moments kills, power cuts, full disks, calls that fail, and pools without room. After\n"
    "each the database must hold what it has promised. Of directories that are mixed of several\n"
    "it must keep what LevelDB keeps.\n"
    "\n"
    "  --seconds=N     how long runs are begun (60)\n"
    "  --runs=N        at most so many runs\n"
    "  --seed=N        of the first run; each further run takes the next number (fresh)\n"
    "  --threads=N     that write and read, 1 to 16 (4); with 1 a seed repeats exactly\n"
    "  --dir=DIR       where files are kept (as tests do)\n"
    "  --pm=DIR        where pools are made (in memory)\n"
    "  --pool=PATH     the pool of each run, one after the other: a DAX device, or a file that "
    "has\n"
    "                  its size. It must be blank, and is made blank again after each run\n"
    "  --kinds=A,B     of close, kill, power, full, eio, pool, merge (all)\n"
    "  --report=FILE   writes the figures as JSON\n"
    "  --replay=FILE   does one run, as a script says\n"
    "  --minimize=FILE cuts a run that goes wrong down to a short script and writes it there\n"
    "  --print         shows the scripts of the runs instead of doing them; needs --runs\n"
    "  --help\n"
    "\n"
    "Exit code: 0 nothing was wrong, 1 something was (what is printed says how to repeat it), 2\n"
    "wrong usage.\n";

namespace {

bool ReadNumber(const std::string& text, uint64_t* number) {
  char* end = nullptr;
  *number = std::strtoull(text.c_str(), &end, 10);
  return !text.empty() && text[0] != '-' && *end == '\0';
}

std::string ReadKinds(const std::string& text, std::vector<Kind>* kinds) {
  kinds->clear();
  std::istringstream words(text);
  std::string word;
  while (std::getline(words, word, ',')) {
    Kind kind;
    if (!KindOf(word, &kind)) {
      return "there is no kind \"" + word + "\": it is close, kill, power, full, eio, pool or " +
             "merge";
    }
    if (std::find(kinds->begin(), kinds->end(), kind) == kinds->end()) {
      kinds->push_back(kind);
    }
  }
  std::sort(kinds->begin(), kinds->end());
  return kinds->empty() ? "--kinds wants one at least" : "";
}

std::string ReadOption(const std::string& name, const std::string& value, CommandLine* line) {
  uint64_t number = 0;
  const bool is_number = ReadNumber(value, &number);
  if (name == "dir" || name == "pm" || name == "pool" || name == "replay" || name == "minimize" ||
      name == "report") {
    std::string* const text = name == "dir"        ? &line->dir
                              : name == "pm"       ? &line->pm
                              : name == "pool"     ? &line->pool
                              : name == "replay"   ? &line->replay
                              : name == "minimize" ? &line->minimize
                                                   : &line->report;
    *text = value;
    return value.empty() ? "--" + name + " wants a path" : "";
  }
  if (name == "kinds") {
    return ReadKinds(value, &line->kinds);
  }
  if (name != "seconds" && name != "runs" && name != "seed" && name != "threads") {
    return "there is no option --" + name;
  }
  if (!is_number) {
    return "--" + name + " wants a number";
  }
  if (name == "seconds") {
    line->seconds = static_cast<double>(number);
  } else if (name == "runs") {
    line->runs = number;
  } else if (name == "seed") {
    line->seed = number;
  } else if (number < 1 || number > kStressThreadsMax) {
    return "--threads is 1 to " + std::to_string(kStressThreadsMax);
  } else {
    line->threads = static_cast<uint32_t>(number);
  }
  return "";
}

}  // namespace

std::string CommandLine::KindsText() const {
  std::string text;
  for (const Kind kind : kinds) {
    text += (text.empty() ? "" : ",") + std::string(KindName(kind));
  }
  return text;
}

std::string ParseCommandLine(const std::vector<std::string>& words, CommandLine* line) {
  for (int kind = 0; kind < kStressKinds; ++kind) {
    line->kinds.push_back(static_cast<Kind>(kind));
  }
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--help" || word == "-h") {
      line->help = true;
    } else if (word == "--print") {
      line->print = true;
    } else if (word.compare(0, 2, "--") != 0) {
      return "\"" + word + "\" is no option";
    } else {
      // Accepts both --name=value and --name value.
      const size_t equals = word.find('=');
      const bool is_apart = equals == std::string::npos && i + 1 < words.size();
      const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
      const std::string value = is_apart                      ? words[++i]
                                : equals == std::string::npos ? ""
                                                              : word.substr(equals + 1);
      const std::string wrong = ReadOption(name, value, line);
      if (!wrong.empty()) {
        return wrong;
      }
    }
  }
  const auto power = std::find(line->kinds.begin(), line->kinds.end(), Kind::kPower);
  if (!line->pool.empty() && power != line->kinds.end()) {
    return "--pool needs --kinds without power, which is simulated in a directory";
  }
  return line->print && line->runs == 0 ? "--print needs --runs" : "";
}

}  // namespace testkit
}  // namespace leveldb
