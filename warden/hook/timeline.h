#ifndef WARDEN_HOOK_TIMELINE_H_
#define WARDEN_HOOK_TIMELINE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/types.h"
#include "warden/capture/timeline_writer.h"
#include "warden/hook/timeline_config.h"
#include "warden/os/fork.h"

namespace warden::hook {

// Puts the steps and spans of a C or C++ program on the profiler's timeline while the profiler's
// configuration asks for that; costs next to nothing while it does not. The configuration is
// followed all the time (TimelineConfig), so that profiling can be switched on and off while the
// program runs. Besides the steps it records "Initialization", from the start of the process to the
// first step, and "Finalization", from the last step to Close.
//
// Safe for many threads. In a forked child it does nothing. Nothing fails: trouble with files is
// logged (TimelineWriter).
//
//   Timeline timeline(std::nullopt);
//   timeline.BeginStep(Mode::kTrain, std::nullopt);
//   timeline.Record("Data", "load_batch", start_us, duration_us);
//   timeline.EndStep();
//   timeline.Close();
class Timeline {
 public:
  // rank: among those that train together; none if it trains alone, and files are then named by the
  // process. Nothing is read or written yet.
  explicit Timeline(std::optional<int> rank);
  // Closes.
  ~Timeline();

  // A step begins; one that has not ended ends here. number: that of the caller, if it has one,
  // else the mode's steps are counted from 0. Steps count also while nothing is recorded.
  void BeginStep(Mode mode, std::optional<Step> number);
  // Records the step that was begun; nothing if there is none, or profiling is off or was off when
  // it began.
  void EndStep();
  // A span of the program's, in microseconds since 1970. The texts are copied.
  void Record(std::string_view phase, std::string_view name, int64_t start_us, int64_t duration_us);
  // Whether the configuration asks for a timeline now.
  bool IsOn();
  // The training has ended: ends the step, writes what is left and gives the file its name. Waits
  // for the disk for 10 s at most. Nothing is recorded afterwards; a second call does nothing.
  void Close();

 private:
  using Kind = capture::TimelineWriter::Kind;

  bool IsCopy() const { return os::ForkGeneration() != born_; }
  // Whether something is recorded now; there is a writer then.
  bool OnLocked(int64_t now_us);
  void EndStepLocked(int64_t now_us);
  void RecordLocked(std::string_view phase, int64_t start_us, int64_t end_us);

  const uint64_t born_ = os::ForkGeneration();
  const std::optional<int> rank_;
  std::mutex mutex_;  // Guards all below.
  TimelineConfig config_;
  capture::TimelineSettings applied_;                // What the writer works with.
  std::unique_ptr<capture::TimelineWriter> writer_;  // None until something is recorded.
  std::array<std::optional<Kind>, 4> step_kinds_;    // By ModeIndex.
  std::array<Step, 4> mode_steps_ = {-1, -1, -1, -1};
  Mode mode_ = Mode::kGlobal;
  int64_t step_start_us_ = 0;  // 0: no step is on the timeline.
  int64_t last_end_us_ = 0;    // Of a step; 0: none was.
  bool began_ = false;         // The first step on the timeline has come.
  bool closed_ = false;
};

}  // namespace warden::hook

#endif  // WARDEN_HOOK_TIMELINE_H_
