#ifndef WARDEN_TIMELINE_MERGE_EVENT_WRITER_H_
#define WARDEN_TIMELINE_MERGE_EVENT_WRITER_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "warden/timeline/merge/trace_blocks.h"
#include "warden/timeline/names.h"

namespace warden::timeline {

// Writes the events of a merged timeline one after the other, in the order in which they are given.
// Phases are numbered so that related ones stand together; each phase and each thread is named
// before its first event. For one thread.
class EventWriter {
 public:
  // `out` outlives it.
  explicit EventWriter(std::string* out) : out_(out) {}

  void Begin() { out_->append("["); }
  void Span(const MergeSpan& span);
  // Names are JSON strings without quotes.
  void Counter(std::string_view name, int64_t time_us, double value);
  // args is a JSON object.
  void Mark(int64_t time_us, std::string_view args);
  void End() { out_->append("\n]\n"); }

 private:
  struct Thread {
    int64_t tid = 0;
    std::string middle;  // What stands between the name and the time of its events.
  };
  static constexpr size_t kBands = 11;

  void NextLine();
  int64_t NewPid(std::string_view phase);
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

// A finite number as JSON has it.
void AppendNumber(double value, std::string* out);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_EVENT_WRITER_H_
