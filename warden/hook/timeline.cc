#include "warden/hook/timeline.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "warden/base/json.h"
#include "warden/capture/host.h"
#include "warden/os/process_table.h"
#include "warden/os/whole_file.h"

namespace warden::hook {
namespace {

constexpr char kResourceConfig[] = "/opt/ml/input/config/resourceconfig.json";

// What a SageMaker job calls this machine; else its own name.
std::string Host() {
  const auto json = ParseJson(os::ReadWholeFile(kResourceConfig).value_or(""));
  if (json.ok() && json.value().is_object()) {
    const auto host = json.value().find("current_host");
    if (host != json.value().end() && host->is_string()) return host->get<std::string>();
  }
  // Several hosts of a job may run on one machine, where only the environment tells them apart.
  const char* current = std::getenv("SM_CURRENT_HOST");
  if (current != nullptr && *current != '\0') return current;
  return capture::HostName();
}

std::string Node(std::optional<int> rank) {
  std::string node = fmt::format("{}-{}", rank.value_or(getpid()), Host());
  // They separate parts of file names and of paths.
  std::ranges::replace(node, '_', '-');
  std::ranges::replace(node, '/', '-');
  return node;
}

// When this process began, as exactly as the kernel tells.
int64_t ProcessStartUs(int64_t now_us) {
  const auto ticks = os::StartOfProcess(getpid());
  timespec since_boot{};
  const auto per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  if (!ticks || clock_gettime(CLOCK_BOOTTIME, &since_boot) != 0 || per_second <= 0) return now_us;
  const double age = static_cast<double>(since_boot.tv_sec) + 1e-9 * since_boot.tv_nsec -
                     static_cast<double>(*ticks) / per_second;
  return now_us - static_cast<int64_t>(std::max(age, 0.0) * 1e6);
}

std::string Args() { return fmt::format("\"pid\": {}", getpid()); }

std::string StepPhase(Mode mode) { return fmt::format("Step:ModeKeys.{}", ModeName(mode)); }

}  // namespace

Timeline::Timeline(std::optional<int> rank) : rank_(rank) {}

Timeline::~Timeline() {
  if (!IsCopy()) Close();
}

bool Timeline::OnLocked(int64_t now_us) {
  if (closed_) return false;
  config_.Follow(now_us);
  if (!config_.settings()) return false;
  if (writer_ == nullptr) {
    capture::TimelineOptions options;
    options.settings = *config_.settings();
    options.node = Node(rank_);
    // So that no event begins before what times are counted from.
    options.base_us = ProcessStartUs(now_us);
    writer_ = std::make_unique<capture::TimelineWriter>(std::move(options));
  } else if (applied_ != *config_.settings()) {
    writer_->Configure(*config_.settings());
  }
  applied_ = *config_.settings();
  return true;
}

void Timeline::RecordLocked(std::string_view phase, int64_t start_us, int64_t end_us) {
  const std::string args = Args();
  capture::TimelineEvent event;
  event.phase = event.name = phase;
  event.args = args;
  event.start_us = start_us;
  event.duration_us = std::max<int64_t>(end_us - start_us, 0);
  writer_->Record(event);
}

void Timeline::BeginStep(Mode mode, std::optional<Step> number) {
  if (IsCopy()) return;
  const int64_t now = capture::TimelineNowUs();
  const std::lock_guard lock(mutex_);
  EndStepLocked(now);
  Step& mode_step = mode_steps_[ModeIndex(mode)];
  mode_step = number.value_or(mode_step + 1);
  mode_ = mode;
  if (!OnLocked(now)) return;
  if (!std::exchange(began_, true)) RecordLocked("Initialization", writer_->base_us(), now);
  step_start_us_ = now;
}

void Timeline::EndStep() {
  if (IsCopy()) return;
  const std::lock_guard lock(mutex_);
  EndStepLocked(capture::TimelineNowUs());
}

void Timeline::EndStepLocked(int64_t now_us) {
  const int64_t start = std::exchange(step_start_us_, 0);
  if (start == 0) return;
  last_end_us_ = now_us;
  if (!OnLocked(now_us)) return;
  auto& kind = step_kinds_[ModeIndex(mode_)];
  if (!kind) kind = writer_->AddKind(StepPhase(mode_), StepPhase(mode_), Args());
  writer_->Record(*kind, start, std::max<int64_t>(now_us - start, 0),
                  mode_steps_[ModeIndex(mode_)]);
}

void Timeline::Record(std::string_view phase, std::string_view name, int64_t start_us,
                      int64_t duration_us) {
  if (IsCopy()) return;
  const std::lock_guard lock(mutex_);
  if (!OnLocked(capture::TimelineNowUs())) return;
  const std::string args = Args();
  writer_->Record({.phase = phase,
                   .name = name,
                   .args = args,
                   .start_us = start_us,
                   .duration_us = duration_us});
}

bool Timeline::IsOn() {
  if (IsCopy()) return false;
  const std::lock_guard lock(mutex_);
  if (closed_) return false;
  config_.Follow(capture::TimelineNowUs());
  return config_.settings().has_value();
}

void Timeline::Close() {
  if (IsCopy()) return;
  const int64_t now = capture::TimelineNowUs();
  const std::lock_guard lock(mutex_);
  EndStepLocked(now);
  if (last_end_us_ != 0 && OnLocked(now)) RecordLocked("Finalization", last_end_us_, now);
  closed_ = true;
  // The disk may not answer; then the file keeps its temporary name, which readers know.
  if (writer_ != nullptr) (void)writer_->Close(/*finish=*/true);
}

}  // namespace warden::hook
