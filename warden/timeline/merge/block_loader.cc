#include "warden/timeline/merge/block_loader.h"

#include <limits>
#include <utility>

namespace warden::timeline {

BlockLoader::BlockLoader(std::vector<TraceBlock> blocks, const std::vector<TraceFile>* files,
                         const TimeRange* range, Names* names)
    : files_(files), range_(range), names_(names), blocks_(std::move(blocks)) {
  for (const TraceBlock& block : blocks_) starts_.push_back(block.first_start);
  thread_ = std::thread([this] { Run(); });
}

BlockLoader::~BlockLoader() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

int64_t BlockLoader::next_start() const {
  return taken_ < starts_.size() ? starts_[taken_] : std::numeric_limits<int64_t>::max();
}

void BlockLoader::Run() {
  for (TraceBlock& block : blocks_) {
    Taken next{std::make_unique<LoadedBlock>(), {}, block.size};
    next.status = next.block->Load(block, (*files_)[block.file], *range_, names_);
    block.state = TraceState();  // It is not needed any more.
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stop_ || ready_.size() < kAhead; });
    if (stop_) return;
    ready_.push_back(std::move(next));
    changed_.notify_all();
  }
}

BlockLoader::Taken BlockLoader::Take() {
  ++taken_;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !ready_.empty(); });
  Taken next = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  return next;
}

}  // namespace warden::timeline
