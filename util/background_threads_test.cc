#include "util/background_threads.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <vector>

#include "port/mutex.h"
#include "port/thread_annotations.h"

namespace leveldb {
namespace {

// Work that records its order and how many pieces run at a time. Never freed: the threads outlive
// the test.
struct Record {
  explicit Record(int pieces) : changed(&mutex), left(pieces) {}

  void Begin(int piece) {
    MutexLock lock(&mutex);
    begun.push_back(piece);
    running++;
    most_running = std::max(most_running, running);
    changed.SignalAll();
  }

  void End() {
    MutexLock lock(&mutex);
    running--;
    left--;
    changed.SignalAll();
  }

  void WaitUntilRunning(int count) {
    MutexLock lock(&mutex);
    while (most_running < count) changed.Wait();
  }

  void WaitUntilDone() {
    MutexLock lock(&mutex);
    while (left > 0) changed.Wait();
  }

  Mutex mutex;
  CondVar changed;
  std::vector<int> begun GUARDED_BY(mutex);
  int running GUARDED_BY(mutex) = 0;
  int most_running GUARDED_BY(mutex) = 0;
  int left GUARDED_BY(mutex);
};

struct Piece {
  Record* record;
  int number;
  int wait_for;  // How many pieces must run together before this one may end.

  static void Run(void* arg) {
    const Piece* const piece = static_cast<Piece*>(arg);
    piece->record->Begin(piece->number);
    piece->record->WaitUntilRunning(piece->wait_for);
    piece->record->End();
  }
};

// Schedules `count` pieces on threads of the given limit and waits for them.
std::vector<int> RunPieces(int limit, int count, int wait_for, int* most_running) {
  static std::vector<BackgroundThreads*>* const all = new std::vector<BackgroundThreads*>;
  all->push_back(new BackgroundThreads(limit));
  Record record(count);
  std::vector<Piece> pieces;
  for (int i = 0; i < count; i++) pieces.push_back(Piece{&record, i, wait_for});
  for (Piece& piece : pieces) all->back()->Schedule(&Piece::Run, &piece);
  record.WaitUntilDone();
  MutexLock lock(&record.mutex);
  *most_running = record.most_running;
  return record.begun;
}

TEST(BackgroundThreadsTest, OneThreadKeepsTheOrder) {
  int most_running = 0;
  const std::vector<int> begun = RunPieces(1, 100, 1, &most_running);
  EXPECT_EQ(begun.size(), 100u);
  EXPECT_TRUE(std::is_sorted(begun.begin(), begun.end()));
  EXPECT_EQ(most_running, 1);
}

TEST(BackgroundThreadsTest, ThreadsGrowToTheLimitAndNoFurther) {
  int most_running = 0;
  std::vector<int> begun = RunPieces(3, 100, 3, &most_running);
  EXPECT_EQ(most_running, 3);
  std::sort(begun.begin(), begun.end());
  for (int i = 0; i < 100; i++) EXPECT_EQ(begun[static_cast<size_t>(i)], i);
}

#ifdef __linux__
// Records its own nice value, and that of a thread that is made for work it schedules.
struct NiceValues {
  BackgroundThreads* threads;
  Record done{2};
  int nice[2] = {-100, -100};

  static void NoteFirst(void* arg) {
    NiceValues* const values = static_cast<NiceValues*>(arg);
    values->nice[0] = getpriority(PRIO_PROCESS, 0);
    values->done.Begin(0);
    values->threads->Schedule(&NoteSecond, arg);
    values->done.WaitUntilRunning(2);
    values->done.End();
  }

  static void NoteSecond(void* arg) {
    NiceValues* const values = static_cast<NiceValues*>(arg);
    values->nice[1] = getpriority(PRIO_PROCESS, 0);
    values->done.Begin(1);
    values->done.End();
  }
};

TEST(BackgroundThreadsTest, StepBackAllAlike) {
  const int before = getpriority(PRIO_PROCESS, 0);
  NiceValues* const values = new NiceValues{new BackgroundThreads(2)};
  values->threads->Schedule(&NiceValues::NoteFirst, values);
  values->done.WaitUntilDone();
  const int behind = std::min(before + BackgroundThreads::kNiceness, 19);
  EXPECT_EQ(values->nice[0], behind);
  EXPECT_EQ(values->nice[1], behind);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
}
#endif

}  // namespace
}  // namespace leveldb
