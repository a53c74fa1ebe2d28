#include "testing/comparators.h"

#include <algorithm>
#include <string>
#include <vector>

#include "leveldb/slice.h"

namespace leveldb {
namespace testkit {

namespace {

class Reverse : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override { return b.compare(a); }
  const char* Name() const override { return "test.Reverse"; }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string Lowered(const Slice& key) {
  std::string lowered = key.ToString();
  std::transform(lowered.begin(), lowered.end(), lowered.begin(), Lower);
  return lowered;
}

class CaseInsensitive : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override {
    const size_t common = std::min(a.size(), b.size());
    for (size_t i = 0; i < common; ++i) {
      const int left = static_cast<unsigned char>(Lower(a[i]));
      const int right = static_cast<unsigned char>(Lower(b[i]));
      if (left != right) {
        return left < right ? -1 : 1;
      }
    }
    return a.size() == b.size() ? 0 : (a.size() < b.size() ? -1 : 1);
  }
  const char* Name() const override { return "test.CaseInsensitive"; }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

class LoweringFilter : public FilterPolicy {
 public:
  const char* Name() const override { return "test.LoweringBloom"; }

  void CreateFilter(const Slice* keys, int n, std::string* dst) const override {
    std::vector<std::string> lowered;
    for (int i = 0; i < n; ++i) {
      lowered.push_back(Lowered(keys[i]));
    }
    const std::vector<Slice> slices(lowered.begin(), lowered.end());
    bloom_->CreateFilter(slices.data(), n, dst);
  }

  bool KeyMayMatch(const Slice& key, const Slice& filter) const override {
    return bloom_->KeyMayMatch(Lowered(key), filter);
  }

 private:
  const FilterPolicy* const bloom_ = NewBloomFilterPolicy(10);
};

}  // namespace

const Comparator* ReverseComparator() {
  static const Comparator* const reverse = new Reverse;
  return reverse;
}

const Comparator* CaseInsensitiveComparator() {
  static const Comparator* const case_insensitive = new CaseInsensitive;
  return case_insensitive;
}

const FilterPolicy* CaseInsensitiveFilter() {
  static const FilterPolicy* const filter = new LoweringFilter;
  return filter;
}

}  // namespace testkit
}  // namespace leveldb
