#include "db/state/resolved_options.h"

namespace leveldb {

ResolvedOptions::ResolvedOptions(const std::string& name, const Options& user)
    : dbname(name),
      internal_comparator(user.comparator),
      internal_filter_policy(user.filter_policy),
      options(user) {
  options.comparator = &internal_comparator;
  options.filter_policy = user.filter_policy != nullptr ? &internal_filter_policy : nullptr;
}

}  // namespace leveldb
