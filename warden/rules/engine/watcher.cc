#include "warden/rules/engine/watcher.h"

#include <thread>
#include <utility>

#include "warden/base/log.h"

namespace warden::rules {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMoment{200};
// While nothing is found the records only say how far the evaluation has come.
constexpr milliseconds kRecordInterval{2000};
constexpr std::chrono::seconds kLongestInterval{65};
// Small enough that a long run is not evaluated without a word.
constexpr int64_t kStepsAtOnce = 64;

}  // namespace

Watcher::Watcher(Engine* engine, Records* records, WatcherEvents events)
    : engine_(engine),
      records_(records),
      events_(std::move(events)),
      last_step_at_(Clock::now()),
      last_news_at_(Clock::now()) {
  records_->Begin(engine_->Reports(/*ended=*/false));
}

void Watcher::Found(const RuleState& rule, const Finding& finding) {
  if (!records_->Add(rule.config.name, finding, rule.config.shadow)) {
    return events_.known(rule, finding);
  }
  new_findings_ = true;
  found_any_ = true;
  events_.found(rule, finding);
}

bool Watcher::Advance() {
  const Step before = engine_->last_step();
  const auto evaluated = engine_->Advance(
      kStepsAtOnce,
      [this](const RuleState& rule, const Finding& finding) { Found(rule, finding); });
  if (evaluated > 0) last_news_at_ = Clock::now();
  if (engine_->last_step() != before) last_step_at_ = last_news_at_;
  return evaluated == kStepsAtOnce;
}

Status Watcher::KeepRecords() {
  if (!HasRecords()) return Status();
  const auto now = Clock::now();
  if (!std::exchange(new_findings_, false) && now < last_record_at_ + kRecordInterval) {
    return Status();
  }
  last_record_at_ = now;
  auto reports = engine_->Reports(/*ended=*/false);
  return records_->Write(&reports, engine_->last_step());
}

Status Watcher::CatchUp() {
  if (engine_->trial() != nullptr) {
    const auto progress = engine_->trial()->Refresh();
    if (!progress.ok() && progress.status().code() != Code::kUnavailable) return progress.status();
    // A store that does not answer may do so the next time.
    if (!progress.ok()) LogWarning("{}; trying again", progress.status().message());
  }
  while (true) {
    const bool more = Advance();
    events_.evaluated();
    if (Status status = KeepRecords(); !status.ok()) return status;
    events_.moment();
    if (!more) return Status();
  }
}

void Watcher::TellOfSilence() {
  const auto waited = std::chrono::duration_cast<milliseconds>(Clock::now() - last_step_at_);
  engine_->Silence(waited,
                   [this](const RuleState& rule, const Finding& finding) { Found(rule, finding); });
}

Status Watcher::LookForTrial(const OpenTrial& open) {
  if (engine_->trial() != nullptr || has_no_trial_) return Status();
  auto trial = open();
  if (trial.ok()) return engine_->SetTrial(std::move(trial.value()));
  has_no_trial_ = trial.status().code() == Code::kMissingCollectionFiles;
  return has_no_trial_ || trial.status().code() == Code::kUnavailable ? Status() : trial.status();
}

// True if something has changed. A run that has not begun is waited for by opening it.
bool Watcher::Wait() {
  if (engine_->trial() != nullptr) return engine_->trial()->WaitForChange(kMoment);
  if (has_no_trial_) std::this_thread::sleep_for(kMoment);
  return false;
}

// The monitor's longest interval may pass without a word of it.
bool Watcher::IsOver() {
  if (engine_->ended()) return true;
  const bool steps_ended = engine_->trial() != nullptr && engine_->trial()->loaded_all_steps();
  return (steps_ended || has_no_trial_) && Clock::now() > last_news_at_ + kLongestInterval;
}

Status Watcher::Follow(const OpenTrial& open, const std::function<bool()>& stop,
                       bool only_stop_ends) {
  last_step_at_ = Clock::now();
  while (true) {
    if (Status status = LookForTrial(open); !status.ok()) return status;
    if (Status status = CatchUp(); !status.ok()) return status;
    if (stop() || (!only_stop_ends && IsOver())) break;
    if (!Wait()) TellOfSilence();
  }
  // What was saved before the end was announced is evaluated, however short a time before.
  if (Status status = LookForTrial(open); !status.ok()) return status;
  engine_->LookAgain();
  return CatchUp();
}

std::vector<RuleReport> Watcher::Reports(bool over) {
  if (over) {
    engine_->End([this](const RuleState& rule, const Finding& finding) { Found(rule, finding); });
    events_.evaluated();
  }
  auto reports = engine_->Reports(over);
  if (HasRecords()) (void)records_->Write(&reports, engine_->last_step());
  events_.moment();
  return reports;
}

OpenTrial OpenerOf(std::shared_ptr<const storage::Store> store, std::function<bool()> stop) {
  trial::TrialOptions options = trial::TrialOptions::FromEnvironment();
  options.collections_timeout = kMoment;
  options.end_delay = milliseconds(0);
  options.give_up = std::move(stop);
  return [store = std::move(store), options]() -> Result<std::shared_ptr<trial::Trial>> {
    auto trial = trial::Trial::Open(store, options);
    if (!trial.ok()) return trial.status();
    return std::shared_ptr<trial::Trial>(std::move(trial.value()));
  };
}

}  // namespace warden::rules
