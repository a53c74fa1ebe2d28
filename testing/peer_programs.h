// The programs and libraries outside that stories use, as the build found them.

#ifndef BUSHSTORE_TESTING_PEER_PROGRAMS_H_
#define BUSHSTORE_TESTING_PEER_PROGRAMS_H_

#include <string>

#include "testing/subprocess.h"

namespace leveldb {
namespace testkit {

// Whose libleveldb a peer runs on.
enum class Whose { kOurs, kStock };

// Whether the system has a libleveldb.so.1d of its own. Stories that need it skip without it.
bool HaveStockLibrary();

// The command line and the environment for testing/peer/peer.cc on one of the libraries.
Arguments PeerCommand(const Arguments& words);
Environment PeerEnvironment(Whose whose);
// Both, to its end.
Finished RunPeer(Whose whose, const Arguments& words);

// The command line for testing/peer/tier_writer.cc.
Arguments TierWriterCommand(const Arguments& words);

// Decodes a closed database from the written formats alone and compares it with a dump.
// `reverse`: its comparator is ReverseComparator().
Finished RunParseCheck(const std::string& db_path, const std::string& dump_path, bool reverse);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_PEER_PROGRAMS_H_
