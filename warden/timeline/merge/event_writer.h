#ifndef WARDEN_TIMELINE_MERGE_EVENT_WRITER_H_
#define WARDEN_TIMELINE_MERGE_EVENT_WRITER_H_

// The events of a merged timeline as JSON text, which chrome://tracing and Perfetto read.
// MergeTimelines decides on the order; this numbers, names and writes.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warden/timeline/host_clocks.h"
#include "warden/timeline/merge/trace_blocks.h"
#include "warden/timeline/names.h"

namespace warden::timeline {

// Writes the events of a merged timeline one after the other, in the order in which they are given,
// as a JSON array of Chrome trace events. Phases are numbered so that related ones are next to each
// other in a viewer; each phase and each thread is named before its first event. For one thread.
//
//   EventWriter writer(sink.buffer());
//   writer.Begin();
//   writer.Span(span);
//   writer.End();
class EventWriter {
 public:
  // out: appended to; not owned, outlives this. Errors cannot happen here: the text grows in
  // memory, and whoever owns `out` writes it to a file between two calls (TextSink).
  explicit EventWriter(std::string* out) : out_(out) {}

  // Call Begin first and End last, each once.
  void Begin() { out_->append("["); }
  // By how much the times of a host were moved: metadata that viewers keep and do not draw.
  void Clock(const HostClock& clock);
  // REQUIRES: name and args of the span are valid JSON, as a TraceReader hands them over. Copies
  // name and arguments as they are. Times stay in µs since 1970.
  void Span(const MergeSpan& span);
  // An arrow from a span to another that it caused: from its start, then, by the same number, to
  // that of the other. The spans are written, too.
  void FlowFrom(const MergeSpan& span, uint64_t number) { Flow(span, number, "s"); }
  void FlowTo(const MergeSpan& span, uint64_t number) { Flow(span, number, "f"); }
  // name: the inside of a JSON string. value: finite. The viewer draws one chart for each name, all
  // in the process "sys_metrics".
  void Counter(std::string_view name, int64_t time_us, double value);
  // An instant event. args: a JSON object.
  void Mark(int64_t time_us, std::string_view args);
  void End() { out_->append("\n]\n"); }

 private:
  struct Thread {
    int64_t tid = 0;
    std::string middle;  // What stands between the name and the time of its events.
  };
  // Ranges of process numbers, by a word in the name of the phase: steps first, then forward,
  // backward, data loading, devices, operators, Horovod, and all others last. Viewers sort by them.
  static constexpr size_t kBands = 13;

  void NextLine();
  void Flow(const MergeSpan& span, uint64_t number, std::string_view kind);
  // Takes the next number of the phase's band, and writes the events that name and sort it.
  int64_t NewPid(std::string_view phase);
  // The thread of a span, announced if it is new. Threads that are used often are found first.
  const Thread& ThreadOf(const MergeSpan& span);
  void NameThread(int64_t pid, const MergeSpan& span);

  std::string* const out_;
  bool any_ = false;
  std::array<int64_t, kBands> used_{};
  std::vector<int64_t> pids_;                 // By phase; 0: not yet.
  std::vector<std::vector<Thread>> threads_;  // By phase; the last used first.
  int64_t counters_pid_ = 0;
  int64_t marks_pid_ = 0;
};

// Appends a finite number as JSON, with the fewest digits that read back the same.
void AppendNumber(double value, std::string* out);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_EVENT_WRITER_H_
