#include "warden/rules/profiler/brief_at_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "warden/base/strings.h"

namespace warden::rules {
namespace {

constexpr std::string_view kPatience = "patience";
constexpr int64_t kBriefPatience = 50;
constexpr std::array<std::string_view, 4> kForShortRuns = {"CPUBottleneck", "IOBottleneck",
                                                           "LoadBalancing", "LowGPUUtilization"};

// The parameter of rules that ignore more points than that; null if a rule has none.
const Param* PatienceOf(const RuleSpec& spec) {
  for (const Param& param : spec.params) {
    if (param.name != kPatience) continue;
    return ParseInt(param.default_text).value_or(0) > kBriefPatience ? &param : nullptr;
  }
  return nullptr;
}

ScanningRule& ScanningOf(Rule& rule) { return static_cast<ScanningRule&>(*rule.AsProfilerRule()); }

Result<std::unique_ptr<Rule>> MakeRuleOf(const RuleEntry& entry, const ParamTexts& given) {
  auto params = Params::Read(entry.spec->name, entry.spec->params, given);
  if (!params.ok()) return params.status();
  return entry.make(params.value());
}

}  // namespace

bool ChecksShortRuns(const RuleSpec& spec) {
  return std::find(kForShortRuns.begin(), kForShortRuns.end(), spec.name) != kForShortRuns.end();
}

Result<std::unique_ptr<BriefAtEnd>> BriefAtEnd::Make(const RuleEntry& entry,
                                                     const ParamTexts& given) {
  auto rule = MakeRuleOf(entry, given);
  if (!rule.ok()) return rule.status();
  std::unique_ptr<Rule> brief;
  if (PatienceOf(*entry.spec) != nullptr && !given.contains(kPatience)) {
    ParamTexts less = given;
    less.emplace(kPatience, std::to_string(kBriefPatience));
    auto made = MakeRuleOf(entry, less);
    if (!made.ok()) return made.status();
    brief = std::move(made.value());
  }
  return std::unique_ptr<BriefAtEnd>(
      new BriefAtEnd(entry.spec, std::move(rule.value()), std::move(brief)));
}

ScanningRule& BriefAtEnd::Current() const { return ScanningOf(note_.empty() ? *rule_ : *brief_); }

void BriefAtEnd::See(const timeline::NodeSample& sample, const timeline::Names& names) {
  ScanningOf(*rule_).See(sample, names);
  if (brief_ != nullptr) ScanningOf(*brief_).See(sample, names);
}

void BriefAtEnd::See(const timeline::Span& span, const timeline::Names& names) {
  ScanningOf(*rule_).See(span, names);
  if (brief_ != nullptr) ScanningOf(*brief_).See(span, names);
}

Evaluation BriefAtEnd::Consider(int64_t now_us, bool at_end) {
  Evaluation evaluation = Current().Consider(now_us);
  if (note_.empty() && Current().evaluated()) brief_ = nullptr;
  return at_end && brief_ != nullptr && note_.empty() ? ConsiderBriefly(now_us) : evaluation;
}

Evaluation BriefAtEnd::ConsiderBriefly(int64_t now_us) {
  Evaluation brief = ScanningOf(*brief_).Consider(now_us);
  if (!brief.not_evaluated.empty()) return brief;
  note_ = fmt::format("Short run: {} data points were ignored at the start instead of {}.",
                      kBriefPatience, PatienceOf(*spec_)->default_text);
  for (Firing& firing : brief.firings) {
    firing.evidence.what +=
        fmt::format(" (short run: {} data points ignored at the start)", kBriefPatience);
  }
  return brief;
}

void BriefAtEnd::EvaluateSoFar(int64_t now_us, Verdicts* verdicts) {
  const Evaluation evaluation = Consider(now_us, /*at_end=*/false);
  Report(evaluation, Current().evaluated(), verdicts);
}

void BriefAtEnd::EvaluateAtEnd(int64_t now_us, Verdicts* verdicts) {
  const Evaluation evaluation = Consider(now_us, /*at_end=*/true);
  Report(evaluation, Current().evaluated(), verdicts);
}

std::vector<ProfilerResult> BriefAtEnd::Results() const {
  std::vector<ProfilerResult> results = Current().Results();
  results.front().note = note_;
  return results;
}

}  // namespace warden::rules
