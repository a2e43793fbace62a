#include "warden/rules/watcher.h"

#include <limits>
#include <utility>

namespace warden::rules {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMoment{200};
// While nothing is found the records only say how far judging has come.
constexpr milliseconds kRecordInterval{2000};
// Small enough that a long run is not judged without a word.
constexpr int64_t kStepsAtOnce = 64;

}  // namespace

Watcher::Watcher(trial::Trial* trial, Engine* engine, Records* records, WatcherEvents events)
    : trial_(trial),
      engine_(engine),
      records_(records),
      events_(std::move(events)),
      last_step_at_(Clock::now()) {
  records_->Begin(engine_->Reports(/*ended=*/false));
}

void Watcher::Found(const RuleState& rule, const Finding& finding) {
  if (!records_->Add(rule.config.name, finding)) return;
  new_findings_ = true;
  events_.found(rule, finding);
}

bool Watcher::Advance() {
  const auto judged = engine_->Advance(
      kStepsAtOnce,
      [this](const RuleState& rule, const Finding& finding) { Found(rule, finding); });
  if (judged > 0) last_step_at_ = Clock::now();
  return judged == kStepsAtOnce;
}

Status Watcher::KeepRecords() {
  const auto now = Clock::now();
  if (!std::exchange(new_findings_, false) && now < last_record_at_ + kRecordInterval) {
    return Status();
  }
  last_record_at_ = now;
  auto reports = engine_->Reports(/*ended=*/false);
  return records_->Write(&reports, engine_->last_step());
}

Status Watcher::CatchUp() {
  const auto progress = trial_->Refresh();
  if (!progress.ok()) return progress.status();
  while (true) {
    const bool more = Advance();
    events_.judged();
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

Status Watcher::Follow(const std::function<bool()>& stop) {
  last_step_at_ = Clock::now();
  while (true) {
    if (Status status = CatchUp(); !status.ok()) return status;
    if (trial_->loaded_all_steps() || stop()) return CatchUp();
    if (trial_->WaitForChange(kMoment)) continue;
    TellOfSilence();
  }
}

std::vector<RuleReport> Watcher::Reports(bool over) {
  if (over) {
    engine_->End([this](const RuleState& rule, const Finding& finding) { Found(rule, finding); });
    events_.judged();
  }
  auto reports = engine_->Reports(over);
  (void)records_->Write(&reports, engine_->last_step());
  events_.moment();
  return reports;
}

Result<std::shared_ptr<trial::Trial>> WaitForRun(const std::shared_ptr<const storage::Store>& store,
                                                 const std::function<bool()>& stop) {
  trial::TrialOptions options = trial::TrialOptions::FromEnvironment();
  options.collections_timeout = kMoment;
  options.end_delay = milliseconds(0);
  options.give_up = stop;
  while (true) {
    auto trial = trial::Trial::Open(store, options);
    if (trial.ok()) return std::shared_ptr<trial::Trial>(std::move(trial.value()));
    if (trial.status().code() != Code::kUnavailable || stop()) return trial.status();
  }
}

}  // namespace warden::rules
