#include "testing/subprocess.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

extern char** environ;

namespace leveldb {
namespace testkit {

namespace {

std::vector<std::string> MergedEnvironment(const Environment& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : added) {
      replaced = replaced || text.compare(0, name.size() + 1, name + "=") == 0;
    }
    if (!replaced) {
      merged.push_back(text);
    }
  }
  for (const auto& [name, value] : added) {
    merged.push_back(name + "=" + value);
  }
  return merged;
}

std::vector<char*> Pointers(std::vector<std::string>* strings) {
  std::vector<char*> pointers;
  for (std::string& string : *strings) {
    pointers.push_back(string.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Subprocess::Subprocess(const Arguments& arguments, const Environment& environment) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    std::perror("pipe2");
    std::abort();
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<std::string> words = arguments;
  std::vector<std::string> variables = MergedEnvironment(environment);
  const int error = ::posix_spawn(&pid_, words[0].c_str(), &actions, nullptr,
                                  Pointers(&words).data(), Pointers(&variables).data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  output_ = ends[0];
  if (error != 0) {
    std::fprintf(stderr, "cannot run %s\n", words[0].c_str());
    std::abort();
  }
}

Subprocess::~Subprocess() {
  if (pid_ > 0) {
    Kill();
    Wait();
  }
  ::close(output_);
}

bool Subprocess::ReadLine(std::string* line) {
  for (;;) {
    const size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      *line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return true;
    }
    char chunk[4096];
    const ssize_t count = ::read(output_, chunk, sizeof(chunk));
    if (count <= 0) {
      line->swap(buffer_);
      buffer_.clear();
      return !line->empty();
    }
    buffer_.append(chunk, static_cast<size_t>(count));
  }
}

void Subprocess::Kill() {
  ::kill(pid_, SIGKILL);
}

int Subprocess::Wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Finished RunToEnd(const Arguments& arguments, const Environment& environment) {
  Subprocess program(arguments, environment);
  Finished finished;
  std::string line;
  while (program.ReadLine(&line)) {
    finished.output += line + "\n";
  }
  finished.code = program.Wait();
  return finished;
}

}  // namespace testkit
}  // namespace leveldb
