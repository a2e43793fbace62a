#include "warden/report/profiler/profiler_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

// Rules that describe the run and find nothing, so that their evaluation says nothing about it.
constexpr std::string_view kDescribing[] = {"OverallSystemUsage", "OverallFrameworkMetrics"};
// Without these, too little is known to say that nothing is wrong.
constexpr std::string_view kKeyRules[] = {"CPUBottleneck", "IOBottleneck", "StepOutlier"};

bool IsAmong(std::string_view rule, std::span<const std::string_view> rules) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

// What to say where no rule advises anything.
Paragraph NothingToAdvise(const ProfilerInputs& inputs) {
  int64_t able = 0;  // To find problems.
  int64_t evaluated = 0;
  std::string missing;
  for (const rules::ProfilerResult& result : inputs.results) {
    if (IsAmong(result.rule, kDescribing)) continue;
    ++able;
    if (result.not_evaluated.empty()) {
      ++evaluated;
    } else if (IsAmong(result.rule, kKeyRules)) {
      missing += (missing.empty() ? "" : ", ") + result.rule;
    }
  }
  if (able == 0) return {"This report shows where the time went; it does not look for problems."};
  if (missing.empty()) {
    return {fmt::format("No problems found ({} checked).", Counted(evaluated, "rule", "rules")),
            Tone::kGood};
  }
  return {
      fmt::format("Too little data to tell: {} of {} rules found no problems; {} could not be "
                  "evaluated.",
                  evaluated, able, missing)};
}

// What to say where there is nothing to advise, and what could not be evaluated.
std::vector<Paragraph> NoAdvice(const ProfilerInputs& inputs, bool any_advice) {
  std::vector<Paragraph> text;
  std::vector<std::string> silent;
  for (const rules::ProfilerResult& result : inputs.results) {
    if (!result.not_evaluated.empty()) silent.push_back(result.rule);
  }
  if (silent.size() == inputs.results.size()) {
    text.push_back({"No rule could be evaluated yet; the sections below say why.", Tone::kQuiet});
    return text;
  }
  if (!any_advice) text.push_back(NothingToAdvise(inputs));
  if (any_advice) {
    text.push_back(
        {"Percentages are upper limits if nothing else changes. Gains overlap, so they do not add "
         "up.",
         Tone::kQuiet});
  }
  if (!silent.empty()) {
    std::string names;
    for (const std::string& name : silent) names += (names.empty() ? "" : ", ") + name;
    text.push_back({fmt::format("Not evaluated: {}.", names), Tone::kQuiet});
  }
  return text;
}

// Sections about one rule each, in their order.
struct RuleSection {
  std::string_view rule;
  Section (*build)(const ProfilerInputs&);
};
constexpr RuleSection kRuleSections[] = {
    {"StepOutlier", StepsSection},         {"LowGPUUtilization", GpuUseSection},
    {"LoadBalancing", BalanceSection},     {"Dataloader", LoadingSection},
    {"BatchSize", BatchSection},           {"CPUBottleneck", CpuBottleneckSection},
    {"IOBottleneck", IoBottleneckSection}, {"GPUMemoryIncrease", GpuMemorySection}};

std::string Subtitle(const JobFacts& job) {
  if (job.name.empty()) return job.folder;
  return job.name;
}

}  // namespace

Report BuildProfilerReport(const ProfilerInputs& inputs) {
  Report report;
  report.title = "Profiling report";
  report.subtitle = Subtitle(inputs.job);
  report.still_running = inputs.job.still_running;
  report.written_at = UtcTime(inputs.job.written_at);
  report.first = WhatToDoFirst(inputs);
  report.no_advice = NoAdvice(inputs, !report.first.empty());
  report.sections = {JobSection(inputs), SystemSection(inputs), FrameworkSection(inputs),
                     RulesSection(inputs)};
  if (!inputs.ranks.empty())
    report.sections.push_back(RanksSection(inputs.ranks, inputs.rank_maps));
  for (const auto& [rule, build] : kRuleSections) {
    // A rule such as DetailedProfilerProcessing runs only some of them.
    if (inputs.results.empty() || FindResult(inputs, rule) != nullptr) {
      report.sections.push_back(build(inputs));
    }
  }
  return report;
}

}  // namespace warden::report
