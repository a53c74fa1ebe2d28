#include "db/mem/digest_rank.h"

namespace leveldb {

DigestRank RankDigestPlain(const int32_t* digests, int count, int32_t digest) {
  DigestRank rank;
  for (int i = 0; i < count; i++) {
    rank.smaller += digests[i] < digest;
    rank.equal += digests[i] == digest;
  }
  return rank;
}

}  // namespace leveldb
