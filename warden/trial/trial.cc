#include "warden/trial/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <thread>

#include "warden/base/log.h"
#include "warden/base/pattern.h"
#include "warden/format/layout.h"

namespace warden::trial {
namespace {

constexpr std::chrono::milliseconds kWaitSlice{2000};
constexpr std::chrono::milliseconds kPauseSlice{100};
constexpr std::chrono::milliseconds kWatchSlice{20};
// Index files that are read together, and held in memory.
constexpr size_t kFilesAtOnce = 256;

// A whole number of at least 0 from the environment.
std::optional<int64_t> NumberFromEnvironment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const auto number = ParseInt(Trim(text));
  if (number && *number >= 0) return number;
  LogWarning("{}='{}' ignored; expected a non-negative integer", name, text);
  return std::nullopt;
}

std::string AtStep(Step step, Mode mode) {
  return fmt::format("step {} of mode {}", step, ModeName(mode));
}

}  // namespace

TrialOptions TrialOptions::FromEnvironment() {
  TrialOptions options;
  if (const auto window = NumberFromEnvironment("SMDEBUG_INCOMPLETE_STEP_WAIT_WINDOW")) {
    options.incomplete_step_window = *window;
  }
  if (const auto seconds = NumberFromEnvironment("SMDEBUG_TRAINING_END_DELAY_REFRESH")) {
    options.end_delay = std::chrono::seconds(std::min<int64_t>(*seconds, 3600));
  }
  if (const auto retries = NumberFromEnvironment("SMDEBUG_MISSING_EVENT_FILE_RETRY_LIMIT")) {
    options.missing_file_retries = static_cast<int>(std::min<int64_t>(*retries, 1'000'000));
  }
  return options;
}

TrialOptions LookOptions() {
  TrialOptions options = TrialOptions::FromEnvironment();
  options.collections_timeout = std::chrono::milliseconds(0);
  options.need_collections = false;
  options.end_delay = std::chrono::milliseconds(0);
  options.missing_file_retries = 0;
  return options;
}

Result<std::unique_ptr<Trial>> Trial::Open(std::shared_ptr<const storage::Store> store,
                                           const TrialOptions& options) {
  const Step begin = options.range_begin.value_or(0);
  if (begin < 0 || (options.range_end && *options.range_end <= begin)) {
    return Status(
        Code::kInvalid,
        fmt::format("steps are [{}, {}); expected a first step of at least 0 and a larger end step",
                    begin, options.range_end.value_or(-1)));
  }
  auto manifests =
      LoadManifests(*store, options.collections_timeout, options.need_collections, options.give_up);
  if (!manifests.ok()) return manifests.status();
  std::unique_ptr<Trial> trial(new Trial(std::move(store), options, std::move(manifests.value())));
  auto progress = trial->Refresh();
  if (!progress.ok()) return progress.status();
  return trial;
}

Trial::Trial(std::shared_ptr<const storage::Store> store, const TrialOptions& options,
             Manifests manifests)
    : store_(std::move(store)),
      options_(options),
      manifests_(std::move(manifests)),
      feed_(store_.get()),
      index_(std::max(manifests_.num_workers, 1)),
      problems_(manifests_.problems) {}

bool Trial::JobEnded() const { return store_->Exists(format::kEndMarker); }

Status Trial::Pause(std::chrono::milliseconds duration) const {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (true) {
    const auto left = end - std::chrono::steady_clock::now();
    if (left.count() <= 0) return Status();
    if (options_.give_up && options_.give_up()) return Status(Code::kUnavailable, "interrupted");
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(left, kPauseSlice));
  }
}

Result<Progress> Trial::Refresh() {
  ++refreshers_;
  const std::lock_guard refreshing(refresh_mutex_);
  --refreshers_;
  if (loaded_all_steps()) return Progress{0, true};
  Progress progress;
  // Asked before reading: what is read after the mark was seen is all there is.
  progress.ended = JobEnded();
  Status status = ReadNewFiles(&progress);
  if (progress.ended && options_.end_delay.count() > 0 && status.ok()) {
    status = Pause(options_.end_delay);
    if (status.ok()) status = ReadNewFiles(&progress);
  }
  if (!status.ok()) return status;
  if (progress.ended) {
    const std::unique_lock lock(mutex_);
    index_.MarkEnded();
  }
  return progress;
}

Status Trial::ReadNewFiles(Progress* progress) {
  // index_ is only changed under refresh_mutex_, which we hold, so reading it needs no lock.
  auto files = feed_.Take(
      {[this](const format::StepFileName& name) { return index_.HasFile(name.step, name.worker); },
       index_.last_complete_step(), progress->ended});
  if (!files.ok()) return files.status();
  std::erase_if(files.value(), [this](const IndexFeed::NewFile& file) {
    return file.name.step < options_.range_begin.value_or(0) ||
           (options_.range_end && file.name.step >= *options_.range_end);
  });
  for (std::span<const IndexFeed::NewFile> rest = files.value(); !rest.empty();) {
    const auto batch = rest.first(std::min(rest.size(), kFilesAtOnce));
    if (Status status = ReadBatch(batch, progress); !status.ok()) return status;
    rest = rest.subspan(batch.size());
  }
  if (!files.value().empty()) {
    const std::unique_lock lock(mutex_);
    if (manifests_.num_workers == 0) {
      // No collections file could be read: those who write are those who wrote.
      index_.set_num_workers(static_cast<int>(index_.Workers().size()));
    }
    index_.GiveUpOldSteps(options_.incomplete_step_window);
  }
  return Status();
}

Status Trial::ReadBatch(std::span<const IndexFeed::NewFile> files, Progress* progress) {
  std::vector<std::string> keys;
  for (const IndexFeed::NewFile& file : files) keys.push_back(file.key);
  const auto blobs = store_->ReadMany(keys);
  format::IndexParser parser;
  for (size_t i = 0; i < files.size(); ++i) {
    const IndexFeed::NewFile& file = files[i];
    // It may be readable the next time.
    if (blobs[i].status().code() == Code::kUnavailable) return blobs[i].status();
    const auto parsed =
        blobs[i].ok() ? parser.Parse(AsText(blobs[i].value().bytes)) : blobs[i].status();
    const std::unique_lock lock(mutex_);
    if (!parsed.ok()) {
      problems_.push_back({store_->Locate(file.key), {}, parsed.status().message()});
      feed_.GiveUp(file.key);
      continue;
    }
    index_.Add(file.name.step, file.name.worker, *parsed.value());
    ++progress->new_files;
  }
  return Status();
}

bool Trial::WaitForChange(std::chrono::milliseconds timeout) {
  // The end mark lies outside the folder that is watched, so it is looked for now and then. The
  // watch is waited for in short slices, and not while others want to refresh.
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    if (refreshers_ > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } else if (!Watches()) {
      std::this_thread::sleep_for(std::min(left, store_->look_again_after()));
      return true;
    } else {
      const std::lock_guard refreshing(refresh_mutex_);
      if (feed_.Wait(std::min(left, kWatchSlice))) return true;
    }
    if (JobEnded()) return true;
  }
}

bool Trial::Watches() {
  const std::lock_guard refreshing(refresh_mutex_);
  return feed_.watches();
}

int Trial::num_workers() const {
  const std::shared_lock lock(mutex_);
  return index_.num_workers();
}

bool Trial::loaded_all_steps() const {
  const std::shared_lock lock(mutex_);
  return index_.ended();
}

Step Trial::last_complete_step() const {
  const std::shared_lock lock(mutex_);
  return index_.last_complete_step();
}

std::vector<Problem> Trial::problems() const {
  const std::shared_lock lock(mutex_);
  return problems_;
}

std::vector<Step> Trial::Steps(Mode mode, bool include_incomplete) const {
  const std::shared_lock lock(mutex_);
  return index_.Steps(mode, include_incomplete);
}

std::vector<Step> Trial::StepsAfter(Step step) const {
  const std::shared_lock lock(mutex_);
  return index_.StepsAfter(step);
}

std::vector<Mode> Trial::Modes() const {
  const std::shared_lock lock(mutex_);
  return index_.Modes();
}

std::optional<ModeStep> Trial::ModeOf(Step global_step) const {
  const std::shared_lock lock(mutex_);
  return index_.ModeOf(global_step);
}

std::optional<Step> Trial::GlobalStep(Mode mode, Step step) const {
  const std::shared_lock lock(mutex_);
  return index_.GlobalStep(mode, step);
}

StepState Trial::HasPassedStep(Step step, Mode mode) const {
  const std::shared_lock lock(mutex_);
  return HasPassedStepLocked(step, mode);
}

StepState Trial::HasPassedStepLocked(Step step, Mode mode) const {
  const auto next = index_.NextStep(mode, step);
  if (!next) return index_.ended() ? StepState::kUnavailable : StepState::kNotYetAvailable;
  const Step global = *index_.GlobalStep(mode, *next);
  if (*next == step) {
    return index_.IsComplete(global) ? StepState::kAvailable : StepState::kNotYetAvailable;
  }
  // A later step is complete, so this one will not come any more.
  return index_.last_complete_step() >= global ? StepState::kUnavailable
                                               : StepState::kNotYetAvailable;
}

Status Trial::WaitForSteps(std::span<const Step> steps, Mode mode,
                           std::optional<std::chrono::milliseconds> timeout) {
  const auto start = std::chrono::steady_clock::now();
  for (const Step step : steps) {
    while (true) {
      auto progress = Refresh();
      if (!progress.ok()) return progress.status();
      const StepState state = HasPassedStep(step, mode);
      if (state == StepState::kAvailable) break;
      if (state == StepState::kUnavailable) {
        const std::shared_lock lock(mutex_);
        const Step last = index_.LastStep(mode).value_or(-1);
        if (!index_.ended() || step < last) {
          return Status(Code::kStepUnavailable, AtStep(step, mode) + " was not saved");
        }
        return Status(Code::kNoMoreData,
                      fmt::format("the training ended before {}; its last step is {}",
                                  AtStep(step, mode), last));
      }
      auto pause = kWaitSlice;
      if (timeout) {
        const auto left = *timeout - (std::chrono::steady_clock::now() - start);
        if (left.count() <= 0) {
          return Status(Code::kUnavailable, AtStep(step, mode) + " was not written in time");
        }
        pause = std::min(pause, std::chrono::ceil<std::chrono::milliseconds>(left));
      }
      WaitForChange(pause);
    }
  }
  return Status();
}

}  // namespace warden::trial
