#include "db/state/read_view.h"

#include "util/epoch.h"

namespace leveldb {

std::shared_ptr<const ReadView> CurrentView::Pin() const {
  EpochGuard guard;
  return Get()->shared_from_this();
}

void CurrentView::Publish(std::shared_ptr<const ReadView> view) {
  current_.store(view.get(), std::memory_order_seq_cst);
  if (owner_ != nullptr) retired_.emplace_back(epoch::Advance(), std::move(owner_));
  owner_ = std::move(view);
}

std::vector<std::shared_ptr<const ReadView>> CurrentView::TakeRetired(bool all) {
  std::vector<std::shared_ptr<const ReadView>> taken;
  size_t passed = 0;
  while (passed < retired_.size() && (all || epoch::Passed(retired_[passed].first))) {
    taken.push_back(std::move(retired_[passed].second));
    passed++;
  }
  retired_.erase(retired_.begin(), retired_.begin() + static_cast<ptrdiff_t>(passed));
  return taken;
}

}  // namespace leveldb
