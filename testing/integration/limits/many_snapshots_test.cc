// A million snapshots exist at a time: each sees its moment, in whatever order they are released.

#include <algorithm>
#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/either_store.h"
#include "testing/seed.h"
#include "testing/status_checks.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kKeys = 100;
constexpr int kSnapshotsOfAMoment = 50;

class ManySnapshots : public EitherStore {
 protected:
  ManySnapshots() : dice_(AnnouncedSeed()) { store_.options.write_buffer_size = 1 << 20; }

  static std::string Key(int number) { return "key" + std::to_string(number); }

  // Returns the last moment up to `moment` at which this key was written; negative if there is
  // none.
  static int LastWrite(int moment, int key) { return moment - (moment - key + kKeys) % kKeys; }

  void ExpectMoment(const Snapshot* snapshot, int moment) {
    ReadOptions options;
    options.snapshot = snapshot;
    for (int i = 0; i < 3; ++i) {
      const int key = static_cast<int>(dice_.Below(kKeys));
      const int written = LastWrite(moment, key);
      std::string value;
      const Status status = db()->Get(options, Key(key), &value);
      if (written < 0) {
        ASSERT_TRUE(status.IsNotFound()) << status.ToString();
      } else {
        ASSERT_OK(status);
        ASSERT_EQ(std::to_string(written), value) << "at moment " << moment;
      }
    }
  }

  Dice dice_;
};

TEST_P(ManySnapshots, EachSeesItsMoment) {
  ASSERT_OK(Open());
  struct Held {
    const Snapshot* snapshot;
    int moment;
  };
  std::vector<Held> held;
  const int count = Scaled(1000000);
  for (int moment = 0; static_cast<int>(held.size()) < count; ++moment) {
    ASSERT_OK(db()->Put(WriteOptions(), Key(moment % kKeys), std::to_string(moment)));
    for (int i = 0; i < kSnapshotsOfAMoment; ++i) held.push_back({db()->GetSnapshot(), moment});
  }
  for (size_t i = held.size() - 1; i > 0; --i) std::swap(held[i], held[dice_.Below(i + 1)]);
  const size_t half = held.size() / 2;
  for (size_t i = 0; i < held.size(); ++i) {
    if (i % 1000 == 0) ExpectMoment(held[i].snapshot, held[i].moment);
    if (i == half) db()->CompactRange(nullptr, nullptr);
    db()->ReleaseSnapshot(held[i].snapshot);
  }
  const Snapshot* const now = db()->GetSnapshot();
  ExpectMoment(now, (count + kSnapshotsOfAMoment - 1) / kSnapshotsOfAMoment - 1);
  db()->ReleaseSnapshot(now);
}

INSTANTIATE_TEST_SUITE_P(Of, ManySnapshots, ::testing::Bool(), EitherName);

}  // namespace
}  // namespace testkit
}  // namespace leveldb
