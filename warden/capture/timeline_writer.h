#ifndef WARDEN_CAPTURE_TIMELINE_WRITER_H_
#define WARDEN_CAPTURE_TIMELINE_WRITER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "warden/capture/timeline_file.h"
#include "warden/os/fork.h"

namespace warden::capture {

// What a TimelineWriter is made with. node and settings.folder are required.
struct TimelineOptions {
  TimelineSettings settings;
  std::string node;                              // "<rank or pid>-<host>", without '_'.
  std::string suffix = "pythontimeline.json";    // What the files' names end in.
  int64_t base_us = 0;                           // What times are counted from; 0: now.
  size_t most_pending = size_t{1} << 17;         // Events that wait for the disk,
  size_t most_pending_bytes = size_t{32} << 20;  // and bytes of their names and args.
};

// Records what a training does, at the price of a few dozen nanoseconds for each event: a separate
// thread brings them to timeline files, where readers see them a tenth of a second later. Recording
// never waits for the disk: what does not fit into its memory is dropped and counted. Used by the
// Python package and by the C API (hook/timeline.h).
//
//   TimelineWriter timeline(options);
//   const auto forward = timeline.AddKind("Forward", "Net", R"("pid": 88)");
//   timeline.Record(forward, start_us, duration_us, step);
//   timeline.Close(/*finish=*/true);
//
// Safe for many threads. In a forked child it does nothing. Nothing fails: what goes wrong with
// files is logged once (TimelineFile) and shows in counters() and healthy().
class TimelineWriter {
 public:
  using Kind = uint32_t;
  static constexpr int64_t kNoStep = INT64_MIN;

  // Starts the thread; no file is opened before the first event. Without a thread, which is logged,
  // nothing is recorded.
  explicit TimelineWriter(TimelineOptions options);
  // Closes, and gives the file its name. Waits for the disk as Close does.
  ~TimelineWriter();
  TimelineWriter(const TimelineWriter&) = delete;
  TimelineWriter& operator=(const TimelineWriter&) = delete;

  // Spans that come again and again are described once. args: members of a JSON object, without the
  // braces; each span adds its step as "step_num". Kinds stay for good: one for each name, not one
  // for each event. The texts are copied.
  Kind AddKind(std::string_view phase, std::string_view name, std::string_view args);
  // A span of such a kind, in microseconds since 1970 (TimelineNowUs). A negative duration counts
  // as 0.
  void Record(Kind kind, int64_t start_us, int64_t duration_us, int64_t step = kNoStep);
  // Any event; what it names is copied.
  void Record(const TimelineEvent& event);

  // Settings for what is recorded from now on.
  void Configure(const TimelineSettings& settings);
  // Sets what times are counted from; to be called before the first event.
  void Rebase(int64_t base_us);
  int64_t base_us() const;

  // Returns when everything recorded is in the file, or the time is over: false then.
  bool Flush(std::chrono::milliseconds patience = std::chrono::seconds(10));
  // Writes what is left and ends the file; without finish it keeps its temporary name. Nothing is
  // recorded afterwards, and a second call only waits. False if the disk does not answer in time:
  // the thread is left to itself then, and finishes if it can.
  bool Close(bool finish, std::chrono::milliseconds patience = std::chrono::seconds(10));

  // In events, since the start.
  struct Counters {
    uint64_t recorded = 0;  // Accepted; those lost later included.
    uint64_t dropped = 0;   // Came faster than the disk takes them.
    uint64_t lost = 0;      // Could not be written.
  };
  Counters counters() const;
  // False while files cannot be opened.
  bool healthy() const;

 private:
  class State;

  bool IsCopy() const { return os::ForkGeneration() != born_; }

  const uint64_t born_ = os::ForkGeneration();
  // Shared with the thread, which may outlive us if the disk does not answer.
  std::shared_ptr<State> state_;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_TIMELINE_WRITER_H_
