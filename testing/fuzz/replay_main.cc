// Runs a fuzz target on kept inputs, without libFuzzer: each argument is a file, or a directory of
// files.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "testing/fuzz/fuzz_input.h"

namespace {

std::vector<std::string> InputFiles(int argc, char** argv) {
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      files.push_back(argv[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void Replay(const std::string& input) {
  // The array has exactly the size of the input, so that a sanitizer detects reads beyond its end.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> files = InputFiles(argc, argv);
  if (files.empty()) {
    std::fprintf(stderr, "usage: %s FILE_OR_DIRECTORY...\n", argv[0]);
    return 1;
  }
  Replay("");
  for (const std::string& name : files) {
    std::ifstream file(name, std::ios::binary);
    const std::string input((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
    if (file.bad()) {
      std::fprintf(stderr, "cannot read %s\n", name.c_str());
      return 1;
    }
    std::printf("%s\n", name.c_str());
    std::fflush(stdout);
    Replay(input);
  }
  std::printf("%zu inputs\n", files.size());
  return 0;
}
