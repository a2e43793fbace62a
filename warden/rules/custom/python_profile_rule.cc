#include "warden/rules/custom/python_profile_rule.h"

#include <utility>

#include "warden/base/json.h"

namespace warden::rules {
namespace {

// In one evaluation: the rest of a run that has ended is looked at in one go.
constexpr int kMostLooks = 1000;

}  // namespace

PythonProfileRule::PythonProfileRule(const RuleConfig& config, std::string doc, Severity severity,
                                     AskedWorker worker)
    : spec_(config.rule, std::move(doc), "", severity, RuleKind::kProfiler),
      profile_(config.profile),
      output_(config.profile_output),
      worker_(std::move(worker)) {}

void PythonProfileRule::EvaluateSoFar(int64_t /*now_us*/, Verdicts* verdicts) {
  if (over_) return;
  if (!opened_) {
    const auto answer =
        worker_.Ask({{"profile", profile_}, {"output", output_}}, "while the rule was created");
    if (!answer.ok()) {
      status_ = answer.status();
      over_ = true;
      return;
    }
    opened_ = true;
  }
  for (int looks = 0; looks < kMostLooks && Look(verdicts); ++looks) {
  }
  if (!looked_) verdicts->TooLittle("too little profiling data was saved");
}

bool PythonProfileRule::Look(Verdicts* verdicts) {
  const auto answer = worker_.Ask({{"look", true}}, "during a look at the profiling data");
  if (!answer.ok()) {
    status_ = answer.status();
    over_ = true;
    return false;
  }
  if (FlagIn(answer.value(), "waits")) return false;
  const bool ends = FlagIn(answer.value(), "ends");
  if (!ends || FlagIn(answer.value(), "fired")) {
    looked_ = true;
    worker_.Report(answer.value(), verdicts);
    verdicts->HealthyRun();
  }
  if (ends) {
    over_ = true;
    worker_.End();
  }
  return !ends && FlagIn(answer.value(), "more");
}

}  // namespace warden::rules
