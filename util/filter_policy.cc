#include "leveldb/filter_policy.h"

namespace leveldb {

FilterPolicy::~FilterPolicy() = default;

}  // namespace leveldb
