#include "warden/rules/profiler/framework_breakdown.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/rules/profiler/value_distribution.h"

namespace warden::rules {
namespace {

using timeline::NameId;
using timeline::Names;

constexpr size_t kMostNames = 200;
constexpr double kLeastPercent = 2;

using Times = std::unordered_map<NameId, double>;
using Row = std::pair<std::string, double>;

double Total(const Times& times) {
  double total = 0;
  for (const auto& [id, us] : times) total += us;
  return total;
}

// The longest first.
std::vector<Row> Longest(const Times& times, const Names& names) {
  std::vector<Row> rows;
  rows.reserve(times.size());
  for (const auto& [id, us] : times) rows.emplace_back(names.Text(id), us);
  const auto before = [](const Row& a, const Row& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  };
  const auto end = rows.begin() + std::min(std::ssize(rows), static_cast<ptrdiff_t>(kMostNames));
  std::partial_sort(rows.begin(), end, rows.end(), before);
  rows.erase(end, rows.end());
  return rows;
}

Json Percent(double part, double whole) { return Rounded(whole > 0 ? 100 * part / whole : 0); }

Json Microseconds(double us) { return std::llround(std::min(us, 9e18)); }

Json Percentages(const std::vector<Row>& rows, double total, double least) {
  Json json = Json::object();
  for (const auto& [name, us] : rows) {
    if (total > 0 && 100 * us / total >= least) json[name] = Percent(us, total);
  }
  return json;
}

Json Totals(const std::vector<Row>& rows) {
  Json json = Json::object();
  for (const auto& [name, us] : rows) json[name] = Microseconds(us);
  return json;
}

}  // namespace

FrameworkBreakdown::Phase& FrameworkBreakdown::PhaseOf(const timeline::Span& span,
                                                       const Names& names) {
  const uint64_t horovod = span.source == timeline::Source::kHorovod ? 1 : 0;
  const auto [found, is_new] = phases_.try_emplace(uint64_t{span.phase} << 1 | horovod);
  Phase& phase = found->second;
  if (is_new) {
    phase.kind = KindOf(names.Text(span.phase), span.source);
    if (phase.kind == SpanKind::kStep) phase.mode = StepModeOf(names.Text(span.phase));
  }
  return phase;
}

void FrameworkBreakdown::Operators::Add(const timeline::Span& span, double us) {
  total[span.name] += us;
  const SelfTime own = nesting.Add(span, us);
  self[span.name] += own.us;
  if (own.outer_less_us > 0) self[own.outer] -= own.outer_less_us;
}

void FrameworkBreakdown::Add(const timeline::Span& span, const Names& names, double us) {
  Phase& phase = PhaseOf(span, names);
  phase.us += us;
  kinds_[static_cast<size_t>(phase.kind)] += us;
  switch (phase.kind) {
    case SpanKind::kStep: {
      Steps& steps = steps_[ModeIndex(*phase.mode)];
      ++steps.count;
      steps.us += us;
      break;
    }
    case SpanKind::kCpuOperator: cpu_.Add(span, us); break;
    case SpanKind::kGpuOperator: gpu_.Add(span, us); break;
    case SpanKind::kHorovod: horovod_[span.name] += us; break;
    case SpanKind::kOther: general_[span.name] += us; break;
    case SpanKind::kForward:
    case SpanKind::kBackward:
    case SpanKind::kOptimizer:
    case SpanKind::kDataLoading: break;
  }
}

Json FrameworkBreakdown::Ratio() const {
  Json ratio = Json::object();
  double total = between_steps_;
  for (const Steps& steps : steps_) total += steps.us;
  for (const Mode mode : kAllModes) {
    const Steps& steps = steps_[ModeIndex(mode)];
    if (steps.count > 0) ratio[std::string(ModeName(mode))] = Percent(steps.us, total);
  }
  if (!ratio.empty() || between_steps_ > 0) ratio["others"] = Percent(between_steps_, total);
  return ratio;
}

Json FrameworkBreakdown::ForwardBackward() const {
  constexpr std::pair<SpanKind, const char*> kNames[] = {{SpanKind::kForward, "Forward"},
                                                         {SpanKind::kBackward, "Backward"},
                                                         {SpanKind::kOptimizer, "Optimizer"},
                                                         {SpanKind::kDataLoading, "DataLoader"}};
  double total = 0;
  for (const auto& [kind, name] : kNames) total += kinds_[static_cast<size_t>(kind)];
  Json json = Json::object();
  for (const auto& [kind, name] : kNames) {
    const double us = kinds_[static_cast<size_t>(kind)];
    if (us > 0) json[name] = Percent(us, total);
  }
  return json;
}

Json FrameworkBreakdown::StepsByMode() const {
  Json json = Json::object();
  for (const Mode mode : kAllModes) {
    const Steps& steps = steps_[ModeIndex(mode)];
    if (steps.count == 0) continue;
    json[std::string(ModeName(mode))] = {{"count", steps.count}, {"us", Microseconds(steps.us)}};
  }
  return json;
}

void FrameworkBreakdown::AppendTo(const Names& names, Json* details) const {
  Times phases;
  for (const auto& [key, phase] : phases_) phases[static_cast<NameId>(key >> 1)] += phase.us;
  const auto longest_phases = Longest(phases, names);
  const auto cpu = Longest(cpu_.self, names);
  const auto gpu = Longest(gpu_.self, names);
  const double cpu_self = Total(cpu_.self);
  const double gpu_self = Total(gpu_.self);
  Json& json = *details;
  json["phase_time"] = Totals(longest_phases);
  json["phase"] = Percentages(longest_phases, Total(phases), 0);
  json["ratio"] = Ratio();
  json["forward_backward"] = ForwardBackward();
  json["CPU"] = Percentages(cpu, cpu_self, kLeastPercent);
  json["CPU_total"] = Totals(Longest(cpu_.total, names));
  json["CPU_self"] = Totals(cpu);
  json["GPU"] = Percentages(gpu, gpu_self, kLeastPercent);
  json["GPU_total"] = Totals(Longest(gpu_.total, names));
  json["GPU_self"] = Totals(gpu);
  json["CPU_GPU"] = Json::object();
  if (cpu_self + gpu_self > 0) {
    json["CPU_GPU"]["cpu_functions"] = Percent(cpu_self, cpu_self + gpu_self);
    json["CPU_GPU"]["gpu_functions"] = Percent(gpu_self, cpu_self + gpu_self);
  }
  json["general"] = Percentages(Longest(general_, names), Total(general_), 0);
  json["horovod"] = Percentages(Longest(horovod_, names), Total(horovod_), 0);
  json["steps"] = StepsByMode();
}

}  // namespace warden::rules
