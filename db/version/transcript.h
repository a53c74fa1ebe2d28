// For tests only: runs tests that are written as transcripts.
//
// A transcript file is a list of steps; a step is a command line, optional lines of input, a line
// of four dashes, the expected output, and an empty line. Lines that begin with '#' between steps
// are comments. A test passes every step to a function and compares its result with the expected
// output. With the environment variable BUSHSTORE_REWRITE_TRANSCRIPTS set, the file is rewritten
// with the actual results, so that a change of behaviour can be read as a diff.

#ifndef BUSHSTORE_DB_VERSION_TRANSCRIPT_H_
#define BUSHSTORE_DB_VERSION_TRANSCRIPT_H_

#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace leveldb {

struct TranscriptStep {
  std::string command;                           // the first word
  std::vector<std::string> words;                // the other words that are not name=value
  std::map<std::string, std::string> arguments;  // name=value
  std::string input;

  bool Has(const std::string& name) const { return arguments.count(name) > 0; }
  std::string Get(const std::string& name) const {
    const auto found = arguments.find(name);
    return found == arguments.end() ? "" : found->second;
  }
};

namespace transcript_internal {

inline TranscriptStep ParseCommand(const std::string& line) {
  TranscriptStep step;
  std::istringstream words(line);
  words >> step.command;
  std::string word;
  while (words >> word) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) {
      step.words.push_back(word);
    } else {
      step.arguments[word.substr(0, equals)] = word.substr(equals + 1);
    }
  }
  return step;
}

inline std::string ReadUntil(std::istream* file, const std::string& end) {
  std::string text;
  std::string line;
  while (std::getline(*file, line) && line != end) text += line + "\n";
  return text;
}

}  // namespace transcript_internal

// Runs the transcript at `path`. `run` returns the output of a step, without the last newline.
inline void RunTranscript(const std::string& path,
                          const std::function<std::string(const TranscriptStep&)>& run) {
  using transcript_internal::ParseCommand;
  using transcript_internal::ReadUntil;
  std::ifstream file(path);
  ASSERT_TRUE(file.is_open()) << path;
  const bool rewrite = std::getenv("BUSHSTORE_REWRITE_TRANSCRIPTS") != nullptr;
  std::string rewritten;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') {
      rewritten += line + "\n";
      continue;
    }
    TranscriptStep step = ParseCommand(line);
    step.input = ReadUntil(&file, "----");
    const std::string expected = ReadUntil(&file, "");
    const std::string actual = run(step) + "\n";
    if (!rewrite) {
      EXPECT_EQ(expected, actual) << path << ": " << line << "\n" << step.input;
    }
    rewritten += line + "\n" + step.input + "----\n" + actual + "\n";
  }
  file.close();
  if (rewrite) std::ofstream(path) << rewritten;
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_TRANSCRIPT_H_
