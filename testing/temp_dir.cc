#include "testing/temp_dir.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace leveldb {
namespace testkit {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void GiveUp(const std::string& what, const std::string& path) {
  std::fprintf(stderr, "test set-up: %s %s\n", what.c_str(), path.c_str());
  std::abort();
}

// Memory if there is plenty, since the tests sync a lot; TMPDIR overrides it.
fs::path Place() {
  const fs::path memory = "/dev/shm";
  constexpr uintmax_t kPlenty = uintmax_t{1} << 30;
  std::error_code error;
  const fs::space_info space = fs::space(memory, error);
  const bool wanted = std::getenv("TMPDIR") == nullptr;
  if (wanted && !error && space.available >= kPlenty && ::access("/dev/shm", W_OK) == 0) {
    return memory;
  }
  return fs::temp_directory_path();
}

}  // namespace

TempDir::TempDir() {
  std::string pattern = (Place() / "bushstore-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    GiveUp("cannot make a directory like", pattern);
  }
  path_ = pattern;
}

TempDir::~TempDir() {
  RemoveDir(path_);
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    GiveUp("cannot read", path);
  }
  return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

void WriteFile(const std::string& path, const std::string& contents) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  if (!out.flush()) {
    GiveUp("cannot write", path);
  }
}

void CopyDir(const std::string& source, const std::string& target) {
  std::error_code error;
  fs::copy(source, target, fs::copy_options::recursive, error);
  if (error) {
    GiveUp("cannot copy " + source + " to", target);
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(target)) {
    fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
  }
  fs::permissions(target, fs::perms::owner_write, fs::perm_options::add);
}

void RemoveDir(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
}

std::vector<std::string> FileNames(const std::string& dir) {
  return FileNamesEnding(dir, "");
}

std::vector<std::string> FileNamesEnding(const std::string& dir, const std::string& suffix) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir)) {
    const std::string name = entry.path().filename().string();
    const bool fits = name.size() >= suffix.size() &&
                      name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
    if (fits && entry.is_regular_file()) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string TestData(const std::string& relative_path) {
  return std::string(BUSHSTORE_TESTING_DIR) + "/" + relative_path;
}

}  // namespace testkit
}  // namespace leveldb
