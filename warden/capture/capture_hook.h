#ifndef WARDEN_CAPTURE_CAPTURE_HOOK_H_
#define WARDEN_CAPTURE_CAPTURE_HOOK_H_

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/strings.h"
#include "warden/base/types.h"
#include "warden/capture/claim.h"
#include "warden/capture/loan.h"
#include "warden/capture/save_plan.h"
#include "warden/capture/writer.h"
#include "warden/config/hook_config.h"
#include "warden/config/manifest.h"
#include "warden/os/fork.h"
#include "warden/stats/tensor_ref.h"
#include "warden/storage/store.h"

namespace warden::capture {

// The object in the training process that decides what is saved and hands it to the writer. The
// Python package and the C API (warden/hook) both stand on it.

// What a program says when it makes a hook. A plain value; checked by Hook::Create.
struct HookOptions {
  config::HookConfig config;
  config::Framework framework = config::Framework::kPlain;

  // Who we are among those that train together. Only the chief, or with config.all_workers
  // everybody, saves anything. worker names this process's files and is unique among them. Only a
  // world of one claims the folder (claim.h); only the chief marks the end of the run.
  std::string worker = "worker_0";
  int world_size = 1;
  bool is_chief = true;

  // The last steps of a run that is resumed; counting continues after them. -1: a new run.
  Step last_step = -1;
  std::array<Step, 4> last_mode_steps = {-1, -1, -1, -1};  // By ModeIndex.

  // What waits for the storage takes this much memory at most, in bytes; see WriterOptions.
  size_t staging_bytes = size_t{64} << 20;
  Overflow overflow = Overflow::kWait;

  // Only types that the original library can read are written: others are widened (bfloat16 to
  // float32, int8 and int16 to int32, ...). uint64 has no wider type and is left out.
  bool original_types_only = false;
  // The time, for save_seconds. Empty: steady_clock.
  std::function<std::chrono::steady_clock::time_point()> clock;
  // Index files have a checksum of their event file, index and collections files one of their own
  // (format/own_checksum.h), for `warden trial verify`. Without them these files are byte by byte
  // those of the original library.
  bool checksums = true;
};

// The tensor's place in a hook, found once by name and valid for the hook's life. The hook owns it.
class TensorHandle;

// Lives in the training process, where a failure must do no harm: nothing is thrown because of bad
// data or a bad disk. A failure is logged once, then the hook saves nothing more and status() says
// why; training continues.
//
//   auto hook = Hook::Create(options).value();
//   for (...) {
//     hook->BeginStep();
//     hook->Save("fc.weight", tensor);   // Kept if a collection asks for it at this step.
//   }
//   hook->Close();
//
// Threads: BeginStep, EndStep, SkipSteps, SetMode, step, mode_step, collections and Close are for
// the thread that trains. Everything else may be called from any thread in between. Saving from
// several threads at once is safe, one after the other; a call may wait for the disk (Overflow). In
// a forked child the hook saves nothing.
//
// Data: what is saved is copied or reduced before the call returns; only what is lent (Loan) is
// read later. Names are copied. Of tensors without elements at most the shape is saved.
class Hook {
 public:
  // Opens the store that config.out_dir names. kExists if a finished run is there already; kInvalid
  // for a folder, a pattern or a configuration that is not accepted, or more than 64 different save
  // configurations; kInvalidCollection as PrepareCollections. Nothing is written yet: a folder that
  // cannot be written to shows at the first step that is saved. Starts the writer's thread.
  static Result<std::unique_ptr<Hook>> Create(const HookOptions& options);
  // Into a given store, which is not null.
  static Result<std::unique_ptr<Hook>> Create(const HookOptions& options,
                                              std::shared_ptr<storage::Store> store);
  // Closes, and logs an error if that fails. In a forked child it only frees.
  ~Hook();

  // The mode of the steps to come; each mode has its own step count. The step that is under way
  // keeps its mode.
  void SetMode(Mode mode) { mode_ = mode; }
  // Ends the step before and begins the next one of the current mode. Returns what is due in it, a
  // bit for each schedule: 0 if no collection is due. Two steps with the same bits want the same
  // tensors. light: only collections of single numbers, such as losses, are due; for callers that
  // keep within a budget of time.
  uint64_t BeginStep(bool light = false) { return BeginStepAt(std::nullopt, light); }
  // With a number of the caller's, e.g. a boosting round: both the global and the mode's. A number
  // that was saved before replaces what was saved.
  uint64_t BeginStepAt(std::optional<Step> step, bool light = false);
  // Returns how many of the next `most` steps have nothing due, as long as nothing else is asked of
  // the hook. BeginStep need not be called for them if SkipSteps makes up for it before anything
  // else is asked: a caller that counts steps itself then costs training nothing. 0 while something
  // is due or a scalar waits for the next step.
  int64_t QuietSteps(int64_t most) const;
  // Counts so many steps of the current mode, without saving. Does nothing for 0 and less.
  void SkipSteps(int64_t count);
  // Hands the step to the writer, so that watchers see it now and not when the next one begins.
  // Nothing is wanted until the next BeginStep.
  void EndStep();

  // The tensor's handle, the same for the same name. The patterns of the collections are matched
  // once, at the first call for a name. Never null.
  const TensorHandle* Register(std::string_view tensor);
  // What must be due, of BeginStep's number, for a tensor of that name to be wanted; not
  // registered.
  uint64_t Matches(std::string_view tensor) const;
  // Whether a collection asks for this tensor now: two loads and no lock, to be asked before
  // touching the data. False outside of a step and once the hook has closed.
  bool Wants(const TensorHandle* tensor) const;
  bool Wants(std::string_view tensor) { return Wants(Register(tensor)); }
  // Reduces and copies, as the collections ask; the caller may change the data afterwards. Does
  // nothing for a tensor that is not wanted. One whose reductions cannot be computed (complex
  // numbers) is logged and counted as failed.
  void Save(const TensorHandle* tensor, const stats::TensorRef& value);
  void Save(std::string_view tensor, const stats::TensorRef& value) {
    Save(Register(tensor), value);
  }
  // A list of strings, always whole.
  void Save(std::string_view tensor, std::span<const std::string> values);
  // What would be kept of the tensor now, for callers that can spare work. Empty if it is not
  // wanted.
  SavePlan PlanFor(const TensorHandle* tensor) const;
  // As Save, but read later, where it lies: see Loan. The lender is released at once if the tensor
  // is not wanted.
  void Lend(const TensorHandle* tensor, Loan loan);
  // Only the summary of a tensor of this type and shape, which a GPU is computing into a row as
  // stats/cuda/device_summaries.h has it; row.value.data is that row in host memory. REQUIRES:
  // PlanFor(tensor) asks for reductions and the shape only, as there are no values to take more
  // from. sequence: of NextSequence, when the tensor was seen.
  void LendSummary(const TensorHandle* tensor, DType dtype, std::span<const int64_t> shape,
                   Loan row, uint64_t sequence);
  // Counts what is seen in a step, in its order; Save and Lend do that themselves. See NotFinite.
  uint64_t NextSequence() { return sequence_.fetch_add(1, std::memory_order_relaxed); }
  // Only the reductions that the collections ask for, computed elsewhere: float64 values in the
  // order of their indices, as many as PlanFor(tensor).reductions has. dtype and shape are the
  // tensor's. Values that the plan asks for beyond that are not saved.
  void SaveReductions(const TensorHandle* tensor, DType dtype, std::span<const int64_t> shape,
                      Loan values);

  // Puts the tensor into these collections, made with the hook's settings if they do not exist.
  // Collections that were not to be saved are from then on, but only tensors that are put in by
  // hand. Never null.
  const TensorHandle* RegisterIn(std::string_view tensor, std::span<const std::string> collections);
  // RegisterIn, and saves it if any of its collections is due.
  void SaveTensor(std::string_view tensor, const stats::TensorRef& value,
                  std::span<const std::string> collections);
  void SaveTensor(std::string_view tensor, std::span<const std::string> values,
                  std::span<const std::string> collections);
  // As SaveTensor, but whole and at any step, due or not: for what comes once in a while, such as
  // the metrics of an epoch. Nothing is saved between steps.
  void SaveTensorNow(std::string_view tensor, const stats::TensorRef& value,
                     std::span<const std::string> collections);
  // The same for several single numbers by name.
  using NamedNumber = std::pair<std::string, double>;
  void SaveNumbersNow(std::span<const NamedNumber> numbers,
                      std::span<const std::string> collections);
  // A number of the caller's, as tensor "scalar/<name>"; at any step, due or not. Between steps it
  // is kept for the next one, and Close makes a step for what is left.
  void SaveScalar(std::string_view name, double value);

  // Says what parts tensors play, in addition to what is known; readers find it in the manifest.
  void AddRoles(const config::Roles& roles);
  // Puts the tensors that these patterns are found in, known ones too, into a collection that is
  // saved; kNotFound if it is not saved, kInvalid for a pattern that does not compile, and nothing
  // is changed then. For those who learn late what there is to save.
  Status Include(std::string_view collection, std::span<const std::string> patterns);

  Mode mode() const { return mode_; }
  Step step() const { return step_; }  // Global; last_step before the first.
  // The last step of that mode; last_mode_steps before the first.
  Step mode_step(Mode mode) const;
  // As configured and with what was added since. The reference is valid for the hook's life.
  const config::Collections& collections() const { return collections_; }
  // What the writer has finished so far; of a closed hook, all.
  HookCounters counters() const;
  // The first tensor that was not finite, of the steps that have been written; of a closed hook, of
  // all.
  std::optional<NotFinite> first_not_finite() const;
  // Why nothing is saved any more, if something failed; it has been logged. kExists if another
  // process writes to the folder, otherwise the first error of the store. Close gives it, too; a
  // closed hook only remembers the first kind.
  Status status() const;

  // Lets the writer begin on what was saved so far in this step: for those who wait for loans to
  // come back before the step ends.
  void HandOver();
  // Returns when all steps that have ended are saved, or could not be. Says what went wrong first,
  // if anything did. Other threads that save wait meanwhile.
  Status Flush();
  // Saves what is left, ends the writer's thread and marks the end of the job, unless its folder
  // was removed after the last step or cleared for another run. Within a SageMaker job
  // ($TRAINING_JOB_NAME) the end is not marked: whoever runs the job does that. Later calls do
  // nothing and return ok. Says what went wrong first, if anything did.
  Status Close();

 private:
  // What a collection that is saved asks for.
  struct Rule {
    std::string_view collection;  // Its name in collections_.
    config::CollectionMatcher matcher;
    config::ReductionConfig reductions;
    uint64_t schedule = 0;  // One bit.
    bool scalar = false;
    bool histogram = false;
  };
  // When something is saved. Collections with the same settings share one.
  struct Schedule {
    config::SaveConfig save_config;
    bool train_only = false;  // Gradients and optimizer variables do not exist in other modes.
    bool light = false;       // Of collections of single numbers.
    bool by_time = false;     // A mode has save_seconds.
    bool operator==(const Schedule&) const = default;
  };
  struct PendingScalar {
    std::string name;
    double value;
  };

  Hook(HookOptions options, std::shared_ptr<storage::Store> store);

  Status Prepare();
  Status AddRule(const config::Collection& collection);
  std::vector<Rule>::iterator FindRule(std::string_view collection);
  Result<uint64_t> ScheduleFor(const config::Collection& collection);
  uint64_t DueSchedules(Mode mode, Step mode_step, bool light) const;
  // Whether save_seconds are over when the step that is under way begins.
  bool IsTimeOver(size_t schedule, Mode mode) const;
  SavePlan PlanLocked(const TensorHandle& tensor) const;
  // This is a copy in a forked child.
  bool IsCopy() const { return os::ForkGeneration() != born_; }
  TensorHandle* FindLocked(std::string_view tensor);
  void AddTensorTo(TensorHandle* tensor, size_t rule);
  void SaveNowLocked(std::string_view tensor, const stats::TensorRef& value,
                     std::span<const std::string> collections);
  const TensorHandle& PutInto(std::string_view tensor, std::span<const std::string> collections);
  void SaveLocked(const TensorHandle& tensor, const stats::TensorRef& value);
  void SaveScalarLocked(std::string_view name, double value);
  bool ReadyToWrite();
  bool TakeClaim();
  std::string Manifest();
  void BeginStepLocked(std::optional<Step> step, bool light);
  void EndStepLocked();

  const uint64_t born_ = os::ForkGeneration();
  const HookOptions options_;
  const std::shared_ptr<storage::Store> store_;
  std::shared_ptr<storage::Store> tensorboard_store_;  // None if nothing is exported.

  Mode mode_ = Mode::kGlobal;       // Of the steps to come.
  Mode step_mode_ = Mode::kGlobal;  // Of the step that is under way.
  Step step_;
  std::array<Step, 4> mode_steps_;
  bool in_step_ = false;        // Between BeginStep and EndStep.
  bool light_ = false;          // Only single numbers are due in this step.
  bool saving_ = false;         // The step has something to save.
  bool writes_ = false;         // This worker saves anything at all.
  std::optional<Claim> claim_;  // None if it was not taken.
  Status claim_status_;         // Why not, if it was tried.
  bool ready_ = false;          // Claim and manifest have been seen to.
  bool closed_ = false;
  bool manifest_changed_ = true;

  config::Collections collections_;
  config::Roles roles_;
  std::vector<Rule> rules_;
  using Times = std::array<std::optional<std::chrono::steady_clock::time_point>, 4>;
  std::vector<Schedule> schedules_;
  std::vector<Times> saved_at_;  // When the last saved step of each mode began, by schedule.
  bool by_time_ = false;         // A schedule is by time.
  std::chrono::steady_clock::time_point began_;  // The step, if a schedule is by time.
  std::atomic<uint64_t> due_ = 0;                // Schedules that save at this step.
  std::atomic<uint64_t> sequence_ = 0;

  mutable std::mutex mutex_;  // Guards all below, and what is written.
  std::deque<TensorHandle> tensors_;
  std::unordered_map<std::string_view, TensorHandle*> by_name_;
  std::vector<PendingScalar> pending_scalars_;
  HookCounters counters_;  // Of what the writer does not count, and of a closed hook.
  std::optional<NotFinite> first_not_finite_;  // Of a closed hook.
  std::unique_ptr<Writer> writer_;
};

// Its members are the hook's business; callers only pass it on.
class TensorHandle {
 public:
  explicit TensorHandle(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }

 private:
  friend class Hook;
  std::string name_;
  std::vector<size_t> rules_;            // Collections it is in.
  std::atomic<uint64_t> schedules_ = 0;  // Of all of them.
};

inline bool Hook::Wants(const TensorHandle* tensor) const {
  return (tensor->schedules_.load(std::memory_order_relaxed) &
          due_.load(std::memory_order_relaxed)) != 0;
}

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_CAPTURE_HOOK_H_
