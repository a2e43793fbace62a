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

// Reading a run, finished or still being written: steps, names, values. The command line, rules,
// reports and the Python package use it; the dashboard has its own readers (warden/view) for many
// runs at a time.
//
//   auto store = storage::OpenStore("runs/1");
//   if (!store.ok()) return store.status();
//   auto trial = Trial::Open(std::move(store).value(), LookOptions());
//   if (!trial.ok()) return trial.status();
//   for (const Step step : trial.value()->Steps()) {
//     const auto value = trial.value()->Value("fc.weight", step);
//   }
//
// To follow a training, repeat:
//
//   const auto progress = trial->Refresh();
//   ... look at trial->StepsAfter(last) ...
//   if (!progress.ok() || progress.value().ended) break;
//   trial->WaitForChange(std::chrono::seconds(10));

// How a run is opened and how long is waited for what is missing. The defaults wait as the original
// does; LookOptions waits for nothing.
struct TrialOptions {
  // Only global steps in [range_begin, range_end) are looked at. None: from 0, to the end.
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
  // Asked several times a second during these waits, on the thread that waits; true ends the wait
  // with kUnavailable, or that for collections as its time does. None: nobody can.
  std::function<bool()> give_up;

  // The defaults, with what SMDEBUG_INCOMPLETE_STEP_WAIT_WINDOW, SMDEBUG_TRAINING_END_DELAY_REFRESH
  // and SMDEBUG_MISSING_EVENT_FILE_RETRY_LIMIT say put over them. Values that are not numbers are
  // ignored with a warning.
  static TrialOptions FromEnvironment();
};

// For looking into whatever is there now, however damaged: waits for nothing.
TrialOptions LookOptions();

// What a Refresh found.
struct Progress {
  int new_files = 0;   // Index files: one for each step and worker.
  bool ended = false;  // The job has ended and everything it saved has been seen.
};

// Whether a step can be read now, may come, or will never come. The numbers are the original's.
enum class StepState { kUnavailable = 0, kAvailable = 1, kNotYetAvailable = 2 };

// Which tensors to name. Conditions that are set must all hold.
struct NameFilter {
  std::optional<Step> step = {};               // Saved at this step of mode.
  Mode mode = Mode::kGlobal;                   // Without a step: saved in this mode; kGlobal: any.
  std::optional<std::string> collection = {};  // In it; an unknown one has no tensors.
  std::vector<std::string> regex = {};         // Any is found in the name. Not with collection.
  std::optional<std::string> worker = {};      // Saved by this worker.
};

class StepReader;

// What one training has saved so far, finished or not. Nothing is read again that is known, values
// are read when they are asked for. Answers do not change between calls of Refresh (or
// WaitForSteps, which calls it). Safe for many threads: values are read in parallel, one Refresh
// runs at a time.
//
// Where a step is asked for, it is the step of the mode that is given, and the codes of the
// original apply: kTensorUnavailable (no such tensor in the run), kTensorUnavailableForStep (the
// step is there without it), kStepUnavailable, kStepNotYetAvailable, kInvalidWorker. An empty
// worker means the first, by name, that saved the tensor at the step.
class Trial {
 public:
  // Reads what is there. Waits for the collections files as the options say, then calls Refresh.
  // kMissingCollectionFiles if the job ended without them, kUnavailable if they did not come in
  // time, kInvalid for an empty range of steps, otherwise the errors of the store. With
  // need_collections false, a folder without a run, or that does not exist, opens as a run without
  // steps when the wait is over.
  static Result<std::unique_ptr<Trial>> Open(std::shared_ptr<const storage::Store> store,
                                             const TrialOptions& options);
  // Reads what is new. A step of a worker appears whole or not at all. A file that cannot be used
  // becomes a problem, not an error; errors are those of listing the store, and kUnavailable if
  // give_up ends the end_delay. Once the end was seen, it does nothing.
  Result<Progress> Refresh();
  // Returns when something may be new, or after the timeout; false if nothing is. Where the store
  // cannot watch, it returns true after 100 ms at most. Also returns true soon after the job has
  // ended, again and again: stop when Refresh says so.
  bool WaitForChange(std::chrono::milliseconds timeout);

  // The run's folder, as a person would name it.
  std::string location() const { return store_->Locate(""); }
  // As the collections files said when the run was opened: these do not change afterwards.
  const config::Collections& collections() const { return manifests_.collections; }
  const config::Roles& roles() const { return manifests_.roles; }
  // How many workers write each step, at least 1 with a readable collections file; without one, how
  // many have written so far.
  int num_workers() const;
  // By name, from the collections files.
  const std::vector<std::string>& workers() const { return manifests_.workers; }
  // Whether the job has ended and a Refresh has seen all of it.
  bool loaded_all_steps() const;
  // Global; every step up to this one is complete. -1 before the first.
  Step last_complete_step() const;
  // Files that could not be used so far.
  std::vector<Problem> problems() const;

  // The steps of the mode, ascending; for kGlobal the global steps of all modes. Only complete ones
  // unless asked otherwise.
  std::vector<Step> Steps(Mode mode = Mode::kGlobal, bool include_incomplete = false) const;
  // Complete global steps after this one, ascending.
  std::vector<Step> StepsAfter(Step step) const;
  // The modes in which steps were saved, kGlobal never among them.
  std::vector<Mode> Modes() const;
  // Between global steps and those of a mode; nothing for a step that is not known. For kGlobal
  // GlobalStep gives the step itself, known or not.
  std::optional<ModeStep> ModeOf(Step global_step) const;
  std::optional<Step> GlobalStep(Mode mode, Step step) const;
  // A step that is missing while a later one is complete is kUnavailable.
  StepState HasPassedStep(Step step, Mode mode = Mode::kGlobal) const;
  // Refreshes until all of them are available. kStepUnavailable or kNoMoreData if one will never
  // be, kUnavailable when the timeout is over, otherwise the errors of Refresh. None: no timeout.
  // give_up does not end it.
  Status WaitForSteps(std::span<const Step> steps, Mode mode = Mode::kGlobal,
                      std::optional<std::chrono::milliseconds> timeout = std::nullopt);

  // Names of the tensors that pass the filter, sorted. Saved reductions count as their tensor.
  // kInvalid for a pattern that does not compile or both a collection and patterns.
  Result<std::vector<std::string>> TensorNames(const NameFilter& filter = {}) const;
  // Names of the collections that hold the tensor, in the order of the collections file; the tensor
  // need not be in the run. kInvalid for a collection whose pattern does not compile.
  Result<std::vector<std::string>> CollectionsOf(std::string_view tensor) const;
  bool HasTensor(std::string_view tensor) const;
  // The framework's own name for it; empty if none was saved. kTensorUnavailable.
  Result<std::string> OriginalName(std::string_view tensor) const;
  // Steps of the mode at which anything of the tensor was saved, ascending. kTensorUnavailable.
  Result<std::vector<Step>> TensorSteps(std::string_view tensor, Mode mode = Mode::kGlobal,
                                        bool include_incomplete = false) const;
  // Workers that saved anything of it, by name. kTensorUnavailable, or kTensorUnavailableForStep
  // if none did.
  Result<std::vector<std::string>> TensorWorkers(std::string_view tensor, Step step,
                                                 Mode mode = Mode::kGlobal) const;

  // Everything that was saved at one global step, complete or not, for those who want most of it.
  // This must outlive the reader. A step that is not known has no records. Include step_reader.h.
  StepReader ReaderOf(Step global_step) const;
  // Names for the numbers in a StepReader's records. REQUIRES: numbers of this trial.
  std::string TensorName(TensorId tensor) const;
  std::string WorkerName(WorkerId worker) const;

  // The values as they were saved. Besides the codes above: kTensorUnavailableForStep if only
  // reductions or the shape were saved or the event file is missing, after waiting for it as the
  // options say; kCorrupt or kTruncated if the record is damaged; kInvalidType for an element type
  // that we do not have; kUnavailable if give_up ends the wait; kIo. Steps that are not complete
  // can be read, too, as far as they are there.
  Result<TensorValue> Value(std::string_view tensor, Step step, Mode mode = Mode::kGlobal,
                            std::string_view worker = {}) const;
  // The stored shape, else the shape of the value, which is read for it; else
  // kShapeUnavailableForStep.
  Result<std::vector<int64_t>> Shape(std::string_view tensor, Step step, Mode mode = Mode::kGlobal,
                                     std::string_view worker = {}) const;
  // Which reductions were saved, by index; none is an empty list.
  Result<std::vector<Reduction>> SavedReductions(std::string_view tensor, Step step,
                                                 Mode mode = Mode::kGlobal,
                                                 std::string_view worker = {}) const;
  // As it was saved: a scalar or one element. kTensorUnavailableForStep if it was not.
  Result<TensorValue> SavedReduction(std::string_view tensor, Step step, Reduction reduction,
                                     Mode mode = Mode::kGlobal, std::string_view worker = {}) const;
  // The saved one, else computed from the values (NumPy's definitions, see stats/reductions.h).
  // Errors are those of Value; kInvalidType also for complex numbers and strings.
  Result<double> ReductionValue(std::string_view tensor, Step step, Reduction reduction,
                                Mode mode = Mode::kGlobal, std::string_view worker = {}) const;

 private:
  friend class StepReader;

  Trial(std::shared_ptr<const storage::Store> store, const TrialOptions& options,
        Manifests manifests);

  // Whether the end mark is there, now.
  bool JobEnded() const;
  // Sleeps that long; kUnavailable if give_up ends it.
  Status Pause(std::chrono::milliseconds duration) const;
  // Whether the store reports what is new, so that waiting need not poll. Takes refresh_mutex_.
  bool Watches();
  // Parses the index files that the feed names and adds them to the index; one that cannot be used
  // becomes a problem and is not tried again. REQUIRES: refresh_mutex_ is held. mutex_ is taken for
  // each file, so that readers hardly wait.
  Status ReadNewFiles(Progress* progress);
  Status ReadBatch(std::span<const IndexFeed::NewFile> files, Progress* progress);
  Status CheckStepState(std::string_view tensor, Step step, Mode mode) const;
  // REQUIRES: mutex_ is held.
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
  // One record of an event file, parsed: without a lock, since it reads the disk.
  Result<TensorValue> ReadRecord(const Location& location, const StepFile& file,
                                 std::string_view tensor) const;
  // The values or one reduction of a tensor; slot says which.
  Result<TensorValue> ReadSlot(std::string_view tensor, Step step, Mode mode,
                               std::string_view worker, Slot slot) const;
  // Uploads may bring an index file before its event file. Once the worker wrote a later one or the
  // job ended, there is nothing to wait for.
  bool WillNotCome(const StepFile& file) const;
  // From the cache, or opened; waits for a file that is missing as the options say. tensor: for the
  // message.
  Result<std::shared_ptr<const storage::Object>> OpenEventFile(const StepFile& file,
                                                               std::string_view tensor) const;
  // A copy, made under the lock.
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
