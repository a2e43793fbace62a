#include "warden/watch/summary/incidents.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "warden/base/json.h"

namespace warden::watch {
namespace {

using rules::Confidence;
using rules::RuleReport;
using rules::Severity;

// What a rule's findings are about. Findings explain each other only within one subject.
enum class Subject : uint8_t { kNumbers, kMachine, kAlone };

struct Standing {
  std::string_view rule;
  Subject subject;
  int rank;  // Lower ones explain higher ones.
  Confidence confidence;
};

constexpr std::string_view kLoaderRule = "SlowDataLoader";

constexpr Standing kStandings[] = {
    // What the script does is known for certain.
    {"OptimizerCoverage", Subject::kNumbers, 0, Confidence::kHigh},
    {"GradientsNotCleared", Subject::kNumbers, 0, Confidence::kHigh},
    {"LossInputs", Subject::kNumbers, 0, Confidence::kHigh},
    {"FrozenLayer", Subject::kNumbers, 1, Confidence::kHigh},
    {"InputScale", Subject::kNumbers, 1, Confidence::kMedium},
    {"ConstantWeights", Subject::kNumbers, 1, Confidence::kHigh},
    // These look for the reason themselves.
    {"Divergence", Subject::kNumbers, 2, Confidence::kMedium},
    {"DeadUnits", Subject::kNumbers, 2, Confidence::kMedium},
    {"SaturatedUnits", Subject::kNumbers, 2, Confidence::kMedium},
    {"NotLearning", Subject::kNumbers, 4, Confidence::kMedium},
    {"GradientFlow", Subject::kNumbers, 4, Confidence::kMedium},
    {"CollapsedPredictions", Subject::kNumbers, 5, Confidence::kLow},
    {"OutsideBaseline", Subject::kNumbers, 5, Confidence::kLow},
    {"NaNOrigin", Subject::kNumbers, 3, Confidence::kMedium},
    {"HalfPrecisionRange", Subject::kNumbers, 3, Confidence::kMedium},
    // On their own they hurt nothing else.
    {"EvaluationMode", Subject::kAlone, 0, Confidence::kHigh},
    {"GraphsKeptAlive", Subject::kAlone, 0, Confidence::kHigh},
    {"Overfitting", Subject::kAlone, 0, Confidence::kMedium},
    {kLoaderRule, Subject::kMachine, 0, Confidence::kHigh},
    {"StragglerRank", Subject::kAlone, 0, Confidence::kHigh},
    {"IOBottleneck", Subject::kMachine, 1, Confidence::kLow},
    {"CPUBottleneck", Subject::kMachine, 1, Confidence::kLow},
    {"LowGPUUtilization", Subject::kMachine, 2, Confidence::kLow},
    {"LoadBalancing", Subject::kMachine, 2, Confidence::kLow},
    {"GPUMemoryIncrease", Subject::kAlone, 0, Confidence::kLow},
    {"ReplicaDesync", Subject::kAlone, 0, Confidence::kHigh},
    {"StalledTrainingRule", Subject::kAlone, 0, Confidence::kLow},
    {"BatchSize", Subject::kMachine, 3, Confidence::kLow},
    {"Dataloader", Subject::kMachine, 3, Confidence::kLow},
    {"MaxInitializationTime", Subject::kAlone, 0, Confidence::kLow},
    {"OverallFrameworkMetrics", Subject::kMachine, 3, Confidence::kLow},
    {"OverallSystemUsage", Subject::kMachine, 3, Confidence::kLow},
    {"StepOutlier", Subject::kAlone, 0, Confidence::kLow},
};
// Rules that show how a problem spreads through tensors.
constexpr std::string_view kSymptoms[] = {
    "AllZero",           "DeadRelu",        "ExplodingTensor",     "GradientNormSpike",
    "LossNotDecreasing", "LossSpike",       "SaturatedActivation", "PoorWeightInitialization",
    "TensorVariance",    "UnchangedTensor", "VanishingGradient",   "WeightUpdateRatio",
};
constexpr Standing kSymptom = {"", Subject::kNumbers, 6, Confidence::kLow};
// Of custom rules nobody knows what explains them.
constexpr Standing kUnknown = {"", Subject::kAlone, 6, Confidence::kMedium};

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

// As its first finding says, or else as findings of such a rule usually are.
Confidence ConfidenceOf(const FindingGroup& group) {
  return group.findings.front()->confidence.value_or(StandingOf(group).confidence);
}

// The worst of its findings.
Severity SeverityOf(const FindingGroup& group) {
  Severity worst = Severity::kNote;
  for (const rules::Finding* finding : group.findings) worst = std::min(worst, finding->severity);
  return worst;
}

constexpr size_t kMostPlaces = 5;
// Rules whose tensors are layers that go bad one after the other.
constexpr std::string_view kByLayer[] = {"DeadRelu",        "DeadUnits",
                                         "ExplodingTensor", "SaturatedActivation",
                                         "SaturatedUnits",  "VanishingGradient"};

// "fc1, fc2 (step 14)", "12 tensors (step 14)".
std::string PlacesText(const std::vector<std::string_view>& tensors, Step step) {
  return tensors.size() > 2 ? fmt::format("{} tensors (step {})", tensors.size(), step)
                            : fmt::format("{} (step {})", fmt::join(tensors, ", "), step);
}

// By the steps at which its tensors went bad; empty if that was at once.
std::vector<std::string> SpreadOfTensors(const FindingGroup& group) {
  if (std::find(std::begin(kByLayer), std::end(kByLayer), group.report->rule) ==
      std::end(kByLayer)) {
    return {};
  }
  std::map<Step, std::vector<std::string_view>> by_step;
  std::set<std::string_view> known;
  for (const rules::Finding* finding : group.findings) {
    if (known.insert(finding->tensor).second) by_step[finding->step].push_back(finding->tensor);
  }
  std::vector<std::string> places;
  if (by_step.size() < 2) return places;
  for (const auto& [step, tensors] : by_step) {
    if (places.size() == kMostPlaces) {
      places.emplace_back("more");
      break;
    }
    places.push_back(PlacesText(tensors, step));
  }
  return places;
}

// As a rule has followed it.
std::vector<std::string> SpreadOfFindings(const FindingGroup& group) {
  for (const rules::Finding* finding : group.findings) {
    if (!finding->spread.empty()) return finding->spread;
  }
  return {};
}

// Each reads a few files. Nobody looks at more incidents than that.
constexpr size_t kMostLookUps = 20;

// At the first step of the cause.
std::vector<MachineFact> FactsAt(const FindingGroup& cause, MachineLog* machine) {
  const rules::Finding& first = *cause.findings.front();
  std::vector<MachineFact> facts;
  if (machine != nullptr) {
    facts = machine->Around(first.time_s != 0 ? first.time_s : first.wall_time);
  }
  const bool starves = first.loader_share.value_or(0) >= kSlowLoaderShare;
  // That rule says it itself.
  if (starves && cause.report->rule != kLoaderRule) {
    facts.push_back(SlowLoaderFact(*first.loader_share));
  }
  return facts;
}

}  // namespace

size_t Incident::findings() const {
  size_t count = cause.findings.size();
  for (const FindingGroup& group : effects) count += group.findings.size();
  return count;
}

std::vector<FindingKey> Incident::keys() const {
  std::vector<FindingKey> all = KeysOf(cause);
  for (const FindingGroup& group : effects) {
    const std::vector<FindingKey> keys = KeysOf(group);
    all.insert(all.end(), keys.begin(), keys.end());
  }
  return all;
}

std::vector<Incident> FindIncidents(const std::vector<RuleReport>& reports, MachineLog* machine) {
  std::vector<FindingGroup> groups = GroupFindings(reports);
  std::sort(groups.begin(), groups.end(), IsMoreCertain);
  std::vector<Incident> incidents;
  for (FindingGroup& group : groups) {
    const auto cause = std::find_if(incidents.begin(), incidents.end(), [&](const Incident& one) {
      return Explains(one.cause, group);
    });
    if (cause == incidents.end()) {
      const Severity severity = SeverityOf(group);
      const Confidence confidence = ConfidenceOf(group);
      incidents.push_back({severity, confidence, std::move(group), {}});
    } else {
      cause->severity = std::min(cause->severity, SeverityOf(group));
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
  size_t count = 0;
  for (Incident& incident : incidents) {
    incident.machine = FactsAt(incident.cause, count++ < kMostLookUps ? machine : nullptr);
  }
  return incidents;
}

std::vector<std::string> SpreadOf(const Incident& incident) {
  std::vector<std::string> places = SpreadOfFindings(incident.cause);
  for (const FindingGroup& group : incident.effects) {
    // An effect that began before the cause does not show how the cause spread.
    if (group.first_step < incident.cause.first_step) continue;
    if (places.empty()) places = SpreadOfFindings(group);
  }
  return places.empty() ? SpreadOfTensors(incident.cause) : places;
}

std::string HeadlineOf(const Incident& incident) {
  const rules::Finding& first = *incident.cause.findings.front();
  const std::string place = PlaceOf(first);
  return fmt::format("{}{}{}", place, place.empty() ? "" : ": ", CauseOf(first));
}

Json ToJson(const Incident& incident) {
  const rules::Finding& first = *incident.cause.findings.front();
  Json effects = Json::array();
  for (const FindingGroup& group : incident.effects) {
    effects.push_back({{"rule", group.report->name},
                       {"since", rules::BeginText(*group.findings.front())},
                       {"step", group.first_step},
                       {"finding", group.findings.front()->id},
                       {"tensors", group.tensors},
                       {"findings", group.findings.size()}});
  }
  Json json = {{"severity", SeverityName(incident.severity)},
               {"confidence", ConfidenceName(incident.confidence)},
               {"rule", incident.cause.report->name},
               {"headline", HeadlineOf(incident)},
               {"since", rules::BeginText(first)},
               {"step", incident.cause.first_step},
               {"last_step", incident.cause.last_step},
               {"advice", first.advice},
               {"doc", incident.cause.report->doc},
               {"finding", first.id},
               {"tensors", incident.cause.tensors},
               {"findings", incident.findings()},
               {"effects", std::move(effects)}};
  if (first.optimizer_step) json["optimizer_step"] = *first.optimizer_step;
  if (first.epoch) json["epoch"] = *first.epoch;
  if (auto spread = SpreadOf(incident); !spread.empty()) json["spread"] = std::move(spread);
  if (!incident.machine.empty()) {
    Json& machine = json["machine"] = Json::array();
    for (const MachineFact& fact : incident.machine) machine.push_back(ToJson(fact));
  }
  return json;
}

Json ToJson(const std::vector<Incident>& incidents) {
  Json list = Json::array();
  for (const Incident& incident : incidents) list.push_back(ToJson(incident));
  return list;
}

}  // namespace warden::watch
