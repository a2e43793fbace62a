#include "warden/report/profiler/profiler_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

// What to say where there is nothing to advise, and what could not be evaluated.
std::vector<Paragraph> NoAdvice(const ProfilerInputs& inputs, bool any_advice) {
  std::vector<Paragraph> text;
  std::vector<std::string> silent;
  for (const rules::ProfilerResult& result : inputs.results) {
    if (!result.not_evaluated.empty()) silent.push_back(result.rule);
  }
  const size_t evaluated = inputs.results.size() - silent.size();
  if (evaluated == 0) {
    text.push_back({"No rule could be evaluated yet; the sections below say why.", Tone::kQuiet});
    return text;
  }
  if (!any_advice) {
    text.push_back({fmt::format("No problems found ({} checked).",
                                Counted(static_cast<int64_t>(evaluated), "rule", "rules")),
                    Tone::kGood});
  }
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
  report.sections = {
      JobSection(inputs),           SystemSection(inputs),       FrameworkSection(inputs),
      RulesSection(inputs),         StepsSection(inputs),        GpuUseSection(inputs),
      BalanceSection(inputs),       LoadingSection(inputs),      BatchSection(inputs),
      CpuBottleneckSection(inputs), IoBottleneckSection(inputs), GpuMemorySection(inputs)};
  return report;
}

}  // namespace warden::report
