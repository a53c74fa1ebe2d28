#include "testing/corruption/command_line.h"

#include <cstdlib>
#include <sstream>

namespace leveldb {
namespace testkit {

const char kCorruptionUsage[] =
    "usage: corruption [--OPTION=VALUE...]\n"
    "\n"
    "Damages one place of a sound database at a time, then opens, reads, writes, checks and "
    "repairs\n"
    "it. What can be read must be right, what cannot must be told, and what the damage has not\n"
    "touched must be saved.\n"
    "\n"
    "  --seconds=N    how long (60)\n"
    "  --images=N     at most so many\n"
    "  --seed=N       image k of a seed is always the same (fresh)\n"
    "  --image=K      this one alone\n"
    "  --only=A,B     structures: current, manifest, pmem-file, log-file, table-data,\n"
    "                 table-filter, table-metaindex, table-index, table-footer, directory,\n"
    "                 pool-header, pool-heap, root-identity, root-words, root-slabs,\n"
    "                 root-log-slots, log-extent, value-extent, tree-run, pool-log, leaf, fence,\n"
    "                 tree-index, tree-filter, value, chunk-list, unused-room (all)\n"
    "  --kinds=A,B    of flip, zero, garbage, truncate, swap, and mix for directories (all)\n"
    "  --wrong=N      ends when so many images went wrong (1)\n"
    "  --keep=DIR     where the files of images that went wrong are written\n"
    "  --dir=DIR      where databases are made (in memory)\n"
    "  --report=FILE  writes the figures as JSON\n"
    "  --help\n"
    "\n"
    "Exit code: 0 nothing was wrong, 1 something was (what is printed says how to repeat it), 2\n"
    "wrong usage.\n";

namespace {

// Reads "a,b" into *values with `find`, which looks up a name.
template <typename Value, typename Find>
std::string ReadNames(const std::string& text, const Find& find, std::vector<Value>* values) {
  values->clear();
  std::istringstream words(text);
  std::string word;
  while (std::getline(words, word, ',')) {
    Value value;
    if (!find(word, &value)) return "\"" + word + "\" is not known";
    values->push_back(value);
  }
  return values->empty() ? "a name is wanted" : "";
}

std::string ReadOption(const std::string& name, const std::string& value, CommandLine* line) {
  char* end = nullptr;
  const uint64_t number = std::strtoull(value.c_str(), &end, 10);
  const bool is_number = !value.empty() && value[0] != '-' && *end == '\0';
  if (name == "only" || name == "kinds") {
    line->choice_text += " --" + name + "=" + value;
    return name == "only" ? ReadNames(value, StructureOf, &line->choice.structures)
                          : ReadNames(value, HarmOf, &line->choice.harms);
  }
  if (name == "dir" || name == "keep" || name == "report") {
    (name == "dir" ? line->dir : name == "keep" ? line->keep : line->report) = value;
    return value.empty() ? "--" + name + " wants a path" : "";
  }
  if (name == "seed") {
    line->seed = number;
  } else if (name == "image") {
    line->image = number;
  } else if (name == "images") {
    line->images = number;
  } else if (name == "wrong") {
    line->wrong = number;
  } else if (name == "seconds") {
    line->seconds = static_cast<double>(number);
  } else {
    return "there is no option --" + name;
  }
  return is_number ? "" : "--" + name + " wants a number";
}

}  // namespace

std::string ParseCommandLine(const std::vector<std::string>& words, CommandLine* line) {
  for (int i = 0; i < kStructures; ++i) {
    line->choice.structures.push_back(static_cast<Structure>(i));
  }
  for (int i = 0; i < kHarms; ++i) {
    line->choice.harms.push_back(static_cast<Harm>(i));
  }
  for (const std::string& word : words) {
    if (word == "--help" || word == "-h") {
      line->help = true;
      continue;
    }
    const size_t equals = word.find('=');
    if (word.compare(0, 2, "--") != 0 || equals == std::string::npos) {
      return "\"" + word + "\" is no option";
    }
    const std::string wrong = ReadOption(word.substr(2, equals - 2), word.substr(equals + 1), line);
    if (!wrong.empty()) return wrong;
  }
  return line->image.has_value() && !line->seed.has_value() ? "--image needs --seed" : "";
}

}  // namespace testkit
}  // namespace leveldb
