#ifndef WARDEN_TIMELINE_MERGE_BLOCK_LOADER_H_
#define WARDEN_TIMELINE_MERGE_BLOCK_LOADER_H_

// Overlaps reading and merging: one thread parses the next blocks of the traces while the caller
// sorts and writes. At most three blocks of about 1 MiB wait, so memory stays bounded.
//
//   BlockLoader loader(std::move(scan.blocks), &files, &range, &names);
//   while (loader.next_start() <= until) Merge(loader.Take());

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

// Reads blocks one after the other on a separate thread, at most a few ahead of the caller, who
// merges them meanwhile. Used by MergeTimelines. The methods are for one thread.
class BlockLoader {
 public:
  // Starts the thread. Everything behind a pointer outlives this object. `names` belongs to the
  // thread as long as this object lives: the caller must not use it, except through the spans of
  // taken blocks.
  BlockLoader(std::vector<TraceBlock> blocks, const std::vector<TraceFile>* files,
              const TimeRange* range, Names* names);
  // Stops the thread and waits for it.
  ~BlockLoader();
  BlockLoader(const BlockLoader&) = delete;
  BlockLoader& operator=(const BlockLoader&) = delete;

  // The earliest start in the next block; kNever after the last. Known without reading the block.
  int64_t next_start() const;

  // A block that was read.
  struct Taken {
    std::unique_ptr<LoadedBlock> block;  // Never null.
    Status status;                       // Of reading it; what could be read is in the block.
    uint64_t bytes = 0;                  // Size of the block.
  };
  // The next block; waits until it is read. REQUIRES: next_start() != kNever. An error does not end
  // the loading: the caller reports it and takes the next.
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
  // At most kAhead. Guarded by mutex_, as is stop_.
  std::deque<Taken> ready_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_BLOCK_LOADER_H_
