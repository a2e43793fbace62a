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

Json FindingFields(const rules::RuleState& rule, const rules::Finding& finding) {
  Json fields = rules::ToJson(finding);
  fields["rule"] = rule.config.name;
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

LiveDisplay::LiveDisplay(Progress progress, RunEvents* events, Output* out)
    : progress_(progress),
      events_(events),
      out_(out),
      terminal_(DetectTerminal(STDERR_FILENO)),
      next_line_(Clock::now() + kDisplayLineInterval) {}

void LiveDisplay::Found(const rules::RuleState& rule, const rules::Finding& finding) {
  waiting_.emplace_back(rule.config.name, finding);
  events_->Write("finding", FindingFields(rule, finding));
}

void LiveDisplay::Moment(const rules::Engine& engine) {
  ShowAlerts();
  ShowProgress(engine);
  const Step step = engine.last_step();
  if (step != std::exchange(told_, step)) events_->Write("step", {{"step", step}});
}

void LiveDisplay::Problem(const std::string& text) { out_->Tell(Printable(text)); }

void LiveDisplay::ShowAlerts() {
  for (const std::string& line : AlertLines(std::exchange(waiting_, {}))) {
    out_->Tell(fmt::format("{} {}", Styled("!", Style::kBad, terminal_), line));
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
  const auto asked = std::count_if(rules.begin(), rules.end(), [](const rules::RuleState& rule) {
    return !rule.config.for_report;
  });
  const auto fired = std::count_if(rules.begin(), rules.end(), [](const rules::RuleState& rule) {
    return !rule.config.for_report && !rule.verdicts.findings().empty();
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
