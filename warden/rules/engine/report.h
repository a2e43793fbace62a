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

// As in the SageMaker API, which has no kNotEvaluated: jobs report that as NoIssuesFound, with the
// reason as details. The engine sets the first five; the other two exist for their names.
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
  // See PreparedRule: never null, valid as long as `rule`.
  const RuleSpec* spec = nullptr;
  Params params;
  std::unique_ptr<Rule> rule;
  Verdicts verdicts;                  // What it found so far.
  ProfilerRule* profiler = nullptr;   // `rule` itself, if it is one of those.
  std::vector<Selector> inputs = {};  // As Rule::inputs() returned them.
  // Of each input, its number among those of all rules: rules with equal inputs share the matching.
  std::vector<size_t> selectors = {};
  Step start_step = 0;                // First global step to check.
  std::optional<Step> end_step = {};  // Excluded; none: to the end.
  // Not ok: the rule stopped with it. Findings from before are kept and reported.
  Status error = {};
  bool finished = false;      // Checks nothing more: an error, or stop_at_first_finding.
  bool told_silence = false;  // Silence() was called since the last step.
  bool ended = false;         // End() was called: no more steps will come.
};

// What a rule has to say of a run. A value that does not refer to the engine. Findings and notes
// are copies: a report of a long run may be large, so make it when it is shown, not at each step.
struct RuleReport {
  std::string name;  // RuleConfig::name.
  std::string rule;  // RuleSpec::name.
  RuleStatus status = RuleStatus::kInProgress;
  // Of kNotEvaluated and kError, for people: "no profiling data was saved; add --profile timeline".
  // Else empty.
  std::string reason;
  std::vector<std::pair<std::string, std::string>> parameters;  // Params::texts().
  // How many tensors and steps were checked so far.
  Coverage coverage;
  std::vector<Finding> findings;
  std::vector<std::string> notes;
  std::string doc;                         // What it means when this rule fires.
  Severity severity = Severity::kProblem;  // RuleSpec::severity.
  bool shadow = false;                     // RuleConfig::shadow.
};

// The report of a rule as things stand. ever_matched: whether any tensor of the run was one of the
// rule's inputs. ended: no more steps will come. An error wins over findings, and findings over all
// else; a rule that found nothing is healthy only if it has checked at least one step, or needs
// neither tensors nor a profile. Called between steps, on the engine's thread.
RuleReport ReportOf(const RuleState& rule, bool ever_matched, bool ended);

// {"name", "rule", "severity", "status", "reason", "parameters", "coverage": {"tensors", "steps"},
// "findings", "notes"} and, of a shadow rule, "shadow": true. Findings as in finding.h; parameters
// are an object of texts.
Json ToJson(const RuleReport& report);
// The reverse, as far as records need it: without `doc`, and of the parameters those that are
// texts. Findings that cannot be read are left out. kCorrupt without a name, a rule or a known
// status.
Result<RuleReport> RuleReportFromJson(const Json& json);

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_REPORT_H_
