#include "warden/capture/capture_hook.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "warden/base/log.h"
#include "warden/format/layout.h"
#include "warden/format/own_checksum.h"
#include "warden/storage/spool/spool_store.h"
#include "warden/storage/sync_folder.h"

namespace warden::capture {
namespace {

// Schedules are bits of one word, so that a step asks about any tensor with one instruction.
constexpr size_t kMostSchedules = 64;

bool InSageMakerJob() { return std::getenv("TRAINING_JOB_NAME") != nullptr; }

double Now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_epoch).count();
}

}  // namespace

Result<std::unique_ptr<Hook>> Hook::Create(const HookOptions& options) {
  HookOptions local = options;
  auto store = storage::spool::OpenOutput(&local.config.out_dir);
  if (!store.ok()) return store.status();
  return Create(local, std::move(store.value()));
}

Result<std::unique_ptr<Hook>> Hook::Create(const HookOptions& options,
                                           std::shared_ptr<storage::Store> store) {
  if (store->Exists(format::kEndMarker)) {
    return Status(
        Code::kExists,
        fmt::format("{} already contains a finished run; choose another folder or remove it",
                    store->Locate("")));
  }
  std::unique_ptr<Hook> hook(new Hook(options, std::move(store)));
  if (Status status = hook->Prepare(); !status.ok()) return status;
  return hook;
}

Hook::Hook(HookOptions options, std::shared_ptr<storage::Store> store)
    : options_(std::move(options)),
      store_(std::move(store)),
      step_(options_.last_step),
      mode_steps_(options_.last_mode_steps),
      writes_(options_.is_chief || options_.config.all_workers) {}

Hook::~Hook() {
  if (IsCopy()) {
    (void)writer_.release();  // Its thread is the parent's: nothing may be waited for.
    return;
  }
  if (const Status status = Close(); !status.ok()) {
    LogError("the run is incomplete: {}", status.message());
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
    std::string place =
        config.tensorboard_dir.empty() ? config.out_dir + "/tensorboard" : config.tensorboard_dir;
    auto tensorboard = storage::spool::OpenOutput(&place);
    if (!tensorboard.ok()) return tensorboard.status();
    tensorboard_store_ = std::move(tensorboard.value());
  }
  if (config.out_dir.find("__") != std::string::npos) {
    LogWarning("smdebug misreads worker names if the path contains '__': {}", config.out_dir);
  }
  WriterOptions writing;
  writing.recorder = {options_.worker, options_.original_types_only,
                      options_.framework != config::Framework::kTensorFlow,
                      tensorboard_store_ != nullptr, options_.checksums};
  writing.staging_bytes = options_.staging_bytes;
  writing.overflow = options_.overflow;
  writing.sync_steps = config.fsync == config::Fsync::kStep;
  // The claim was taken before the first step was given to the writer, and stays until Close.
  writing.reclaim = [this] { return claim_ ? claim_->Restore() : Status(); };
  writer_ = std::make_unique<Writer>(store_.get(), tensorboard_store_.get(), std::move(writing));
  return Status();
}

Status Hook::AddRule(const config::Collection& collection) {
  auto matcher = config::CollectionMatcher::Make(collection);
  if (!matcher.ok()) return matcher.status();
  const auto schedule = ScheduleFor(collection);
  if (!schedule.ok()) return schedule.status();
  const bool scalar = config::IsScalarCollection(collection.name);
  rules_.push_back({collections_.find(collection.name)->first, std::move(matcher.value()),
                    collection.reduction_config.value_or(options_.config.reduction_config),
                    schedule.value(), scalar,
                    collection.save_histogram && !config::IsRawOnlyCollection(collection.name)});
  return Status();
}

std::vector<Hook::Rule>::iterator Hook::FindRule(std::string_view collection) {
  return std::find_if(rules_.begin(), rules_.end(),
                      [&](const Rule& rule) { return rule.collection == collection; });
}

Result<uint64_t> Hook::ScheduleFor(const config::Collection& collection) {
  Schedule wanted{collection.save_config.value_or(options_.config.save_config),
                  collection.name == "gradients" || collection.name == "optimizer_variables",
                  config::IsScalarCollection(collection.name)};
  const auto& modes = wanted.save_config.modes;
  wanted.by_time = std::any_of(modes.begin(), modes.end(), [](const config::SaveConfigMode& mode) {
    return mode.save_seconds.has_value();
  });
  const auto same = std::find(schedules_.begin(), schedules_.end(), wanted);
  const auto place = static_cast<size_t>(same - schedules_.begin());
  if (same == schedules_.end()) {
    if (place == kMostSchedules) {
      return Status(
          Code::kInvalid,
          fmt::format("collection '{}': the run has more than {} different save configurations",
                      collection.name, kMostSchedules));
    }
    by_time_ = by_time_ || wanted.by_time;
    schedules_.push_back(std::move(wanted));
    saved_at_.emplace_back();
  }
  return uint64_t{1} << place;
}

uint64_t Hook::DueSchedules(Mode mode, Step mode_step, bool light) const {
  if (!writes_ || closed_ || options_.config.dry_run) return 0;
  uint64_t due = 0;
  const bool training = mode == Mode::kTrain || mode == Mode::kGlobal;
  for (size_t i = 0; i < schedules_.size(); ++i) {
    if (schedules_[i].train_only && !training) continue;
    if (light && !schedules_[i].light) continue;
    if (schedules_[i].save_config.ShouldSave(mode, mode_step) || IsTimeOver(i, mode)) {
      due |= uint64_t{1} << i;
    }
  }
  return due;
}

bool Hook::IsTimeOver(size_t schedule, Mode mode) const {
  if (!schedules_[schedule].by_time) return false;
  const auto seconds = schedules_[schedule].save_config.mode(mode).save_seconds;
  const auto& last = saved_at_[schedule][ModeIndex(mode)];
  // Compared as a number of seconds: one that a user gives may be larger than a duration.
  return seconds && (!last || std::chrono::duration<double>(began_ - *last).count() >=
                                  static_cast<double>(*seconds));
}

uint64_t Hook::BeginStepAt(std::optional<Step> step, bool light) {
  if (IsCopy()) return 0;
  const std::lock_guard lock(mutex_);
  BeginStepLocked(step, light);
  return due_.load(std::memory_order_relaxed);
}

void Hook::BeginStepLocked(std::optional<Step> step, bool light) {
  EndStepLocked();
  in_step_ = true;
  if (by_time_) began_ = options_.clock ? options_.clock() : std::chrono::steady_clock::now();
  sequence_.store(0, std::memory_order_relaxed);
  light_ = light;
  step_mode_ = mode_;
  Step& mode_step = mode_steps_[ModeIndex(mode_)];
  step_ = step.value_or(step_ + 1);
  mode_step = mode_ == Mode::kGlobal ? step_ : step.value_or(mode_step + 1);
  mode_steps_[ModeIndex(Mode::kGlobal)] = step_;
  due_.store(DueSchedules(mode_, mode_step, light), std::memory_order_relaxed);
  for (const PendingScalar& scalar : std::exchange(pending_scalars_, {})) {
    SaveScalarLocked(scalar.name, scalar.value);
  }
}

int64_t Hook::QuietSteps(int64_t most) const {
  if (IsCopy()) return most;
  const std::lock_guard lock(mutex_);
  if (due_.load(std::memory_order_relaxed) != 0 || !pending_scalars_.empty()) return 0;
  if (by_time_) return 0;  // The next step may begin any time.
  const Step now = mode_steps_[ModeIndex(mode_)];
  int64_t quiet = 0;
  while (quiet < most && DueSchedules(mode_, now + quiet + 1, false) == 0) ++quiet;
  return quiet;
}

void Hook::SkipSteps(int64_t count) {
  if (IsCopy() || count <= 0) return;
  const std::lock_guard lock(mutex_);
  step_ += count;
  step_mode_ = mode_;
  Step& mode_step = mode_steps_[ModeIndex(mode_)];
  mode_step = mode_ == Mode::kGlobal ? step_ : mode_step + count;
  mode_steps_[ModeIndex(Mode::kGlobal)] = step_;
}

void Hook::EndStep() {
  if (IsCopy()) return;
  const std::lock_guard lock(mutex_);
  EndStepLocked();
  due_.store(0, std::memory_order_relaxed);
}

void Hook::EndStepLocked() {
  if (std::exchange(in_step_, false) && by_time_) {
    const uint64_t due = due_.load(std::memory_order_relaxed);
    for (size_t i = 0; i < saved_at_.size(); ++i) {
      if ((due & (uint64_t{1} << i)) != 0) saved_at_[i][ModeIndex(step_mode_)] = began_;
    }
  }
  if (!std::exchange(saving_, false)) return;
  std::optional<std::string> manifest;
  if (manifest_changed_) manifest = Manifest();
  writer_->EndStep(std::move(manifest));
}

const TensorHandle* Hook::Register(std::string_view tensor) {
  const std::lock_guard lock(mutex_);
  return FindLocked(tensor);
}

uint64_t Hook::Matches(std::string_view tensor) const {
  if (IsCopy()) return 0;
  const std::lock_guard lock(mutex_);
  uint64_t schedules = 0;
  for (const Rule& rule : rules_) {
    if (rule.matcher.Matches(tensor)) schedules |= rule.schedule;
  }
  return schedules;
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

void Hook::AddRoles(const config::Roles& roles) {
  if (IsCopy()) return;
  const std::lock_guard lock(mutex_);
  for (const auto& [role, names] : roles) {
    for (const std::string& name : names) {
      auto& known = roles_[role];
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      known.push_back(name);
      manifest_changed_ = true;
    }
  }
}

Status Hook::Include(std::string_view collection, std::span<const std::string> patterns) {
  if (IsCopy()) return Status();
  const std::lock_guard lock(mutex_);
  const auto rule = FindRule(collection);
  if (rule == rules_.end()) {
    return Status(Code::kNotFound, fmt::format("collection '{}' is not saved", collection));
  }
  config::Collection wider = collections_.at(collection);
  wider.include_regex.insert(wider.include_regex.end(), patterns.begin(), patterns.end());
  auto matcher = config::CollectionMatcher::Make(wider);
  if (!matcher.ok()) return matcher.status();
  rule->matcher = std::move(matcher.value());
  collections_.at(collection) = std::move(wider);
  manifest_changed_ = true;
  for (TensorHandle& tensor : tensors_) {
    if (rule->matcher.Matches(tensor.name())) {
      AddTensorTo(&tensor, static_cast<size_t>(rule - rules_.begin()));
    }
  }
  return Status();
}

SavePlan Hook::PlanFor(const TensorHandle* tensor) const {
  if (IsCopy()) return {};
  const std::lock_guard lock(mutex_);
  return PlanLocked(*tensor);
}

SavePlan Hook::PlanLocked(const TensorHandle& tensor) const {
  const uint64_t due = due_.load(std::memory_order_relaxed);
  SavePlan plan;
  for (const size_t i : tensor.rules_) {
    const Rule& rule = rules_[i];
    if ((rule.schedule & due) == 0) continue;
    plan.reductions |= rule.reductions.reductions;
    plan.raw |= rule.reductions.save_raw_tensor;
    plan.shape |= rule.reductions.save_shape;
    plan.scalar |= rule.scalar && tensorboard_store_ != nullptr;
    if (tensorboard_store_ != nullptr && rule.histogram && plan.histogram_collection.empty()) {
      plan.histogram_collection = rule.collection;
    }
  }
  return plan;
}

void Hook::Save(const TensorHandle* tensor, const stats::TensorRef& value) {
  if (!Wants(tensor) || IsCopy()) return;
  const std::lock_guard lock(mutex_);
  SaveLocked(*tensor, value);
}

void Hook::SaveLocked(const TensorHandle& tensor, const stats::TensorRef& value) {
  if (!Wants(&tensor) || !ReadyToWrite()) return;
  SavePlan plan = PlanLocked(tensor);
  plan.sequence = NextSequence();
  writer_->Save(tensor.name(), value, plan);
}

void Hook::Lend(const TensorHandle* tensor, Loan loan) {
  if (!Wants(tensor) || IsCopy()) return;
  const std::lock_guard lock(mutex_);
  if (Wants(tensor) && ReadyToWrite()) {
    SavePlan plan = PlanLocked(*tensor);
    plan.sequence = NextSequence();
    writer_->Lend(tensor->name(), std::move(loan), plan);
  }
}

void Hook::LendSummary(const TensorHandle* tensor, DType dtype, std::span<const int64_t> shape,
                       Loan row, uint64_t sequence) {
  if (!Wants(tensor) || IsCopy()) return;
  const std::lock_guard lock(mutex_);
  if (Wants(tensor) && ReadyToWrite()) {
    SavePlan plan = PlanLocked(*tensor);
    plan.sequence = sequence;
    writer_->LendSummary(tensor->name(), dtype, shape, std::move(row), plan);
  }
}

void Hook::SaveReductions(const TensorHandle* tensor, DType dtype, std::span<const int64_t> shape,
                          Loan values) {
  if (!Wants(tensor) || IsCopy()) return;
  const std::lock_guard lock(mutex_);
  if (!Wants(tensor) || !ReadyToWrite()) return;
  const SavePlan plan = PlanLocked(*tensor);
  std::vector<Reduction> reductions;
  for (int i = 0; i < Reduction::kCount; ++i) {
    if (plan.reductions[static_cast<size_t>(i)]) reductions.push_back(Reduction::FromIndex(i));
  }
  writer_->SaveReductions(tensor->name(), dtype, shape, std::move(reductions), std::move(values),
                          plan.shape);
}

void Hook::Save(std::string_view tensor, std::span<const std::string> values) {
  if (IsCopy()) return;
  const TensorHandle* handle = Register(tensor);
  if (!Wants(handle)) return;
  const std::lock_guard lock(mutex_);
  if (ReadyToWrite()) writer_->SaveStrings(handle->name(), {values.begin(), values.end()});
}

void Hook::SaveTensor(std::string_view tensor, const stats::TensorRef& value,
                      std::span<const std::string> collections) {
  if (IsCopy()) return;
  const std::lock_guard lock(mutex_);
  SaveLocked(PutInto(tensor, collections), value);
}

void Hook::SaveTensor(std::string_view tensor, std::span<const std::string> values,
                      std::span<const std::string> collections) {
  if (IsCopy()) return;
  const std::lock_guard lock(mutex_);
  const TensorHandle& handle = PutInto(tensor, collections);
  if (Wants(&handle) && ReadyToWrite()) {
    writer_->SaveStrings(handle.name(), {values.begin(), values.end()});
  }
}

void Hook::SaveTensorNow(std::string_view tensor, const stats::TensorRef& value,
                         std::span<const std::string> collections) {
  if (IsCopy()) return;
  const std::lock_guard lock(mutex_);
  SaveNowLocked(tensor, value, collections);
}

void Hook::SaveNumbersNow(std::span<const NamedNumber> numbers,
                          std::span<const std::string> collections) {
  if (IsCopy()) return;
  const int64_t one = 1;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, number] : numbers) {
    SaveNowLocked(name, {&number, DType::kFloat64, std::span(&one, 1)}, collections);
  }
}

void Hook::SaveNowLocked(std::string_view tensor, const stats::TensorRef& value,
                         std::span<const std::string> collections) {
  const TensorHandle& handle = PutInto(tensor, collections);
  if (!in_step_ || !writes_ || closed_ || options_.config.dry_run || !ReadyToWrite()) return;
  SavePlan plan;
  plan.raw = true;
  for (const size_t i : handle.rules_) {
    plan.scalar |= rules_[i].scalar && tensorboard_store_ != nullptr;
  }
  writer_->Save(handle.name(), value, plan);
}

const TensorHandle* Hook::RegisterIn(std::string_view tensor,
                                     std::span<const std::string> collections) {
  const std::lock_guard lock(mutex_);
  return &PutInto(tensor, collections);
}

const TensorHandle& Hook::PutInto(std::string_view tensor,
                                  std::span<const std::string> collections) {
  TensorHandle* handle = FindLocked(tensor);
  for (const std::string& name : collections) {
    auto rule = FindRule(name);
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
        LogWarning("tensor '{}' not saved: {}", tensor, status.message());
        ++counters_.failed;
        continue;
      }
      rule = rules_.end() - 1;
      due_.store(DueSchedules(step_mode_, mode_steps_[ModeIndex(step_mode_)], light_),
                 std::memory_order_relaxed);
    }
    AddTensorTo(handle, static_cast<size_t>(rule - rules_.begin()));
  }
  return *handle;
}

void Hook::SaveScalar(std::string_view name, double value) {
  if (IsCopy()) return;
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
  writer_->SaveScalar("scalar/" + std::string(name), value);
}

bool Hook::ReadyToWrite() {
  if (!ready_) {
    ready_ = true;
    writes_ = TakeClaim();
    if (!writes_) due_.store(0, std::memory_order_relaxed);
  }
  if (!writes_) return false;
  if (!std::exchange(saving_, true)) {
    writer_->BeginStep({step_, step_mode_, mode_steps_[ModeIndex(step_mode_)], Now()});
  }
  return true;
}

bool Hook::TakeClaim() {
  if (options_.world_size > 1) return true;  // They know of each other.
  auto claim = Claim::Take(store_.get());
  if (claim.ok()) {
    claim_ = std::move(claim.value());
    return true;
  }
  claim_status_ = claim.status();
  TellFailure("Capture disabled", claim_status_);
  return false;
}

std::string Hook::Manifest() {
  manifest_changed_ = false;
  const int writers = options_.config.all_workers ? options_.world_size : 1;
  std::string text = config::EncodeManifest({collections_, writers, roles_});
  return options_.checksums ? format::WithOwnChecksum(std::move(text), "}}") : text;
}

Step Hook::mode_step(Mode mode) const { return mode_steps_[ModeIndex(mode)]; }

HookCounters Hook::counters() const {
  const std::lock_guard lock(mutex_);
  if (writer_ == nullptr) return counters_;
  HookCounters counters = writer_->counters();
  counters.failed += counters_.failed;
  return counters;
}

std::optional<NotFinite> Hook::first_not_finite() const {
  const std::lock_guard lock(mutex_);
  return writer_ == nullptr ? first_not_finite_ : writer_->first_not_finite();
}

Status Hook::status() const {
  if (IsCopy()) return Status();
  const std::lock_guard lock(mutex_);
  if (!claim_status_.ok() || writer_ == nullptr) return claim_status_;
  return writer_->status();
}

void Hook::HandOver() {
  if (IsCopy()) return;
  const std::lock_guard lock(mutex_);
  if (writer_ != nullptr) writer_->HandOver();
}

Status Hook::Flush() {
  if (IsCopy()) return Status();
  const std::lock_guard lock(mutex_);
  return writer_ == nullptr ? Status() : writer_->Flush();
}

Status Hook::Close() {
  if (IsCopy()) return Status();
  const std::lock_guard lock(mutex_);
  if (closed_ || writer_ == nullptr) return Status();
  if (!pending_scalars_.empty()) BeginStepLocked(std::nullopt, false);
  EndStepLocked();
  closed_ = true;
  due_.store(0, std::memory_order_relaxed);
  Status status = writer_->Flush();
  // Asked when all steps are written: the first one after the folder was removed brings it back.
  const bool ours = !claim_ || claim_->IsHeld();
  if (writes_ && ours && manifest_changed_) {
    writer_->Put(format::ManifestKey(options_.worker), Manifest());
    status = writer_->Flush();
  }
  if (status.ok()) status = claim_status_;
  // The mark comes after everything it speaks for; it is still due when something was lost, for the
  // training did end.
  if (options_.is_chief && writes_ && ours && !InSageMakerJob()) {
    const Status marked = store_->Put(format::kEndMarker, Bytes());
    if (status.ok() && !marked.ok()) TellFailure("Cannot mark the run as finished", marked);
    if (status.ok()) status = marked;
  }
  if (claim_) {
    const Status released = claim_->Release();
    if (status.ok()) status = released;
  }
  if (options_.config.fsync != config::Fsync::kOff && writes_ && ours) {
    const Status synced = storage::SyncFolder(store_->Locate(""));
    // There is no folder if nothing was saved.
    if (status.ok() && synced.code() != Code::kNotFound) status = synced;
  }
  const uint64_t failed = counters_.failed;
  counters_ = writer_->counters();
  counters_.failed += failed;
  first_not_finite_ = writer_->first_not_finite();
  writer_.reset();
  return status;
}

}  // namespace warden::capture
