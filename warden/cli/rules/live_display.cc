#include "warden/cli/rules/live_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/base/json.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

constexpr std::chrono::seconds kDisplayLineInterval{30};
constexpr std::chrono::seconds kRateWindow{10};
constexpr std::ptrdiff_t kMostLiveLines = 3;  // Of one incident; the summary has the rest.

Json FindingFields(const rules::RuleState& rule, const rules::Finding& finding) {
  Json fields = rules::ToJson(finding);
  fields["rule"] = rule.config.name;
  if (rule.config.shadow) fields["shadow"] = true;
  return fields;
}

std::string LossText(const rules::Engine& engine) {
  const trial::Trial* trial = engine.trial();
  if (trial == nullptr) return "";
  const auto names = trial->TensorNames({.step = engine.last_step(), .collection = "losses"});
  if (!names.ok() || names.value().empty()) return "";
  const auto loss =
      trial->ReductionValue(names.value()[0], engine.last_step(), {ReductionOp::kMean, false});
  return loss.ok() ? fmt::format(", loss {:.4g}", loss.value()) : "";
}

}  // namespace

LiveDisplay::LiveDisplay(Progress progress, bool every_finding, RunEvents* events, Output* out)
    : progress_(progress),
      every_finding_(every_finding),
      events_(events),
      out_(out),
      terminal_(DetectTerminal(STDERR_FILENO)),
      next_line_(Clock::now() + kDisplayLineInterval) {}

void LiveDisplay::Found(const rules::RuleState& rule, const rules::Finding& finding) {
  if (!rule.config.shadow) {
    waiting_.emplace_back(rule.config.name, finding);
    new_.emplace(rule.config.name, finding.id);
  }
  events_->Write("finding", FindingFields(rule, finding));
}

void LiveDisplay::Known(const rules::RuleState& rule, const rules::Finding& finding) {
  shown_.emplace(rule.config.name, finding.id);
}

void LiveDisplay::Moment(const rules::Engine& engine, watch::MachineLog* machine) {
  ShowAlerts(engine, machine);
  ShowProgress(engine);
  const Step step = engine.last_step();
  if (step != std::exchange(told_, step)) events_->Write("step", {{"step", step}});
}

void LiveDisplay::Problem(const std::string& text) { out_->Tell(Printable(text)); }

void LiveDisplay::ShowAlerts(const rules::Engine& engine, watch::MachineLog* machine) {
  if (waiting_.empty()) return;
  const std::vector<rules::RuleReport> reports = engine.Reports(/*ended=*/false);
  for (const watch::Incident& incident : watch::FindIncidents(reports, machine)) {
    ShowIncident(incident);
  }
  if (every_finding_) {
    for (const std::string& line : AlertLines(waiting_)) {
      out_->Tell(fmt::format("{} {}", AlertMark(rules::Severity::kProblem, terminal_), line));
    }
  }
  waiting_.clear();
  new_.clear();
}

// A line for its cause and each kind of effect, as these come, up to the limit. What has a line
// already, and only grows, has none.
void LiveDisplay::ShowIncident(const watch::Incident& incident) {
  const auto any_in = [](const watch::FindingGroup& group, const std::set<watch::FindingKey>& in) {
    const auto keys = watch::KeysOf(group);
    return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return in.contains(key); });
  };
  std::vector<const watch::FindingGroup*> groups = {&incident.cause};
  for (const watch::FindingGroup& effect : incident.effects) groups.push_back(&effect);
  auto lines = std::count_if(groups.begin(), groups.end(),
                             [&](const auto* group) { return any_in(*group, shown_); });
  if (lines == 0 && std::any_of(groups.begin(), groups.end(),
                                [&](const auto* group) { return any_in(*group, new_); })) {
    events_->Write("incident", watch::ToJson(incident));
  }
  for (const watch::FindingGroup* group : groups) {
    const bool has_line = any_in(*group, shown_);
    if (!has_line && (!any_in(*group, new_) || lines >= kMostLiveLines)) continue;
    const auto keys = watch::KeysOf(*group);
    shown_.insert(keys.begin(), keys.end());
    if (has_line) continue;
    ++lines;
    if (every_finding_) continue;
    out_->Tell(fmt::format("{} {}", AlertMark(incident.severity, terminal_), AlertLine(*group)));
  }
}

void LiveDisplay::ShowProgress(const rules::Engine& engine) {
  const auto now = Clock::now();
  if (marks_.empty() || marks_.back().second != engine.last_step()) {
    marks_.emplace_back(now, engine.last_step());
  }
  while (marks_.size() > 2 && marks_.front().first + kRateWindow < now) marks_.pop_front();
  if (progress_ == Progress::kLine) {
    out_->ShowProgress([&] { return Line(engine); });
  } else if (progress_ == Progress::kLines && now >= next_line_ && engine.last_step() >= 0) {
    next_line_ = now + kDisplayLineInterval;
    out_->Tell(Line(engine));
  }
}

std::string LiveDisplay::Line(const rules::Engine& engine) const {
  const auto& rules = engine.rules();
  const auto acts = [](const rules::RuleState& rule) {
    return !rule.config.for_report && !rule.config.shadow;
  };
  const auto asked = std::count_if(rules.begin(), rules.end(), acts);
  const auto fired = std::count_if(rules.begin(), rules.end(), [&](const rules::RuleState& rule) {
    return acts(rule) && !rule.verdicts.findings().empty();
  });
  if (engine.last_step() < 0) return "waiting for the first step";
  return fmt::format("step {}{}{}, {} checked, {}", engine.last_step(), LossText(engine),
                     RateText(), CountOf(asked, "rule"),
                     fired == 0 ? "no problems found" : fmt::format("{} found problems", fired));
}

std::string LiveDisplay::RateText() const {
  if (marks_.size() < 2) return "";
  const std::chrono::duration<double> time = marks_.back().first - marks_.front().first;
  if (time.count() <= 0) return "";
  const auto steps = static_cast<double>(marks_.back().second - marks_.front().second);
  return fmt::format(", {:.3g} steps/s", steps / time.count());
}

}  // namespace warden::cli
