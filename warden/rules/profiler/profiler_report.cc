#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <span>

#include "warden/rules/profiler/brief_at_end.h"
#include "warden/rules/profiler/profiler_rules.h"

namespace warden::rules {
namespace {

// In the original's order.
using Entries = std::array<RuleEntry, 11>;
const Entries& Parts() {
  static const Entries parts = {
      CPUBottleneck(),      IOBottleneck(), LowGPUUtilization(),      StepOutlier(),
      GPUMemoryIncrease(),  BatchSize(),    MaxInitializationTime(),  LoadBalancing(),
      OverallSystemUsage(), Dataloader(),   OverallFrameworkMetrics()};
  return parts;
}

// Whether a part looks for problems. Two only describe the run, of however little data.
bool Judges(const RuleSpec& part) {
  return part.name != "OverallSystemUsage" && part.name != "OverallFrameworkMetrics";
}

std::string PartParam(const RuleSpec& part, std::string_view param) {
  return fmt::format("{}_{}", part.name, param);
}

// Runs other profiler rules; what they find is found by it. It has checked the run if one of those
// that look for problems has or, if there are only others, if one of them has.
class AllOfThem : public ProfilerRule {
 public:
  using Part = std::unique_ptr<BriefAtEnd>;

  explicit AllOfThem(std::vector<Part> parts)
      : parts_(std::move(parts)),
        judges_(std::any_of(parts_.begin(), parts_.end(),
                            [](const Part& part) { return Judges(part->spec()); })) {}

  void See(const timeline::NodeSample& sample, const timeline::Names& names) override {
    for (const Part& part : parts_) part->See(sample, names);
  }

  void See(const timeline::Span& span, const timeline::Names& names) override {
    for (const Part& part : parts_) part->See(span, names);
  }

  void EvaluateSoFar(int64_t now_us, Verdicts* verdicts) override {
    EvaluateParts(now_us, /*at_end=*/false, verdicts);
  }

  void EvaluateAtEnd(int64_t now_us, Verdicts* verdicts) override {
    EvaluateParts(now_us, /*at_end=*/true, verdicts);
  }

  std::vector<ProfilerResult> Results() const override {
    std::vector<ProfilerResult> results;
    for (const Part& part : parts_) results.push_back(part->Results().front());
    return results;
  }

 private:
  void EvaluateParts(int64_t now_us, bool at_end, Verdicts* verdicts) {
    bool evaluated = false;
    bool described = false;
    std::string first;  // Of those that could not be evaluated.
    for (const Part& part : parts_) {
      const RuleSpec& spec = part->spec();
      const Evaluation evaluation = part->Consider(now_us, at_end);
      const bool could = evaluation.not_evaluated.empty();
      if (Judges(spec) == judges_) evaluated = evaluated || could;
      described = described || could;
      if (!could && first.empty()) {
        first = fmt::format("{}: {}", spec.name, evaluation.not_evaluated);
      }
      for (const Firing& firing : evaluation.firings) Fire(spec, firing, verdicts);
    }
    evaluated_ = evaluated_ || evaluated;
    if (evaluated) verdicts->HealthyRun();  // Of all that did not fire this time.
    if (evaluated_) return;
    verdicts->TooLittle(
        described ? fmt::format("there was too little data to look for problems (first: {})", first)
                  : "no system metrics and no timeline were saved; add --profile timeline");
  }

  // Under the rule's name and with its advice.
  static void Fire(const RuleSpec& part, const Firing& firing, Verdicts* verdicts) {
    Evidence evidence = firing.evidence;
    if (evidence.advice.empty()) evidence.advice = part.advice;
    const std::string device = firing.device.empty()
                                   ? std::string(part.name)
                                   : fmt::format("{}: {}", part.name, firing.device);
    verdicts->FireRun(device, firing.node, evidence);
  }

  const std::vector<Part> parts_;
  const bool judges_;  // There are parts that look for problems.
  bool evaluated_ = false;
};

// params: those of each rule with its name in front, and scan_interval_us.
Result<std::unique_ptr<Rule>> MakeParts(std::span<const RuleEntry> entries, const Params& params) {
  std::vector<AllOfThem::Part> parts;
  for (const RuleEntry& entry : entries) {
    ParamTexts given;
    for (const Param& param : entry.spec->params) {
      const std::string name = PartParam(*entry.spec, param.name);
      if (params.Given(name)) given.emplace(param.name, params.Text(name));
    }
    given.emplace(kScanInterval.name, params.Text(kScanInterval.name));  // Unless it has its own.
    auto part = BriefAtEnd::Make(entry, given);
    if (!part.ok()) return part.status();
    parts.push_back(std::move(part.value()));
  }
  return std::unique_ptr<Rule>(std::make_unique<AllOfThem>(std::move(parts)));
}

Result<std::unique_ptr<Rule>> MakeAll(const Params& params) { return MakeParts(Parts(), params); }

// What says where the time went, and never fires.
Result<std::unique_ptr<Rule>> MakeDetails(const Params& params) {
  static const std::array<RuleEntry, 2> entries = {OverallSystemUsage(), OverallFrameworkMetrics()};
  return MakeParts(entries, params);
}
constexpr Param kDetailsParams[] = {kScanInterval};

// <Rule>_<parameter> for all of them, and its own.
const std::vector<Param>& AllPartParams() {
  static std::deque<std::string> names;  // Never moves what it has.
  static const std::vector<Param> all = [] {
    std::vector<Param> params = {kScanInterval,
                                 {"opt_out_telemetry", ParamType::kSwitch, "",
                                  "Ignored; accepted for compatibility. No telemetry is sent"}};
    for (const RuleEntry& entry : Parts()) {
      for (Param param : entry.spec->params) {
        param.name = names.emplace_back(PartParam(*entry.spec, param.name));
        if (param.name.ends_with(kScanInterval.name)) param.default_text = "";
        params.push_back(param);
      }
    }
    return params;
  }();
  return all;
}

}  // namespace

RuleEntry DetailedProfilerProcessing() {
  static const RuleSpec spec{"DetailedProfilerProcessing",
                             "Reports how long operators and kernels took; finds no problems.",
                             "Open the report and start with the longest operators.",
                             kDetailsParams,
                             {},
                             RuleKind::kReport,
                             Severity::kWarning};
  return {&spec, MakeDetails};
}

RuleEntry ProfilerReport() {
  static const RuleSpec spec{"ProfilerReport",
                             "Runs all profiler rules and reports what they find.",
                             "Open the report and start with its first recommendation.",
                             AllPartParams(),
                             {},
                             RuleKind::kReport,
                             Severity::kWarning};
  return {&spec, MakeAll};
}

}  // namespace warden::rules
