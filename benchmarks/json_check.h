// IsJson tells, for tests, whether a text is JSON.
#ifndef BUSHSTORE_BENCHMARKS_JSON_CHECK_H_
#define BUSHSTORE_BENCHMARKS_JSON_CHECK_H_

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string>

namespace leveldb::bench {

// JsonCheck parses one JSON value by recursive descent.
class JsonCheck {
 public:
  explicit JsonCheck(const std::string& text) : at_(text.c_str()) {}

  bool WholeTextIsOneValue() { return Value() && (SkipSpace(), *at_ == '\0'); }

 private:
  void SkipSpace() { at_ += std::strspn(at_, " \t\r\n"); }

  bool Take(const char* token) {
    SkipSpace();
    const size_t n = std::strlen(token);
    if (std::strncmp(at_, token, n) != 0) return false;
    at_ += n;
    return true;
  }

  bool String() {
    if (!Take("\"")) return false;
    for (; *at_ != '"'; ++at_) {
      if (static_cast<unsigned char>(*at_) < 0x20) return false;
      if (*at_ == '\\' && *++at_ == '\0') return false;
    }
    ++at_;
    return true;
  }

  bool Number() {
    SkipSpace();
    if (*at_ != '-' && std::isdigit(static_cast<unsigned char>(*at_)) == 0) return false;
    char* end = nullptr;
    std::strtod(at_, &end);
    at_ = end;
    return true;
  }

  bool Member() { return String() && Take(":") && Value(); }

  bool List(bool (JsonCheck::*part)(), const char* close) {
    if (Take(close)) return true;
    do {
      if (!(this->*part)()) return false;
    } while (Take(","));
    return Take(close);
  }

  bool Value() {
    if (Take("{")) return List(&JsonCheck::Member, "}");
    if (Take("[")) return List(&JsonCheck::Value, "]");
    return Take("true") || Take("false") || Take("null") || String() || Number();
  }

  const char* at_;
};

inline bool IsJson(const std::string& text) {
  return JsonCheck(text).WholeTextIsOneValue();
}

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_JSON_CHECK_H_
