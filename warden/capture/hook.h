#ifndef WARDEN_CAPTURE_HOOK_H_
#define WARDEN_CAPTURE_HOOK_H_

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
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

struct HookOptions {
  config::HookConfig config;
  config::Framework framework = config::Framework::kPlain;

  // Who we are among those that train together. Only "worker_0", or with
  // config.all_workers everybody, saves anything.
  std::string worker = "worker_0";
  int world_size = 1;
  bool is_chief = true;

  // Where counting goes on when a run is taken up again.
  Step last_step = -1;
  std::array<Step, 4> last_mode_steps = {-1, -1, -1, -1};  // By ModeIndex.

  // What waits for the storage takes this much memory at most.
  size_t staging_bytes = size_t{64} << 20;
  Overflow overflow = Overflow::kWait;

  // Only types that the original library can read are written: others are widened (bfloat16 to
  // float32, int8 and int16 to int32, ...). uint64 has no wider type and is left out.
  bool original_types_only = false;
};

// The tensor's place in a hook, found once by name and good for the hook's life.
class TensorHandle;

// Lives in the training process: it never throws and fails without harm. A failure is told once in
// the log, then the hook does nothing more.
//
//   auto hook = Hook::Create(options).value();
//   for (...) {
//     hook->BeginStep();
//     hook->Save("fc.weight", tensor);   // Kept if a collection asks for it at this step.
//   }
//   hook->Close();
//
// BeginStep, EndStep, SetMode and Close are for the thread that trains; Wants and Save may be
// called from any thread in between. In a forked child it does nothing.
class Hook {
 public:
  // Opens the store that config.out_dir names. kExists if a finished run is there already.
  static Result<std::unique_ptr<Hook>> Create(const HookOptions& options);
  // Into a given store.
  static Result<std::unique_ptr<Hook>> Create(const HookOptions& options,
                                              std::shared_ptr<storage::Store> store);
  // Closes.
  ~Hook();

  // The mode of the steps to come; each mode counts its steps for itself.
  void SetMode(Mode mode) { mode_ = mode; }
  // Ends the step before and begins the next one of the current mode. Returns what is due in it: 0
  // if no collection is; two steps with the same number want the same tensors.
  uint64_t BeginStep() { return BeginStepAt(std::nullopt); }
  // With a number of the caller's, e.g. a boosting round: both the global and the mode's.
  uint64_t BeginStepAt(std::optional<Step> step);
  // How many of the steps after this one, at most so many, will have nothing due, as long as
  // nothing else is asked of the hook. BeginStep need not be called for them if SkipSteps makes up
  // for it before anything else is asked: a caller that counts steps itself then costs training
  // nothing.
  int64_t QuietSteps(int64_t most) const;
  void SkipSteps(int64_t count);
  // Hands the step to the writer, so that watchers see it now and not when the next one begins.
  void EndStep();

  // The names' patterns are matched once, here.
  const TensorHandle* Register(std::string_view tensor);
  // What must be due, of BeginStep's number, for a tensor of that name to be wanted; not
  // registered.
  uint64_t Matches(std::string_view tensor) const;
  // Whether a collection asks for this tensor now: cheap, to be asked before touching the data.
  bool Wants(const TensorHandle* tensor) const;
  bool Wants(std::string_view tensor) { return Wants(Register(tensor)); }
  // Reduces and copies, as the collections ask; the caller may change the data afterwards.
  void Save(const TensorHandle* tensor, const stats::TensorRef& value);
  void Save(std::string_view tensor, const stats::TensorRef& value) {
    Save(Register(tensor), value);
  }
  void Save(std::string_view tensor, std::span<const std::string> values);
  // What would be kept of the tensor now, for callers that can spare work.
  SavePlan PlanFor(const TensorHandle* tensor) const;
  // As Save, but read later, where it lies.
  void Lend(const TensorHandle* tensor, Loan loan);
  // Only the summary of a tensor of this type and shape, which a GPU is computing into a row as
  // stats/cuda/device_summary.h has it.
  void LendSummary(const TensorHandle* tensor, DType dtype, std::span<const int64_t> shape,
                   Loan row);
  // Only the reductions that the collections ask for, computed elsewhere: float64 values in the
  // order of their indices. dtype and shape are the tensor's.
  void SaveReductions(const TensorHandle* tensor, DType dtype, std::span<const int64_t> shape,
                      Loan values);

  // Puts the tensor into these collections, made if they do not exist, and saves it if one of them
  // is due.
  void SaveTensor(std::string_view tensor, const stats::TensorRef& value,
                  std::span<const std::string> collections);
  void SaveTensor(std::string_view tensor, std::span<const std::string> values,
                  std::span<const std::string> collections);
  // As SaveTensor, but whole and at any step, due or not: for what comes once in a while, such as
  // the figures of an epoch. Nothing is saved between steps.
  void SaveTensorNow(std::string_view tensor, const stats::TensorRef& value,
                     std::span<const std::string> collections);
  // A number of the caller's, as tensor "scalar/<name>"; at any step. Between steps it is kept for
  // the next one, and at the end it makes one.
  void SaveScalar(std::string_view name, double value);

  // Says what parts tensors play, in addition to what is known; the manifest tells readers.
  void AddRoles(const config::Roles& roles);
  // Puts the tensors that these patterns are found in, known ones too, into a collection that is
  // saved; kNotFound if it is not. For those who learn late what there is to save.
  Status Include(std::string_view collection, std::span<const std::string> patterns);

  Mode mode() const { return mode_; }
  Step step() const { return step_; }  // Global; last_step before the first.
  Step mode_step(Mode mode) const;
  const config::Collections& collections() const { return collections_; }
  HookCounters counters() const;
  // Why nothing is saved any more, if something failed; it has been told.
  Status status() const;

  // Lets the writer begin on what was saved so far in this step: for those who wait for loans to
  // come back before the step ends.
  void HandOver();
  // Returns when all steps that have ended are saved. Says what went wrong first, if anything did.
  Status Flush();
  // Saves what is left and marks the end of the job, unless its folder was cleared for another run.
  // Later calls do nothing. Says what went wrong
  // first, if anything did.
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
  uint64_t DueSchedules(Mode mode, Step mode_step) const;
  SavePlan PlanLocked(const TensorHandle& tensor) const;
  // This is a copy in a forked child.
  bool IsCopy() const { return os::ForkGeneration() != born_; }
  TensorHandle* FindLocked(std::string_view tensor);
  void AddTensorTo(TensorHandle* tensor, size_t rule);
  const TensorHandle& PutInto(std::string_view tensor, std::span<const std::string> collections);
  void SaveLocked(const TensorHandle& tensor, const stats::TensorRef& value);
  void SaveScalarLocked(std::string_view name, double value);
  bool ReadyToWrite();
  bool TakeClaim();
  std::string Manifest();
  void BeginStepLocked(std::optional<Step> step);
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
  std::vector<Schedule> schedules_;
  std::atomic<uint64_t> due_ = 0;  // Schedules that save at this step.

  mutable std::mutex mutex_;  // Guards all below, and what is written.
  std::deque<TensorHandle> tensors_;
  std::unordered_map<std::string_view, TensorHandle*> by_name_;
  std::vector<PendingScalar> pending_scalars_;
  HookCounters counters_;  // Of what the writer does not count, and of a closed hook.
  std::unique_ptr<Writer> writer_;
};

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

#endif  // WARDEN_CAPTURE_HOOK_H_
