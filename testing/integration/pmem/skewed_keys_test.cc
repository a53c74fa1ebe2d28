// A workload that writes few keys very often and many keys once, and keys that share long prefixes:
// no existing key is ever reported missing, and none is found that was never written.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kKeys = 20000;

std::string Key(uint64_t number) {
  return "a/long/prefix/that/all/of/the/keys/have/in/common/" + std::to_string(number);
}

TEST(SkewedKeys, AreAllFound) {
  Dice dice(AnnouncedSeed());
  TierStore store;
  store.options.write_buffer_size = 256 << 10;
  ASSERT_OK(store.Open());
  std::map<uint64_t, uint64_t> written;  // the number of the last write of each key
  const auto check = [&](uint64_t number) {
    std::string value;
    const Status status = store.db()->Get(ReadOptions(), Key(number), &value);
    const auto found = written.find(number);
    if (found == written.end()) {
      ASSERT_TRUE(status.IsNotFound()) << number << " " << status.ToString();
    } else {
      ASSERT_OK(status) << number;
      ASSERT_EQ(value.substr(0, value.find('/')), std::to_string(found->second)) << number;
    }
  };
  for (uint64_t write = 1; write <= static_cast<uint64_t>(Scaled(60000)); ++write) {
    // Each draw halves the range with probability 1/2: some keys get most of the writes.
    uint64_t range = kKeys;
    while (range > 1 && dice.OneIn(2)) {
      range /= 2;
    }
    const uint64_t number = dice.Below(range);
    ASSERT_OK(
        store.db()->Put(WriteOptions(), Key(number), std::to_string(write) + "/" + dice.Text(40)));
    written[number] = write;
    if (dice.OneIn(4)) {
      check(dice.Below(kKeys));
    }
  }
  store.Flush();
  for (uint64_t number = 0; number < kKeys; ++number) {
    check(number);
  }
  ASSERT_OK(store.Open());
  for (uint64_t number = 0; number < kKeys; ++number) {
    check(number);
  }
  ASSERT_OK(store.Check());
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
