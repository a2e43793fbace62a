#ifndef WARDEN_RULES_ENGINE_REPORT_H_
#define WARDEN_RULES_ENGINE_REPORT_H_

// The state of a rule in an engine, and its report as others see it. The engine owns the states;
// the CLI prints reports, Records writes them to status.json, the dashboard reads that.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/finding.h"
#include "warden/rules/param.h"
#include "warden/rules/rule.h"
#include "warden/rules/verdicts.h"

namespace warden::rules {

// As in the SageMaker API. The engine sets the first five; the other two exist for their names.
enum class RuleStatus : uint8_t {
  kInProgress,     // More steps may come, and nothing was found so far.
  kNoIssuesFound,  // The run is over and healthy.
  kIssuesFound,    // There is at least one finding, open or ended.
  kNotEvaluated,   // It never had anything to check; the reason says why.
  kError,          // It failed and stopped; the reason says why.
  kStopping,       // A stop was requested.
  kStopped,        // It was stopped before it had a result.
};
// "InProgress", "NoIssuesFound", ...: stable, used in JSON and by the API.
std::string_view StatusName(RuleStatus status);

// A rule at work on a run. Belongs to the engine, whose callers may read it, on its thread.
struct RuleState {
  RuleConfig config;
  const RuleSpec* spec = nullptr;  // See PreparedRule.
  Params params;
  std::unique_ptr<Rule> rule;
  Verdicts verdicts;                   // What it found so far.
  ProfilerRule* profiler = nullptr;    // `rule` itself, if it is one of those.
  std::vector<Selector> inputs = {};   // As Rule::inputs() returned them.
  std::vector<size_t> selectors = {};  // Of each input, its number among those of all rules.
  Step start_step = 0;                 // First global step to check.
  std::optional<Step> end_step = {};   // Excluded; none: to the end.
  Status error = {};                   // Not ok: the rule stopped with it.
  bool finished = false;               // Checks nothing more: an error, or stop_at_first_finding.
  bool told_silence = false;           // Silence() was called since the last step.
  bool ended = false;                  // End() was called: no more steps will come.
};

// What a rule has to say of a run. A value that does not refer to the engine.
struct RuleReport {
  std::string name;  // RuleConfig::name.
  std::string rule;  // RuleSpec::name.
  RuleStatus status = RuleStatus::kInProgress;
  std::string reason;  // Of kNotEvaluated and kError; else empty.
  std::vector<std::pair<std::string, std::string>> parameters;  // Params::texts().
  Coverage coverage;
  std::vector<Finding> findings;
  std::vector<std::string> notes;
  std::string doc;  // What it means when this rule fires.
};

// The report of a rule as things stand. ever_matched: whether any tensor of the run was one of the
// rule's inputs. ended: no more steps will come.
RuleReport ReportOf(const RuleState& rule, bool ever_matched, bool ended);

// {"name", "rule", "status", "reason", "parameters", "coverage": {"tensors", "steps"}, "findings",
// "notes"}. Findings as in finding.h; parameters are an object of texts.
Json ToJson(const RuleReport& report);

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_REPORT_H_
