// The child writes a line before each image and one after it. An image that was begun and never
// ended crashed the child or made it hang. The parent stops the child by closing the other end of
// the pipe.

#include "testing/corruption/batch.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <vector>

#include "port/sanitizers.h"
#include "testing/corruption/merged_trial.h"
#include "testing/forked.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr int kHangSeconds = 240;
// The most memory that the store may take, whatever is damaged.
#ifdef BUSHSTORE_UNDER_ASAN
constexpr uint64_t kPeakKilobytesMax = uint64_t{3} << 20;
#else
constexpr uint64_t kPeakKilobytesMax = uint64_t{1} << 19;
#endif

uint64_t PeakKilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss);
}

uint64_t Mixed(uint64_t seed, uint64_t number) {
  return Dice(seed * 0x9e3779b97f4a7c15ull + number).Next();
}

std::string OneLine(std::string text) {
  for (char& c : text) c = c == '\n' || c == '\t' ? ' ' : c;
  return text;
}

class Child {
 public:
  Child(const CommandLine& line, uint64_t seed, const std::string& dir, int output)
      : line_(line), seed_(seed), place_{dir + "/image"}, output_(output) {}

  void Run(uint64_t first, uint64_t last) {
    const std::unique_ptr<Base> base = MakeBase(Mixed(seed_, ~(first / kImagesOfABase)), place_);
    const std::set<KeyVersion> held = VersionsHeld(base->map);
    if (line_.image.has_value()) std::printf("base: %s\n", base->summary.c_str());
    Image image = base->image;
    MergedTrial merged(Mixed(seed_ + 2, first / kImagesOfABase), place_.root + ".merged");
    for (uint64_t number = first; number < last; ++number) {
      if (IsMerged(number)) {
        TryMerged(number, base->summary, &merged);
      } else {
        TryImage(*base, held, number, &image);
      }
    }
  }

 private:
  template <typename Value>
  static bool Has(const std::vector<Value>& values, Value value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  }

  // Returns whether this image is a directory that is mixed of several.
  bool IsMerged(uint64_t number) const {
    constexpr uint64_t kImagesToAMergedOne = 25;
    const WoundChoice& choice = line_.choice;
    if (!Has(choice.structures, Structure::kDirectory) || !Has(choice.harms, Harm::kMix)) {
      return false;
    }
    return choice.structures.size() == 1 || choice.harms.size() == 1 ||
           Mixed(seed_ + 1, number) % kImagesToAMergedOne == 0;
  }

  void TryMerged(uint64_t number, const std::string& base, MergedTrial* merged) {
    Dice dice(Mixed(seed_, number));
    const std::string what = merged->Mix(&dice);
    Begin(number, Structure::kDirectory, Harm::kMix, "files", what);
    End(merged->Try(&dice), PeakKilobytes(), base);
  }

  void Begin(uint64_t number, Structure structure, Harm harm, const std::string& field,
             const std::string& text) const {
    Write({"begin", std::to_string(number), std::to_string(static_cast<int>(structure)),
           std::to_string(static_cast<int>(harm)), field, text});
  }

  void End(const Finding& finding, uint64_t peak, const std::string& base) const {
    Write({"end", std::to_string(static_cast<int>(finding.verdict)), finding.rule, finding.wrong,
           std::to_string(peak), base});
  }

  // `image` is the base's, before and after the call.
  void TryImage(const Base& base, const std::set<KeyVersion>& held, uint64_t number, Image* image) {
    Dice dice(Mixed(seed_, number));
    Wound wound;
    bool is_wounded = false;
    // Some harms cannot be done to some structures.
    for (int tries = 0; tries < 100 && !is_wounded; ++tries) {
      is_wounded = Inflict(base, line_.choice, &dice, image, &wound);
    }
    if (!is_wounded) return;
    Begin(number, wound.structure, wound.harm, wound.field, wound.Text());
    Finding finding = Try(base, held, *image, wound, &dice);
    const uint64_t peak = PeakKilobytes();
    if (peak > kPeakKilobytesMax && finding.wrong.empty()) {
      finding.verdict = Verdict::kWrong;
      finding.wrong = "it took " + std::to_string(peak) + " KB of memory";
    }
    if (finding.verdict == Verdict::kWrong) Keep(*image, number);
    End(finding, peak, base.summary);
    (*image)[wound.file] = base.image.at(wound.file);
  }

  void Keep(const Image& image, uint64_t number) const {
    if (line_.keep.empty()) return;
    const std::string dir = line_.keep + "/image-" + std::to_string(number);
    std::filesystem::create_directories(dir);
    for (const auto& [path, bytes] : image) {
      WriteFile(dir + path.substr(path.rfind('/')), bytes);
    }
  }

  void Write(const std::vector<std::string>& words) const {
    std::string text;
    for (const std::string& word : words) text += OneLine(word) + "\t";
    text += "\n";
    if (::write(output_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
      ::_exit(0);  // the parent has closed the pipe
    }
  }

  const CommandLine& line_;
  const uint64_t seed_;
  const ImagePlace place_;
  const int output_;
};

std::vector<std::string> Words(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
  return words;
}

enum class End { kOfOutput, kStopped, kHang };

// Records what a child reports.
class Parent {
 public:
  Parent(uint64_t first, const Tell& tell, Figures* figures)
      : tell_(tell), figures_(figures), image_(first) {}

  // Reads until the end, or until `goes_on` returns false between two images.
  End Listen(int input, const std::function<bool()>& goes_on) {
    std::string text;
    while (true) {
      pollfd waiting = {input, POLLIN, 0};
      if (::poll(&waiting, 1, kHangSeconds * 1000) == 0) return End::kHang;
      char buffer[4096];
      const ssize_t got = ::read(input, buffer, sizeof(buffer));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return End::kOfOutput;
      text.append(buffer, static_cast<size_t>(got));
      for (size_t end; (end = text.find('\n')) != std::string::npos;) {
        Take(Words(text.substr(0, end)));
        text.erase(0, end + 1);
      }
      if (!is_open_ && !goes_on()) return End::kStopped;
    }
  }

  // Attributes `wrong` to the image that the child has begun and never ended, if there is one.
  void Blame(const std::string& wrong) {
    Finding finding;
    finding.verdict = Verdict::kWrong;
    figures_->Add(wound_, finding);
    tell_(image_, (is_open_ ? wound_text_ : "making the base") + "; " + wrong);
  }

 private:
  void Take(const std::vector<std::string>& words) {
    if (words.size() >= 6 && words[0] == "begin") TakeBegin(words);
    if (words.size() >= 6 && words[0] == "end") TakeEnd(words);
  }

  void TakeBegin(const std::vector<std::string>& words) {
    is_open_ = true;
    image_ = std::strtoull(words[1].c_str(), nullptr, 10);
    wound_.structure = static_cast<Structure>(std::atoi(words[2].c_str()));
    wound_.harm = static_cast<Harm>(std::atoi(words[3].c_str()));
    wound_.field = words[4];
    wound_text_ = words[5];
  }

  void TakeEnd(const std::vector<std::string>& words) {
    is_open_ = false;
    Finding finding;
    finding.verdict = static_cast<Verdict>(std::atoi(words[1].c_str()));
    finding.rule = words[2];
    figures_->Add(wound_, finding);
    figures_->NotePeak(std::strtoull(words[4].c_str(), nullptr, 10));
    if (finding.verdict == Verdict::kWrong) {
      tell_(image_, wound_text_ + "; base: " + words[5] + "; " + words[3]);
    }
  }

  const Tell& tell_;
  Figures* const figures_;
  // The image that is being tried, or the last one.
  bool is_open_ = false;
  uint64_t image_;
  Wound wound_;
  std::string wound_text_;
};

// Returns what is wrong with an exit status; empty if nothing is.
std::string WrongEnd(int status) {
  if (WIFSIGNALED(status)) return std::string("it crashed: ") + ::strsignal(WTERMSIG(status));
  if (WEXITSTATUS(status) == 0) return "";
  return "it ended with exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

void RunBatch(const CommandLine& line, uint64_t seed, const std::string& dir, uint64_t first,
              uint64_t last, const std::function<bool()>& goes_on, const Tell& tell,
              Figures* figures) {
  const Forked child = Fork([&](int output) {
    Child(line, seed, dir, output).Run(first, last);
    return 0;
  });
  figures->NoteBase();
  Parent parent(first, tell, figures);
  const End end = parent.Listen(child.output, goes_on);
  if (end == End::kHang) ::kill(child.pid, SIGABRT);  // a core file then shows where
  ::close(child.output);
  if (end == End::kStopped) ::kill(child.pid, SIGKILL);
  const int status = AwaitEnd(child.pid);
  if (end == End::kStopped) return;
  const std::string wrong = end == End::kHang ? "it hangs" : WrongEnd(status);
  if (!wrong.empty()) parent.Blame(wrong);
}

}  // namespace testkit
}  // namespace leveldb
