#include <fmt/format.h>

#include <array>
#include <deque>
#include <span>

#include "warden/base/strings.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"

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

// How many points are ignored at first in a run that ends before the patience of a rule does. With
// the usual interval these are 25 seconds.
constexpr int64_t kBriefPatience = 50;

// The parameter of rules that ignore more points than that; null if a rule has none.
const Param* PatienceOf(const RuleSpec& part) {
  for (const Param& param : part.params) {
    if (param.name != "patience") continue;
    return ParseInt(param.default_text).value_or(0) > kBriefPatience ? &param : nullptr;
  }
  return nullptr;
}

std::string PartParam(const RuleSpec& part, std::string_view param) {
  return fmt::format("{}_{}", part.name, param);
}

// Runs other profiler rules; what they find is found by it.
class AllOfThem : public ProfilerRule {
 public:
  struct Part {
    const RuleSpec* spec = nullptr;
    std::unique_ptr<Rule> rule;
    // The same with less patience, for a run that ends before the rule could be evaluated; null
    // once that is not needed. It is evaluated once, at the end.
    std::unique_ptr<Rule> brief = {};
    std::string note = {};  // Set if the brief one is the one that counts.

    ScanningRule& scanning() const { return ScanningOf(note.empty() ? *rule : *brief); }
    static ScanningRule& ScanningOf(Rule& one) {
      return static_cast<ScanningRule&>(*one.AsProfilerRule());
    }
  };

  explicit AllOfThem(std::vector<Part> parts) : parts_(std::move(parts)) {}

  void See(const timeline::NodeSample& sample, const timeline::Names& names) override {
    ForEachRule([&](ScanningRule& rule) { rule.See(sample, names); });
  }

  void See(const timeline::Span& span, const timeline::Names& names) override {
    ForEachRule([&](ScanningRule& rule) { rule.See(span, names); });
  }

  void EvaluateSoFar(int64_t now_us, Verdicts* verdicts) override {
    EvaluateParts(now_us, /*at_end=*/false, verdicts);
  }

  void EvaluateAtEnd(int64_t now_us, Verdicts* verdicts) override {
    EvaluateParts(now_us, /*at_end=*/true, verdicts);
  }

  std::vector<ProfilerResult> Results() const override {
    std::vector<ProfilerResult> results;
    for (const Part& part : parts_) {
      results.push_back(part.scanning().Results().front());
      results.back().note = part.note;
    }
    return results;
  }

 private:
  template <class Act>
  void ForEachRule(const Act& act) const {
    for (const Part& part : parts_) {
      act(Part::ScanningOf(*part.rule));
      if (part.brief != nullptr) act(Part::ScanningOf(*part.brief));
    }
  }

  void EvaluateParts(int64_t now_us, bool at_end, Verdicts* verdicts) {
    bool evaluated = false;
    for (Part& part : parts_) {
      Evaluation evaluation = part.scanning().Consider(now_us);
      if (part.note.empty() && part.scanning().evaluated()) part.brief = nullptr;
      if (at_end && part.brief != nullptr && part.note.empty()) {
        evaluation = ConsiderBriefly(now_us, evaluation, &part);
      }
      evaluated = evaluated || evaluation.not_evaluated.empty();
      for (const Firing& firing : evaluation.firings) Fire(*part.spec, firing, verdicts);
    }
    evaluated_ = evaluated_ || evaluated;
    if (evaluated) verdicts->HealthyRun();  // Of all that did not fire this time.
    if (!evaluated_)
      verdicts->TooLittle(
          "no system metrics and no timeline were saved; add --profile "
          "timeline");
  }

  // What the brief rule finds, or `evaluation` if the run is too short even for that.
  static Evaluation ConsiderBriefly(int64_t now_us, const Evaluation& evaluation, Part* part) {
    Evaluation brief = Part::ScanningOf(*part->brief).Consider(now_us);
    if (!brief.not_evaluated.empty()) return evaluation;
    part->note = fmt::format("Short run: {} data points were ignored at the start instead of {}.",
                             kBriefPatience, PatienceOf(*part->spec)->default_text);
    for (Firing& firing : brief.firings) {
      firing.evidence.what +=
          fmt::format(" (short run: {} data points ignored at the start)", kBriefPatience);
    }
    return brief;
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

  std::vector<Part> parts_;
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
    auto own = Params::Read(entry.spec->name, entry.spec->params, given);
    if (!own.ok()) return own.status();
    auto rule = entry.make(own.value());
    if (!rule.ok()) return rule.status();
    parts.push_back({entry.spec, std::move(rule.value())});
    // Whoever sets a patience wants that one.
    if (PatienceOf(*entry.spec) == nullptr || given.contains("patience")) continue;
    given["patience"] = std::to_string(kBriefPatience);
    own = Params::Read(entry.spec->name, entry.spec->params, given);
    if (!own.ok()) return own.status();
    auto brief = entry.make(own.value());
    if (!brief.ok()) return brief.status();
    parts.back().brief = std::move(brief.value());
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
