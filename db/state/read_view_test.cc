#include "db/state/read_view.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "util/epoch.h"

namespace leveldb {
namespace {

class CurrentViewTest : public testing::Test {
 protected:
  std::shared_ptr<const ReadView> NewView() const {
    return std::make_shared<const ReadView>(std::make_shared<MemTable>(&comparator_), nullptr,
                                            std::make_shared<const Version>(&comparator_));
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
};

TEST_F(CurrentViewTest, AReplacedViewLivesUntilGuardsAndPinsAreGone) {
  CurrentView current;
  current.Publish(NewView());
  EXPECT_EQ(0u, current.LastRetiredEpoch());
  std::weak_ptr<const ReadView> first = current.Pin();
  std::shared_ptr<const ReadView> pinned;
  {
    EpochGuard guard;
    EXPECT_EQ(first.lock().get(), current.Get());
    current.Publish(NewView());
    EXPECT_NE(0u, current.LastRetiredEpoch());
    EXPECT_TRUE(current.TakeRetired().empty());  // this thread may still use it
    pinned = first.lock();
  }
  EXPECT_EQ(1u, current.TakeRetired().size());
  EXPECT_EQ(0u, current.LastRetiredEpoch());
  EXPECT_FALSE(first.expired());
  pinned.reset();
  EXPECT_TRUE(first.expired());
}

TEST_F(CurrentViewTest, ReadersAndPublisherRunSideBySide) {
  CurrentView current;
  current.Publish(NewView());
  std::atomic<bool> stop{false};
  std::thread guarded([&] {
    while (!stop) {
      EpochGuard guard;
      EXPECT_EQ(0u, current.Get()->memtable->num_entries());
    }
  });
  std::thread pinning([&] {
    while (!stop) EXPECT_EQ(0, current.Pin()->version->num_files(0));
  });
  for (int i = 0; i < 2000; i++) {
    current.Publish(NewView());
    current.TakeRetired();
  }
  stop = true;
  guarded.join();
  pinning.join();
}

}  // namespace
}  // namespace leveldb
