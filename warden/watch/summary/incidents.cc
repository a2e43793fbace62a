#include "warden/watch/summary/incidents.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "warden/base/json.h"

namespace warden::watch {
namespace {

using rules::RuleReport;

// What a rule's findings are about. Findings explain each other only within one subject.
enum class Subject : uint8_t { kNumbers, kMachine, kAlone };

struct Standing {
  std::string_view rule;
  Subject subject;
  int rank;  // Lower ones explain higher ones.
  Severity severity = Severity::kProblem;
};

constexpr Standing kStandings[] = {
    // What the script does is known for certain.
    {"OptimizerCoverage", Subject::kNumbers, 0},
    {"GradientsNotCleared", Subject::kNumbers, 0},
    {"LossInputs", Subject::kNumbers, 0},
    {"FrozenLayer", Subject::kNumbers, 1},
    {"InputScale", Subject::kNumbers, 1},
    {"ConstantWeights", Subject::kNumbers, 1},
    // These look for the reason themselves.
    {"Divergence", Subject::kNumbers, 2},
    {"DeadUnits", Subject::kNumbers, 2},
    {"SaturatedUnits", Subject::kNumbers, 2},
    {"NotLearning", Subject::kNumbers, 4},
    {"GradientFlow", Subject::kNumbers, 4},
    {"CollapsedPredictions", Subject::kNumbers, 5},
    {"NaNOrigin", Subject::kNumbers, 3},
    // On their own they hurt nothing else.
    {"EvaluationMode", Subject::kAlone, 0},
    {"GraphsKeptAlive", Subject::kAlone, 0},
    {"Overfitting", Subject::kAlone, 0, Severity::kWarning},
    {"SlowDataLoader", Subject::kMachine, 0, Severity::kWarning},
    {"IOBottleneck", Subject::kMachine, 1, Severity::kWarning},
    {"CPUBottleneck", Subject::kMachine, 1, Severity::kWarning},
    {"LowGPUUtilization", Subject::kMachine, 2, Severity::kWarning},
    {"LoadBalancing", Subject::kMachine, 2, Severity::kWarning},
    {"GPUMemoryIncrease", Subject::kAlone, 0, Severity::kWarning},
    {"ReplicaDesync", Subject::kAlone, 0},
    {"StalledTrainingRule", Subject::kAlone, 0},
    {"BatchSize", Subject::kMachine, 3, Severity::kWarning},
    {"Dataloader", Subject::kMachine, 3, Severity::kWarning},
    {"MaxInitializationTime", Subject::kAlone, 0, Severity::kWarning},
    {"OverallFrameworkMetrics", Subject::kMachine, 3, Severity::kWarning},
    {"OverallSystemUsage", Subject::kMachine, 3, Severity::kWarning},
    {"StepOutlier", Subject::kAlone, 0, Severity::kWarning},
};
// Rules that show how a problem spreads through tensors.
constexpr std::string_view kSymptoms[] = {
    "AllZero",           "DeadRelu",        "ExplodingTensor",     "GradientNormSpike",
    "LossNotDecreasing", "LossSpike",       "SaturatedActivation", "PoorWeightInitialization",
    "TensorVariance",    "UnchangedTensor", "VanishingGradient",   "WeightUpdateRatio",
};
constexpr Standing kSymptom = {"", Subject::kNumbers, 6};
// Of custom rules nobody knows what explains them.
constexpr Standing kUnknown = {"", Subject::kAlone, 6};

const Standing& StandingOf(const FindingGroup& group) {
  const auto* found =
      std::find_if(std::begin(kStandings), std::end(kStandings),
                   [&](const Standing& one) { return one.rule == group.report->rule; });
  if (found != std::end(kStandings)) return *found;
  const bool symptom = std::find(std::begin(kSymptoms), std::end(kSymptoms), group.report->rule) !=
                       std::end(kSymptoms);
  return symptom ? kSymptom : kUnknown;
}

// A total order: what is known for certain first, then what began first.
bool IsMoreCertain(const FindingGroup& a, const FindingGroup& b) {
  const auto key = [](const FindingGroup& group) {
    return std::tuple(StandingOf(group).rank, group.first_step,
                      std::string_view(group.report->name),
                      std::string_view(group.findings.front()->advice));
  };
  return key(a) < key(b);
}

// How many steps before its finding a cause may have acted: rules wait until they are sure.
Step LookBack(const Standing& cause) {
  if (cause.rank <= 1) return std::numeric_limits<Step>::max();
  return cause.rank <= 4 ? 200 : 20;
}

bool Explains(const FindingGroup& cause, const FindingGroup& other) {
  const Standing& a = StandingOf(cause);
  const Standing& b = StandingOf(other);
  if (a.subject != b.subject || a.subject == Subject::kAlone) return false;
  if (a.rank == 0 && b.rank == 0) return false;  // Two mistakes in the script.
  return cause.first_step <= LookBack(a) || other.first_step >= cause.first_step - LookBack(a);
}

}  // namespace

std::string_view SeverityName(Severity severity) {
  return severity == Severity::kProblem ? "problem" : "warning";
}

std::vector<Incident> FindIncidents(const std::vector<RuleReport>& reports) {
  std::vector<FindingGroup> groups = GroupFindings(reports);
  std::sort(groups.begin(), groups.end(), IsMoreCertain);
  std::vector<Incident> incidents;
  for (FindingGroup& group : groups) {
    const auto cause = std::find_if(incidents.begin(), incidents.end(), [&](const Incident& one) {
      return Explains(one.cause, group);
    });
    if (cause == incidents.end()) {
      const Severity severity = StandingOf(group).severity;
      incidents.push_back({severity, std::move(group), {}});
    } else {
      cause->effects.push_back(std::move(group));
    }
  }
  for (Incident& incident : incidents) {
    std::sort(incident.effects.begin(), incident.effects.end(),
              [](const FindingGroup& a, const FindingGroup& b) {
                return std::tie(a.first_step, a.report->name) <
                       std::tie(b.first_step, b.report->name);
              });
  }
  std::sort(incidents.begin(), incidents.end(), [](const Incident& a, const Incident& b) {
    return a.severity != b.severity ? a.severity < b.severity : IsMoreCertain(a.cause, b.cause);
  });
  return incidents;
}

std::string HeadlineOf(const Incident& incident) {
  const rules::Finding& first = *incident.cause.findings.front();
  const std::string place = PlaceOf(first);
  return fmt::format("{}{}{}", place, place.empty() ? "" : ": ", CauseOf(first));
}

Json ToJson(const std::vector<Incident>& incidents) {
  Json list = Json::array();
  for (const Incident& incident : incidents) {
    Json effects = Json::array();
    for (const FindingGroup& group : incident.effects) {
      effects.push_back({{"rule", group.report->name},
                         {"step", group.first_step},
                         {"findings", group.findings.size()}});
    }
    list.push_back({{"severity", SeverityName(incident.severity)},
                    {"rule", incident.cause.report->name},
                    {"headline", HeadlineOf(incident)},
                    {"step", incident.cause.first_step},
                    {"last_step", incident.cause.last_step},
                    {"advice", incident.cause.findings.front()->advice},
                    {"effects", std::move(effects)}});
  }
  return list;
}

}  // namespace warden::watch
