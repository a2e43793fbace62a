#include "warden/capture/hook.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "warden/base/log.h"
#include "warden/capture/claim.h"
#include "warden/capture/host.h"
#include "warden/config/manifest.h"
#include "warden/format/layout.h"

namespace warden::capture {
namespace {

// Schedules are bits of one word, so that a step asks about any tensor with one instruction.
constexpr size_t kMostSchedules = 64;

bool InSageMakerJob() { return std::getenv("TRAINING_JOB_NAME") != nullptr; }

void Count(const StepRecorder::Outcome& outcome, HookCounters* counters) {
  counters->saved_tensors += static_cast<uint64_t>(outcome.saved);
  counters->saved_bytes += outcome.bytes;
  counters->dropped += static_cast<uint64_t>(outcome.dropped);
  counters->failed += static_cast<uint64_t>(outcome.failed);
}

}  // namespace

Result<std::unique_ptr<Hook>> Hook::Create(const HookOptions& options) {
  auto store = storage::OpenStore(options.config.out_dir);
  if (!store.ok()) return store.status();
  return Create(options, std::move(store.value()));
}

Result<std::unique_ptr<Hook>> Hook::Create(const HookOptions& options,
                                           std::shared_ptr<storage::Store> store) {
  if (store->Exists(format::kEndMarker)) {
    return Status(Code::kExists,
                  fmt::format("{} holds a finished run already: name another folder or remove it",
                              store->Locate("")));
  }
  std::unique_ptr<Hook> hook(new Hook(options, std::move(store)));
  if (Status status = hook->Prepare(); !status.ok()) return status;
  return hook;
}

Hook::Hook(HookOptions options, std::shared_ptr<storage::Store> store)
    : options_(std::move(options)),
      store_(std::move(store)),
      writes_(options_.is_chief || options_.config.all_workers) {}

Hook::~Hook() {
  if (const Status status = Close(); !status.ok()) {
    LogError("the run was not saved whole: {}", status.message());
  }
}

Status Hook::Prepare() {
  const config::HookConfig& config = options_.config;
  auto collections = config::PrepareCollections(config, options_.framework);
  if (!collections.ok()) return collections.status();
  collections_ = std::move(collections.value());
  for (const std::string& name : config::CollectionsToSave(config, options_.framework)) {
    if (Status status = AddRule(collections_.at(name)); !status.ok()) return status;
  }
  if (config.export_tensorboard || !config.tensorboard_dir.empty()) {
    auto tensorboard = storage::OpenStore(
        config.tensorboard_dir.empty() ? config.out_dir + "/tensorboard" : config.tensorboard_dir);
    if (!tensorboard.ok()) return tensorboard.status();
    tensorboard_store_ = std::move(tensorboard.value());
  }
  if (config.out_dir.find("__") != std::string::npos) {
    LogWarning("the original library misreads workers below a path with '__' in it: {}",
               config.out_dir);
  }
  writer_ = std::make_unique<Writer>(store_.get(), options_.staging_bytes, options_.overflow);
  if (tensorboard_store_ != nullptr) {
    tensorboard_writer_ = std::make_unique<Writer>(tensorboard_store_.get(), 0, Overflow::kWait);
  }
  return Status();
}

Status Hook::AddRule(const config::Collection& collection) {
  auto matcher = config::CollectionMatcher::Make(collection);
  if (!matcher.ok()) return matcher.status();
  const auto schedule = ScheduleFor(collection);
  if (!schedule.ok()) return schedule.status();
  const bool scalar = config::IsScalarCollection(collection.name);
  rules_.push_back({collection.name, std::move(matcher.value()),
                    collection.reduction_config.value_or(options_.config.reduction_config),
                    schedule.value(), scalar,
                    collection.save_histogram && !config::IsRawOnlyCollection(collection.name)});
  return Status();
}

Result<uint64_t> Hook::ScheduleFor(const config::Collection& collection) {
  const Schedule wanted{collection.save_config.value_or(options_.config.save_config),
                        collection.name == "gradients" || collection.name == "optimizer_variables"};
  const auto same = std::find_if(schedules_.begin(), schedules_.end(), [&](const Schedule& s) {
    return s.save_config == wanted.save_config && s.train_only == wanted.train_only;
  });
  const auto place = static_cast<size_t>(same - schedules_.begin());
  if (same == schedules_.end()) {
    if (place == kMostSchedules) {
      return Status(Code::kInvalid, fmt::format("collection '{}': more than {} different save "
                                                "configurations",
                                                collection.name, kMostSchedules));
    }
    schedules_.push_back(wanted);
  }
  return uint64_t{1} << place;
}

uint64_t Hook::DueSchedules() const {
  if (!writes_ || closed_ || options_.config.dry_run) return 0;
  uint64_t due = 0;
  const bool training = mode_ == Mode::kTrain || mode_ == Mode::kGlobal;
  for (size_t i = 0; i < schedules_.size(); ++i) {
    if (schedules_[i].train_only && !training) continue;
    if (schedules_[i].save_config.ShouldSave(mode_, mode_steps_[ModeIndex(mode_)])) {
      due |= uint64_t{1} << i;
    }
  }
  return due;
}

void Hook::BeginStepAt(std::optional<Step> step) {
  const std::lock_guard lock(mutex_);
  BeginStepLocked(step);
}

void Hook::BeginStepLocked(std::optional<Step> step) {
  EndStepLocked();
  in_step_ = true;
  Step& mode_step = mode_steps_[ModeIndex(mode_)];
  step_ = step.value_or(step_ + 1);
  mode_step = mode_ == Mode::kGlobal ? step_ : step.value_or(mode_step + 1);
  mode_steps_[ModeIndex(Mode::kGlobal)] = step_;
  due_.store(DueSchedules(), std::memory_order_relaxed);
  for (const PendingScalar& scalar : std::exchange(pending_scalars_, {})) {
    SaveScalarLocked(scalar.name, scalar.value);
  }
}

void Hook::EndStep() {
  const std::lock_guard lock(mutex_);
  EndStepLocked();
  due_.store(0, std::memory_order_relaxed);
}

void Hook::EndStepLocked() {
  in_step_ = false;
  if (!recorder_) return;
  // Of an earlier run in the same folder, or an earlier take of this step: it must not point into
  // the new event file.
  writer_->Remove(format::IndexFileKey(step_, options_.worker));
  recorder_->Finish();
  const std::string index = recorder_->IndexText();
  if (!index.empty()) {
    if (manifest_changed_) WriteManifest();
    writer_->Put(format::IndexFileKey(step_, options_.worker), index);
    ++counters_.saved_steps;
  }
  if (tensorboard_writer_ != nullptr && !recorder_->tensorboard_records().empty()) {
    tensorboard_writer_->Put(
        format::TensorBoardKey(recorder_->identity().mode, step_, getpid(), HostName()),
        recorder_->tensorboard_records());
  }
  recorder_.reset();
}

const TensorHandle* Hook::Register(std::string_view tensor) {
  const std::lock_guard lock(mutex_);
  return FindLocked(tensor);
}

TensorHandle* Hook::FindLocked(std::string_view tensor) {
  if (const auto known = by_name_.find(tensor); known != by_name_.end()) return known->second;
  TensorHandle* handle = &tensors_.emplace_back(std::string(tensor));
  by_name_.emplace(handle->name(), handle);
  for (size_t i = 0; i < rules_.size(); ++i) {
    if (rules_[i].matcher.Matches(tensor)) AddTensorTo(handle, i);
  }
  return handle;
}

void Hook::AddTensorTo(TensorHandle* tensor, size_t rule) {
  if (std::find(tensor->rules_.begin(), tensor->rules_.end(), rule) != tensor->rules_.end()) return;
  tensor->rules_.push_back(rule);
  tensor->schedules_.fetch_or(rules_[rule].schedule, std::memory_order_relaxed);
  collections_.at(rules_[rule].collection).tensor_names.insert(tensor->name());
  manifest_changed_ = true;
}

SavePlan Hook::PlanFor(const TensorHandle& tensor, uint64_t due) const {
  SavePlan plan;
  for (const size_t i : tensor.rules_) {
    const Rule& rule = rules_[i];
    if ((rule.schedule & due) == 0) continue;
    plan.reductions |= rule.reductions.reductions;
    plan.raw |= rule.reductions.save_raw_tensor;
    plan.shape |= rule.reductions.save_shape;
    plan.scalar |= rule.scalar;
    if (rule.histogram && plan.histogram_collection.empty()) {
      plan.histogram_collection = rule.collection;
    }
  }
  return plan;
}

void Hook::Save(const TensorHandle* tensor, const stats::TensorRef& value) {
  if (!Wants(tensor)) return;
  const std::lock_guard lock(mutex_);
  SaveLocked(*tensor, value);
}

void Hook::SaveLocked(const TensorHandle& tensor, const stats::TensorRef& value) {
  const uint64_t due = due_.load(std::memory_order_relaxed);
  if ((tensor.schedules_.load(std::memory_order_relaxed) & due) == 0 || !ReadyToWrite()) return;
  Count(recorder_->Save(tensor.name(), value, PlanFor(tensor, due)), &counters_);
}

void Hook::Save(std::string_view tensor, std::span<const std::string> values) {
  const TensorHandle* handle = Register(tensor);
  if (!Wants(handle)) return;
  const std::lock_guard lock(mutex_);
  if (ReadyToWrite()) Count(recorder_->SaveStrings(tensor, values), &counters_);
}

void Hook::SaveTensor(std::string_view tensor, const stats::TensorRef& value,
                      std::span<const std::string> collections) {
  const std::lock_guard lock(mutex_);
  TensorHandle* handle = FindLocked(tensor);
  for (const std::string& name : collections) {
    const auto has_name = [&](const Rule& rule) { return rule.collection == name; };
    auto rule = std::find_if(rules_.begin(), rules_.end(), has_name);
    if (rule == rules_.end()) {
      const auto known = collections_.find(name);
      if (known == collections_.end()) {
        config::Collection made;
        made.name = name;
        made.reduction_config = options_.config.reduction_config;
        made.save_config = options_.config.save_config;
        collections_.emplace(name, made);
      }
      // Only what is put in by hand: the collection as such was not asked for.
      config::Collection by_hand = collections_.at(name);
      by_hand.include_regex.clear();
      if (const Status status = AddRule(by_hand); !status.ok()) {
        LogWarning("'{}' is not saved: {}", tensor, status.message());
        ++counters_.failed;
        continue;
      }
      rule = rules_.end() - 1;
      due_.store(DueSchedules(), std::memory_order_relaxed);
    }
    AddTensorTo(handle, static_cast<size_t>(rule - rules_.begin()));
  }
  SaveLocked(*handle, value);
}

void Hook::SaveScalar(std::string_view name, double value) {
  const std::lock_guard lock(mutex_);
  // A step that was handed over cannot be added to.
  if (!in_step_) {
    pending_scalars_.push_back({std::string(name), value});
  } else {
    SaveScalarLocked(name, value);
  }
}

void Hook::SaveScalarLocked(std::string_view name, double value) {
  if (!writes_ || closed_ || options_.config.dry_run || !ReadyToWrite()) return;
  Count(recorder_->SaveScalar("scalar/" + std::string(name), value), &counters_);
}

bool Hook::ReadyToWrite() {
  if (!ready_) {
    ready_ = true;
    writes_ = TakeClaim();
    if (!writes_) due_.store(0, std::memory_order_relaxed);
  }
  if (!writes_) return false;
  if (!recorder_) {
    recorder_.emplace(StepIdentity{step_, mode_, mode_steps_[ModeIndex(mode_)], options_.worker},
                      StepRecorder::Options{options_.original_types_only,
                                            options_.framework != config::Framework::kTensorFlow,
                                            tensorboard_writer_ != nullptr},
                      writer_.get());
  }
  return true;
}

bool Hook::TakeClaim() {
  if (options_.world_size > 1) return true;  // They know of each other.
  claim_status_ = capture::TakeClaim(store_.get());
  if (!claim_status_.ok()) LogError("nothing is saved: {}", claim_status_.message());
  claimed_ = claim_status_.ok();
  return claimed_;
}

void Hook::WriteManifest() {
  manifest_changed_ = false;
  const int writers = options_.config.all_workers ? options_.world_size : 1;
  writer_->Put(format::ManifestKey(options_.worker),
               config::EncodeManifest({collections_, writers}));
}

Step Hook::mode_step(Mode mode) const { return mode_steps_[ModeIndex(mode)]; }

HookCounters Hook::counters() const {
  const std::lock_guard lock(mutex_);
  return counters_;
}

Status Hook::Close() {
  const std::lock_guard lock(mutex_);
  if (closed_ || writer_ == nullptr) return Status();
  if (!pending_scalars_.empty()) BeginStepLocked(std::nullopt);
  EndStepLocked();
  closed_ = true;
  due_.store(0, std::memory_order_relaxed);
  if (writes_ && manifest_changed_) WriteManifest();
  Status status = writer_->Flush();
  if (status.ok()) status = claim_status_;
  // The mark comes after everything it speaks for; it is still due when something was lost, for the
  // training did end.
  if (options_.is_chief && writes_ && !InSageMakerJob()) {
    const Status marked = store_->Put(format::kEndMarker, Bytes());
    if (status.ok()) status = marked;
  }
  if (claimed_) {
    const Status removed = store_->Remove(format::kClaim);
    if (status.ok()) status = removed;
  }
  writer_.reset();
  if (tensorboard_writer_ != nullptr) {
    const Status exported = tensorboard_writer_->Flush();
    if (status.ok()) status = exported;
    tensorboard_writer_.reset();
  }
  return status;
}

}  // namespace warden::capture
