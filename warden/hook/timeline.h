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

// Puts the steps of a program, and what else it tells, on the profiler's timeline while its
// configuration asks for that; costs next to nothing while it does not. Safe for many threads.
class Timeline {
 public:
  // rank: among those that train together; none if it trains alone.
  explicit Timeline(std::optional<int> rank);
  ~Timeline();

  // A step begins; one that has not ended ends here. number: that of the caller, if it has one.
  void BeginStep(Mode mode, std::optional<Step> number);
  void EndStep();
  void Record(std::string_view phase, std::string_view name, int64_t start_us, int64_t duration_us);
  bool IsOn();
  // The training has ended. Nothing is recorded afterwards.
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
  capture::TimelineSettings applied_;                // What the writer was told last.
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
