#include "testing/stress/crew.h"

#include "testing/dice.h"
#include "testing/stress/operations.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {

void RunCrew(Site site, const Numbers& numbers, uint64_t session) {
  for (const char* const name : {"iterator", "scan", "snapshot", "walk"}) {
    site.has_iterators |= numbers.Get(name, 0) != 0;
  }
  Dice dice(numbers.Get("seed", 1) + session);
  const uint64_t sessions = numbers.Get("sessions", 1);
  const uint64_t operations = numbers.Get("ops", 100) / (sessions == 0 ? 1 : sessions);
  Threads threads;
  for (uint32_t thread = 0; thread < site.expected->threads(); ++thread) {
    const uint64_t seed = dice.Next();
    threads.Run([&site, &numbers, thread, seed, operations] {
      Operations(site, thread, numbers, seed).Run(operations);
    });
  }
}

}  // namespace testkit
}  // namespace leveldb
