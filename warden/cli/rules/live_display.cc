#include "warden/cli/rules/live_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/cli/rules/summary_text.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

constexpr std::chrono::seconds kDisplayLineInterval{30};
constexpr std::chrono::seconds kRateWindow{10};

}  // namespace

LiveDisplay::LiveDisplay(const rules::Engine* engine, Progress progress, Output* out)
    : engine_(engine),
      progress_(progress),
      out_(out),
      terminal_(DetectTerminal(STDERR_FILENO)),
      next_line_(Clock::now() + kDisplayLineInterval) {}

void LiveDisplay::Found(const std::string& rule, const rules::Finding& finding) {
  waiting_.emplace_back(rule, finding);
}

void LiveDisplay::ShowAlerts() {
  for (const std::string& line : AlertLines(std::exchange(waiting_, {}))) {
    out_->Tell(fmt::format("{} {}", Styled("!", Style::kBad, terminal_), line));
  }
}

void LiveDisplay::Moment() {
  ShowAlerts();
  const auto now = Clock::now();
  if (marks_.empty() || marks_.back().second != engine_->last_step()) {
    marks_.emplace_back(now, engine_->last_step());
  }
  while (marks_.size() > 2 && marks_.front().first + kRateWindow < now) marks_.pop_front();
  if (progress_ == Progress::kLine) {
    out_->ShowProgress([this] { return Line(); });
  } else if (progress_ == Progress::kLines && now >= next_line_ && engine_->last_step() >= 0) {
    next_line_ = now + kDisplayLineInterval;
    out_->Tell(Line());
  }
}

std::string LiveDisplay::Line() {
  const auto& rules = engine_->rules();
  const auto asked = std::count_if(rules.begin(), rules.end(), [](const rules::RuleState& rule) {
    return !rule.config.for_report;
  });
  const auto fired = std::count_if(rules.begin(), rules.end(), [](const rules::RuleState& rule) {
    return !rule.config.for_report && !rule.verdicts.findings().empty();
  });
  if (engine_->last_step() < 0) return "waiting for the first step";
  return fmt::format("step {}{}{}, {} checked, {}", engine_->last_step(), LossText(), RateText(),
                     CountOf(asked, "rule"),
                     fired == 0 ? "no problems found" : fmt::format("{} found problems", fired));
}

std::string LiveDisplay::RateText() {
  if (marks_.size() < 2) return "";
  const std::chrono::duration<double> time = marks_.back().first - marks_.front().first;
  if (time.count() <= 0) return "";
  const auto steps = static_cast<double>(marks_.back().second - marks_.front().second);
  return fmt::format(", {:.3g} steps/s", steps / time.count());
}

std::string LiveDisplay::LossText() const {
  const trial::Trial* trial = engine_->trial();
  if (trial == nullptr) return "";
  const auto names = trial->TensorNames({.step = engine_->last_step(), .collection = "losses"});
  if (!names.ok() || names.value().empty()) return "";
  const auto loss =
      trial->ReductionValue(names.value()[0], engine_->last_step(), {ReductionOp::kMean, false});
  return loss.ok() ? fmt::format(", loss {:.4g}", loss.value()) : "";
}

}  // namespace warden::cli
