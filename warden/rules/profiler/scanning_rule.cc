#include "warden/rules/profiler/scanning_rule.h"

#include <fmt/format.h>

#include <cmath>

#include "warden/base/strings.h"

namespace warden::rules {
namespace {

// Rounded down, for times before 1970 too.
int64_t IntervalOf(int64_t time_us, int64_t length_us) {
  const int64_t interval = time_us / length_us;
  return time_us % length_us < 0 ? interval - 1 : interval;
}

}  // namespace

Status CheckGpu(const Params& params) {
  if (!params.Has("gpu") || LowerAscii(params.Text("gpu")) == "none") return Status();
  return params.Refuse(fmt::format("gpu is '{}'; expected none", params.Text("gpu")));
}

int64_t MicrosecondsOf(double seconds) {
  const double us = seconds * 1e6;
  return std::isfinite(us) && std::abs(us) < 9e18 ? std::llround(us) : 0;
}

std::string OnlySoMany(int64_t seen, int64_t needed, std::string_view what) {
  return fmt::format("needs {} {}, found {}", needed, what, seen);
}

void Report(const Evaluation& evaluation, bool evaluated, Verdicts* verdicts) {
  if (!evaluation.not_evaluated.empty()) {
    if (!evaluated) verdicts->TooLittle(evaluation.not_evaluated);
    return;
  }
  for (const Firing& firing : evaluation.firings) {
    verdicts->FireRun(firing.device, firing.node, firing.evidence);
  }
  verdicts->HealthyRun();  // Of all that did not fire this time.
}

ScanningRule::ScanningRule(std::string_view rule, const Params& params,
                           std::initializer_list<std::string_view> shown)
    : rule_(rule), scan_interval_us_(params.Integer("scan_interval_us")) {
  for (const std::string_view name : shown) {
    if (!parameters_.empty()) parameters_ += '\n';
    parameters_ += fmt::format("{}:{}", name, params.Has(name) ? params.Text(name) : "None");
  }
}

Evaluation ScanningRule::Consider(int64_t now_us) {
  Evaluation evaluation = EvaluateNow(now_us);
  evaluated_ = evaluated_ || evaluation.not_evaluated.empty();
  not_evaluated_ = evaluated_ ? "" : evaluation.not_evaluated;
  if (evaluation.firings.empty()) return evaluation;
  const int64_t interval = IntervalOf(now_us, scan_interval_us_);
  if (interval > last_triggered_) {
    ++triggered_;
    last_triggered_ = interval;
  }
  return evaluation;
}

void ScanningRule::EvaluateSoFar(int64_t now_us, Verdicts* verdicts) {
  const Evaluation evaluation = Consider(now_us);
  Report(evaluation, evaluated_, verdicts);
}

std::vector<ProfilerResult> ScanningRule::Results() const {
  ProfilerResult result;
  result.rule = rule_;
  result.triggered = triggered_;
  result.parameters = parameters_;
  result.not_evaluated = evaluated_ ? "" : not_evaluated_.empty() ? "no data" : not_evaluated_;
  Tell(&result);
  return {result};
}

}  // namespace warden::rules
