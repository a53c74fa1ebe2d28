// Helpers for tests that run one of our programs and check its output.
#ifndef BUSHSTORE_BENCHMARKS_RUN_COMMAND_H_
#define BUSHSTORE_BENCHMARKS_RUN_COMMAND_H_

#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace leveldb::bench {

struct Outcome {
  int exit_code = -1;
  std::string output;  // standard output and standard error
};

inline Outcome RunCommand(const std::string& command) {
  Outcome outcome;
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  char chunk[4096];
  for (size_t n; (n = std::fread(chunk, 1, sizeof(chunk), pipe)) > 0;) {
    outcome.output.append(chunk, n);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// Returns the symbols that `nm FLAGS FILE` lists as defined.
inline std::set<std::string> DefinedSymbols(const std::string& flags, const std::string& file) {
  std::istringstream lines(RunCommand("nm --defined-only " + flags + " " + file).output);
  std::set<std::string> names;
  std::string address;
  std::string type;
  std::string name;
  while (lines >> address >> type >> name) {
    if (type == "T" || type == "D" || type == "B") names.insert(name);
  }
  return names;
}

// Returns the C++ names that a program defines though the library exports them: its copies would
// replace those of the library.
inline std::vector<std::string> CopiesOfTheLibrary(const std::string& program,
                                                   const std::string& library) {
  std::vector<std::string> copies;
  const std::set<std::string> exported = DefinedSymbols("-D", library);
  const std::set<std::string> own = DefinedSymbols("", program);
  if (exported.empty() || own.empty()) return {"nm lists nothing"};
  for (const std::string& name : own) {
    if (name.rfind("_Z", 0) == 0 && exported.count(name) > 0) copies.push_back(name);
  }
  return copies;
}

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_RUN_COMMAND_H_
