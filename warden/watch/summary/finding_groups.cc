#include "warden/watch/summary/finding_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace warden::watch {
namespace {

using rules::Finding;
using rules::RuleReport;

constexpr std::array<std::string_view, 2> kBreaksNumbers = {"ExplodingTensor", "NaNOrigin"};
constexpr std::array<std::string_view, 6> kStopsLearning = {
    "DeadRelu",        "LossNotDecreasing", "SaturatedActivation",
    "UnchangedTensor", "VanishingGradient", "StalledTrainingRule",
};

// 0 is the worst.
int SeverityRank(std::string_view rule) {
  const auto in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), rule) != names.end();
  };
  return in(kBreaksNumbers) ? 0 : in(kStopsLearning) ? 1 : 2;
}

// How far the value is from its threshold, in whichever direction. Never NaN, which has no order.
double ThresholdDistance(const Finding& finding) {
  const double value = std::abs(finding.value);
  const double threshold = std::abs(finding.threshold);
  if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
  if (threshold == 0 || !std::isfinite(threshold)) return value;
  return value == 0 ? std::numeric_limits<double>::infinity()
                    : std::abs(std::log(value / threshold));
}

FindingGroup MakeGroup(const RuleReport& report, std::vector<const Finding*> findings) {
  FindingGroup group{&report, std::move(findings)};
  std::sort(group.findings.begin(), group.findings.end(), [](const Finding* a, const Finding* b) {
    if (ShownBefore(*a, *b) != ShownBefore(*b, *a)) return ShownBefore(*a, *b);
    return std::tie(a->tensor, a->worker, a) < std::tie(b->tensor, b->worker, b);
  });
  group.first_step = group.findings.front()->step;
  std::set<std::string_view> tensors;
  for (const Finding* finding : group.findings) {
    if (!finding->tensor.empty()) tensors.insert(finding->tensor);
    group.last_step = std::max(group.last_step, finding->last_step);
  }
  group.tensors = tensors.size();
  return group;
}

}  // namespace

std::vector<FindingKey> KeysOf(const FindingGroup& group) {
  std::vector<FindingKey> keys;
  for (const Finding* finding : group.findings) keys.emplace_back(group.report->name, finding->id);
  return keys;
}

bool ShownBefore(const Finding& a, const Finding& b) {
  return std::pair(a.step, -ThresholdDistance(a)) < std::pair(b.step, -ThresholdDistance(b));
}

std::vector<FindingGroup> GroupFindings(const std::vector<RuleReport>& reports) {
  std::vector<FindingGroup> groups;
  for (const RuleReport& report : reports) {
    if (report.shadow) continue;
    // A value above its limit has another cause than one below, and so has one with other advice.
    std::map<std::pair<std::string_view, bool>, std::vector<const Finding*>> causes;
    for (const Finding& finding : report.findings) {
      causes[{finding.advice, finding.value < finding.threshold}].push_back(&finding);
    }
    for (auto& [cause, findings] : causes) {
      groups.push_back(MakeGroup(report, std::move(findings)));
    }
  }
  std::sort(groups.begin(), groups.end(), [](const FindingGroup& a, const FindingGroup& b) {
    const auto key = [](const FindingGroup& group) {
      return std::tuple(SeverityRank(group.report->rule), group.first_step,
                        std::string_view(group.report->name));
    };
    return key(a) < key(b);
  });
  return groups;
}

std::string CauseOf(const Finding& finding) {
  std::string_view text = finding.message;
  const std::string name = finding.tensor + ": ";
  if (!finding.tensor.empty() && text.starts_with(name)) text.remove_prefix(name.size());
  const std::string when = finding.time_s != 0 ? fmt::format(" at {}", rules::BeginText(finding))
                                               : fmt::format(" at step {}", finding.step);
  text = text.substr(0, text.rfind(when));
  if (text.ends_with(',')) text.remove_suffix(1);
  return std::string(text);
}

std::string PlaceOf(const Finding& finding) {
  // Most runs have one worker and one node.
  const bool usual =
      finding.worker.empty() || finding.worker == "worker_0" || finding.worker == "algo-1";
  if (usual) return finding.tensor;
  return fmt::format("{}{}[{}]", finding.tensor, finding.tensor.empty() ? "" : " ", finding.worker);
}

}  // namespace warden::watch
