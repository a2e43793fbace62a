#ifndef WARDEN_TIMELINE_MERGE_KERNEL_EVENTS_H_
#define WARDEN_TIMELINE_MERGE_KERNEL_EVENTS_H_

// What GPUs did as events of a merged timeline, below the spans of the training.

#include <cstdint>
#include <string>
#include <vector>

#include "warden/timeline/kernels/kernel_stream.h"
#include "warden/timeline/merge/event_writer.h"
#include "warden/timeline/names.h"

namespace warden::timeline {

// GPU activity of a run in the order of time, for a merged timeline: a process of the viewer for
// each device, with a thread for each stream, and one for the calls of each training process, with
// arrows from calls to the kernels and copies that they started. For one thread.
class KernelEvents {
 public:
  // Events that begin in the range. names: gets the names of processes; not used afterwards.
  KernelEvents(std::vector<ActivityFile> files, const TimeRange& range, Names* names);

  // Of the next event, since 1970; kNever after the last.
  int64_t time_us() const;
  // Writes it and moves on; returns its end. REQUIRES: time_us() != kNever.
  int64_t WriteNext(EventWriter* writer);
  // For users; all of them when everything is written.
  const std::vector<std::string>& problems() const { return stream_.problems(); }

 private:
  // Names of one file, as the viewer has them.
  struct SourceNames {
    std::vector<std::string> names;  // By their numbers, as the inside of JSON strings.
    // By lane: the process of the viewer that it is in, and its name.
    std::vector<NameId> phases;
    std::vector<const std::string*> phase_names;
    NameId calls = 0;
    const std::string* calls_name = nullptr;
  };

  void SkipOutside();
  MergeSpan SpanOf(const format::GpuEvent& event);
  std::string_view NameOf(const format::GpuEvent& event);
  void DescribeArgs(const format::GpuEvent& event);
  void WriteArrow(const format::GpuEvent& event, const MergeSpan& span, EventWriter* writer);

  KernelStream stream_;
  const TimeRange range_;
  std::vector<SourceNames> sources_;
  std::string copy_name_;
  std::string args_;
  // Arrows that have begun, by correlation, in a fixed place for each: their numbers.
  struct Begun {
    size_t source = 0;
    uint32_t correlation = 0;  // 0: none.
    uint64_t number = 0;
  };
  std::vector<Begun> begun_;
  uint64_t arrows_ = 0;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_KERNEL_EVENTS_H_
