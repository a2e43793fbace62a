#ifndef WARDEN_TRIAL_TRIAL_H_
#define WARDEN_TRIAL_TRIAL_H_

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/reduction.h"
#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/config/collection.h"
#include "warden/storage/store.h"
#include "warden/trial/event_file_cache.h"
#include "warden/trial/index_feed.h"
#include "warden/trial/manifests.h"
#include "warden/trial/problem.h"
#include "warden/trial/run_index.h"
#include "warden/trial/tensor_value.h"

namespace warden::trial {

struct TrialOptions {
  // Only global steps in [range_begin, range_end) are looked at.
  std::optional<Step> range_begin;
  std::optional<Step> range_end;

  // How long opening waits for the collections files of all workers; none: until the job ends.
  std::optional<std::chrono::milliseconds> collections_timeout;
  // When that time is over: false opens the run all the same, with what its index files tell.
  bool need_collections = true;

  // More incomplete steps than this, and the oldest half of them counts as complete.
  int64_t incomplete_step_window = 1000;
  // A second look is taken this long after the end mark was seen, for files that another worker or
  // an uploader brings late.
  std::chrono::milliseconds end_delay{0};
  // How often, and how long each time, an event file is waited for that an index file names but
  // that is not there yet.
  int missing_file_retries = 100;
  std::chrono::milliseconds retry_interval{2000};
  // Asked several times a second during these waits, by whoever waits; true ends the wait with
  // kUnavailable, or that for collections as its time does. None: nobody can.
  std::function<bool()> give_up;

  // The defaults, with what SMDEBUG_INCOMPLETE_STEP_WAIT_WINDOW, SMDEBUG_TRAINING_END_DELAY_REFRESH
  // and SMDEBUG_MISSING_EVENT_FILE_RETRY_LIMIT say put over them.
  static TrialOptions FromEnvironment();
};

// For looking into whatever is there now, however damaged: waits for nothing.
TrialOptions LookOptions();

struct Progress {
  int new_files = 0;
  bool ended = false;  // The job has ended and everything it saved has been seen.
};

enum class StepState { kUnavailable = 0, kAvailable = 1, kNotYetAvailable = 2 };

// Which tensors to name. Conditions that are set must all hold.
struct NameFilter {
  std::optional<Step> step = {};  // Saved at this step of mode.
  Mode mode = Mode::kGlobal;      // Without a step: saved in this mode; kGlobal: any.
  std::optional<std::string> collection = {};
  std::vector<std::string> regex = {};     // Any is found in the name. Not with collection.
  std::optional<std::string> worker = {};  // Saved by this worker.
};

class StepReader;

// What one training run has saved so far, finished or still going on. Nothing is read again that is
// known, values are read when they are asked for. Answers do not change between calls of Refresh
// (or WaitForSteps, which calls it). Safe for many threads.
//
// Where a step is asked for, the codes of the original apply: kTensorUnavailable,
// kTensorUnavailableForStep, kStepUnavailable, kStepNotYetAvailable, kInvalidWorker. An empty
// worker means the first, by name, that saved the step.
class Trial {
 public:
  // Reads what is there. kMissingCollectionFiles if the job ended without them, kUnavailable if
  // they did not come in time.
  static Result<std::unique_ptr<Trial>> Open(std::shared_ptr<const storage::Store> store,
                                             const TrialOptions& options);
  // Reads what is new. A step of a worker appears whole or not at all. A file that cannot be used
  // becomes a problem, not an error.
  Result<Progress> Refresh();
  // Returns when something may be new, or after the timeout; false if nothing is.
  bool WaitForChange(std::chrono::milliseconds timeout);

  // The run's folder, as a person would name it.
  std::string location() const { return store_->Locate(""); }
  const config::Collections& collections() const { return manifests_.collections; }
  const config::Roles& roles() const { return manifests_.roles; }
  int num_workers() const;
  // By name, from the collections files.
  const std::vector<std::string>& workers() const { return manifests_.workers; }
  bool loaded_all_steps() const;
  Step last_complete_step() const;
  std::vector<Problem> problems() const;

  // Ascending; only complete ones unless asked otherwise.
  std::vector<Step> Steps(Mode mode = Mode::kGlobal, bool include_incomplete = false) const;
  // Complete global steps after this one, ascending.
  std::vector<Step> StepsAfter(Step step) const;
  // The modes in which steps were saved, kGlobal never among them.
  std::vector<Mode> Modes() const;
  std::optional<ModeStep> ModeOf(Step global_step) const;
  std::optional<Step> GlobalStep(Mode mode, Step step) const;
  StepState HasPassedStep(Step step, Mode mode = Mode::kGlobal) const;
  // Until all of them are available. kStepUnavailable or kNoMoreData if one will never be,
  // kUnavailable when the timeout is over.
  Status WaitForSteps(std::span<const Step> steps, Mode mode = Mode::kGlobal,
                      std::optional<std::chrono::milliseconds> timeout = std::nullopt);

  // Sorted. kInvalid for a pattern that does not compile or both a collection and patterns.
  Result<std::vector<std::string>> TensorNames(const NameFilter& filter = {}) const;
  // Collections that hold the tensor, by name.
  Result<std::vector<std::string>> CollectionsOf(std::string_view tensor) const;
  bool HasTensor(std::string_view tensor) const;
  // The framework's own name for it; empty if none was saved.
  Result<std::string> OriginalName(std::string_view tensor) const;
  Result<std::vector<Step>> TensorSteps(std::string_view tensor, Mode mode = Mode::kGlobal,
                                        bool include_incomplete = false) const;
  Result<std::vector<std::string>> TensorWorkers(std::string_view tensor, Step step,
                                                 Mode mode = Mode::kGlobal) const;

  // Everything that was saved at one global step, for those who want most of it. It refers to this.
  StepReader ReaderOf(Step global_step) const;
  // Of the numbers that a StepReader speaks of.
  std::string TensorName(TensorId tensor) const;
  std::string WorkerName(WorkerId worker) const;

  Result<TensorValue> Value(std::string_view tensor, Step step, Mode mode = Mode::kGlobal,
                            std::string_view worker = {}) const;
  // The stored shape, else the shape of the value; else kShapeUnavailableForStep.
  Result<std::vector<int64_t>> Shape(std::string_view tensor, Step step, Mode mode = Mode::kGlobal,
                                     std::string_view worker = {}) const;
  Result<std::vector<Reduction>> SavedReductions(std::string_view tensor, Step step,
                                                 Mode mode = Mode::kGlobal,
                                                 std::string_view worker = {}) const;
  // As it was saved: a scalar or one element. kTensorUnavailableForStep if it was not.
  Result<TensorValue> SavedReduction(std::string_view tensor, Step step, Reduction reduction,
                                     Mode mode = Mode::kGlobal, std::string_view worker = {}) const;
  // The saved one, else computed from the values (NumPy's definitions, see stats/reductions.h).
  Result<double> ReductionValue(std::string_view tensor, Step step, Reduction reduction,
                                Mode mode = Mode::kGlobal, std::string_view worker = {}) const;

 private:
  friend class StepReader;

  Trial(std::shared_ptr<const storage::Store> store, const TrialOptions& options,
        Manifests manifests);

  bool JobEnded() const;
  // Sleeps that long, unless told to give up.
  Status Pause(std::chrono::milliseconds duration) const;
  bool Watches();
  Status ReadNewFiles(Progress* progress);
  Status CheckStepState(std::string_view tensor, Step step, Mode mode) const;
  StepState HasPassedStepLocked(Step step, Mode mode) const;
  // The saved step and the name of the worker it is of. The pointers in it are good only while the
  // lock is held, so what is needed afterwards is copied out under it.
  struct Located {
    SavedTensor saved;
    Step global_step = 0;
    std::string worker;
  };
  Result<Located> Locate(std::string_view tensor, Step step, Mode mode,
                         std::string_view worker) const;
  Result<TensorValue> ReadRecord(const Location& location, const StepFile& file,
                                 std::string_view tensor) const;
  Result<TensorValue> ReadSlot(std::string_view tensor, Step step, Mode mode,
                               std::string_view worker, Slot slot) const;
  // Uploads may bring an index file before its event file. Once the worker wrote a later one or the
  // job ended, there is nothing to wait for.
  bool WillNotCome(const StepFile& file) const;
  Result<std::shared_ptr<const storage::Object>> OpenEventFile(const StepFile& file,
                                                               std::string_view tensor) const;
  StepFile FileOf(const Location& location) const;

  const std::shared_ptr<const storage::Store> store_;
  const TrialOptions options_;
  const Manifests manifests_;

  std::atomic<int> refreshers_ = 0;  // How many wait for the next.
  std::mutex refresh_mutex_;         // One refresh at a time. Taken before mutex_.
  IndexFeed feed_;                   // Guarded by refresh_mutex_.

  mutable std::shared_mutex mutex_;  // Guards all below; held only for looking up and for adding.
  RunIndex index_;
  std::vector<Problem> problems_;

  mutable EventFileCache event_files_;
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_TRIAL_H_
