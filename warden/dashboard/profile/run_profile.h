#ifndef WARDEN_DASHBOARD_PROFILE_RUN_PROFILE_H_
#define WARDEN_DASHBOARD_PROFILE_RUN_PROFILE_H_

// The profiler's panels of a run. Reading all of a profile takes seconds for a long run, so it
// happens in the background: requests get the last result at once, with a mark that a newer one is
// on its way.

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "warden/base/status.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/profile/profile_tally.h"
#include "warden/rules/engine/engine.h"

namespace warden::dashboard {

// Where the time of a run went: the profiling report and the panels of the dashboard, made in the
// background from what the profiler has saved, and again when somebody asks and the run has grown.
// A view of OpenRun, with its own thread. Safe for many threads.
//
//   RunProfile profile(run.places());
//   response.body = profile.Answer(/*running=*/std::nullopt);
//
// The rules that it evaluates are those of the profiling report, whatever rules the run itself had.
// Once a run has ended and is read, the thread sleeps until somebody asks.
class RunProfile {
 public:
  // Tests shorten the time.
  struct Options {
    // The report is made at most this often.
    std::chrono::milliseconds anew_after{10'000};
  };

  explicit RunProfile(const RunPlaces& places) : RunProfile(places, Options()) {}
  // Starts to read at once, unless the run has no profiler folder. Copies what it needs of the
  // places.
  RunProfile(const RunPlaces& places, const Options& options);
  // Waits for the thread, which stops within the piece of the run that it is reading.
  ~RunProfile();
  RunProfile(const RunProfile&) = delete;
  RunProfile& operator=(const RunProfile&) = delete;

  // {"report", "dashboard", "pending"} as the page takes it, of what was read so far; waits up to
  // 0.3 s for the first one. "pending": a newer one is being made, ask again. Before anything was
  // read, or if the rules cannot be loaded, report is null and dashboard empty. running: whether
  // the job still runs, if anybody knows; without that, a run counts as ended once it has saved
  // nothing for a minute. Always valid JSON. Asking starts a new report if the last one was begun
  // more than anew_after ago; reading continues where it stopped, so only new data takes time.
  std::string Answer(std::optional<bool> running);

 private:
  struct Evaluator;  // What reads the run and evaluates the rules.

  void Work();
  // Reads all that is there by now. True if there was any.
  bool Advance(Evaluator* evaluator);
  Result<std::unique_ptr<Evaluator>> MakeEvaluator() const;
  // The text of the answer but for "pending" and the closing brace.
  std::string Build(const Evaluator& evaluator, bool running) const;
  // The job's word, if there is one; else whether something was saved within the last minute.
  bool IsRunning(const Evaluator& evaluator) const;
  bool stopped() const;

  const std::string name_;
  const std::string folder_;  // Of the run.
  const std::string profile_;
  const std::vector<std::string> hosts_;
  const Options options_;

  mutable std::mutex mutex_;  // Guards what follows.
  std::condition_variable changed_;
  std::string text_;     // Without its end.
  bool there_ = false;   // There is one.
  bool asked_ = false;   // For another.
  bool working_ = true;  // It may not be the last.
  bool stop_ = false;
  std::optional<bool> running_;
  std::chrono::steady_clock::time_point begun_at_;

  std::thread thread_;  // Last: it uses all others.
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_RUN_PROFILE_H_
