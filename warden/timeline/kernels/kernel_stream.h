#ifndef WARDEN_TIMELINE_KERNELS_KERNEL_STREAM_H_
#define WARDEN_TIMELINE_KERNELS_KERNEL_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/format/kernel_event.h"
#include "warden/timeline/kernels/activity_files.h"

namespace warden::timeline {

// The events of files of GPU activity in the order of their starts. Reads each file twice: first
// only the heads of blocks, then a block when its first event may be the next. Memory is that of
// the blocks that overlap, and bounded: of files whose blocks nearly all overlap, which no recorder
// writes, some events come later than their start. For one thread.
//
//   KernelStream stream(ActivityFiles(folder, /*unfinished=*/true));
//   for (; !stream.done(); stream.Next()) Use(stream.event(), stream.source());
class KernelStream {
 public:
  // What one file has beside its events.
  struct Source {
    ActivityFile file;
    format::KernelDictionary dictionary;
    // By start. One that was not ended, because the process was killed, has an end beyond
    // kOpenWindowNs.
    std::vector<format::KernelWindow> windows;
    std::vector<format::StepMark> steps;  // By start.
    uint64_t events = 0;
    uint64_t bytes = 0;
    // Of the events, if there are some.
    int64_t first_ns = 0;
  };

  // Reads the heads. What cannot be read is a problem; blocks before it count.
  explicit KernelStream(std::vector<ActivityFile> files);
  KernelStream(const KernelStream&) = delete;
  KernelStream& operator=(const KernelStream&) = delete;

  const std::vector<Source>& sources() const { return sources_; }
  // For users.
  const std::vector<std::string>& problems() const { return problems_; }

  bool done() const { return current_ == nullptr; }
  // The next event, with its time moved by the file's ahead_us, as those of windows and steps are.
  // REQUIRES for these: !done().
  const format::GpuEvent& event() const { return current_->block.events[current_->next]; }
  const Source& source() const { return sources_[current_->source]; }
  size_t source_index() const { return current_->source; }
  void Next();

 private:
  struct BlockPlace {
    size_t source = 0;
    uint64_t offset = 0;  // Of the record.
    uint64_t size = 0;
    int64_t first_ns = 0;
  };
  struct Loaded {
    size_t source = 0;
    size_t next = 0;
    format::KernelBlock block;

    int64_t start_ns() const { return block.events[next].start_ns; }
  };
  using LoadedPointer = std::unique_ptr<Loaded>;

  static bool ComesLater(const LoadedPointer& a, const LoadedPointer& b) {
    return a->start_ns() > b->start_ns();
  }

  void Scan(size_t source);
  void LoadNext();
  // Makes the block with the next event the current one.
  void Choose();

  std::vector<Source> sources_;
  std::vector<std::string> problems_;
  std::vector<BlockPlace> places_;     // By first event; the next last.
  std::vector<LoadedPointer> loaded_;  // A heap without the current one, the next event on top.
  std::vector<LoadedPointer> spare_;
  size_t loaded_events_ = 0;
  LoadedPointer current_;
  int64_t limit_ns_ = 0;  // Up to here no other block has an event.
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_KERNELS_KERNEL_STREAM_H_
