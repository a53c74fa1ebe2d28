// Tests what the parent learns of a part of a run in a process of its own.

#include "testing/stress/child.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "port/sanitizers.h"
#include "testing/forked.h"

namespace leveldb {
namespace testkit {
namespace {

TEST(ChildTest, OneThatFindsNothingIsFine) {
  const ChildEnd end = RunChild(Figures(), [](Findings*) { delete new std::string(1000, 'x'); });
  EXPECT_EQ(end.wrong, "");
  EXPECT_FALSE(end.was_killed);
}

TEST(ChildTest, WhatIsFoundIsToldAlsoIfItIsKilledThen) {
  const ChildEnd end = RunChild(Figures(), [](Findings* findings) {
    findings->Report("a key is lost");
    ::raise(SIGKILL);
  });
  EXPECT_NE(end.wrong.find("a key is lost"), std::string::npos) << end.wrong;
  EXPECT_FALSE(end.was_killed);
}

TEST(ChildTest, AKillIsNoFinding) {
  const ChildEnd end = RunChild(Figures(), [](Findings*) { ::raise(SIGKILL); });
  EXPECT_EQ(end.wrong, "");
  EXPECT_TRUE(end.was_killed);
}

TEST(ChildTest, ACrashIsOne) {
  const ChildEnd end = RunChild(Figures(), [](Findings*) { ::raise(SIGTERM); });
  EXPECT_EQ(end.wrong, std::string("crashed: ") + ::strsignal(SIGTERM));
}

// Only AddressSanitizer detects leaks.
TEST(ChildTest, ALeakIsOne) {
#ifdef BUSHSTORE_UNDER_ASAN
  const std::string expected = "ended with exit code " + std::to_string(kExitLeaked);
#else
  const std::string expected;
#endif
  const ChildEnd end = RunChild(Figures(), [](Findings*) {
    // Leaks many times, so that no pointer left over on the stack keeps all of it reachable.
    for (int i = 0; i < 100; ++i) {
      char* volatile lost = static_cast<char*>(std::malloc(10000));
      lost[0] = 'x';
    }
  });
  EXPECT_EQ(end.wrong, expected);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
