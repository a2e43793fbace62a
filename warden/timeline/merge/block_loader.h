#ifndef WARDEN_TIMELINE_MERGE_BLOCK_LOADER_H_
#define WARDEN_TIMELINE_MERGE_BLOCK_LOADER_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/merge/trace_blocks.h"

namespace warden::timeline {

// Reads blocks one after the other on a thread of its own, a few ahead of who takes them.
class BlockLoader {
 public:
  // All but the blocks outlive it; the names are this object's alone as long as it lives.
  BlockLoader(std::vector<TraceBlock> blocks, const std::vector<TraceFile>* files,
              const TimeRange* range, Names* names);
  ~BlockLoader();
  BlockLoader(const BlockLoader&) = delete;
  BlockLoader& operator=(const BlockLoader&) = delete;

  // The earliest start in the next block; the largest number there is after the last.
  int64_t next_start() const;

  struct Taken {
    std::unique_ptr<LoadedBlock> block;
    Status status;  // Of reading it; what could be read is in the block.
    uint64_t bytes = 0;
  };
  // REQUIRES: there is one more.
  Taken Take();

 private:
  static constexpr size_t kAhead = 3;

  void Run();

  const std::vector<TraceFile>* const files_;
  const TimeRange* const range_;
  Names* const names_;
  std::vector<int64_t> starts_;
  size_t taken_ = 0;
  std::vector<TraceBlock> blocks_;  // The thread's.

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Taken> ready_;  // Guarded by mutex_, and so is this:
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_BLOCK_LOADER_H_
