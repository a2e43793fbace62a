#ifndef WARDEN_RULES_ENGINE_REPORT_H_
#define WARDEN_RULES_ENGINE_REPORT_H_

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

enum class RuleStatus : uint8_t {
  kInProgress,
  kNoIssuesFound,
  kIssuesFound,
  kNotEvaluated,  // It never found anything to judge; the reason says why.
  kError,
  kStopping,
  kStopped,
};
// "InProgress", ...
std::string_view StatusName(RuleStatus status);

// A rule at work on a run.
struct RuleState {
  RuleConfig config;
  const RuleSpec* spec = nullptr;
  Params params;
  std::unique_ptr<Rule> rule;
  Verdicts verdicts;
  ProfilerRule* profiler = nullptr;  // The rule, if it is one of those.
  std::vector<Selector> inputs = {};
  std::vector<size_t> selectors = {};  // Of each input, its number among those of all rules.
  Step start_step = 0;
  std::optional<Step> end_step = {};  // Excluded.
  Status error = {};                  // Not ok: it ended so.
  bool finished = false;              // Judges no more.
  bool told_silence = false;          // Of the silence that lasts.
  bool ended = false;                 // It was told that no more will come.
};

// What a rule has to say of a run, as others see it.
struct RuleReport {
  std::string name;
  std::string rule;
  RuleStatus status = RuleStatus::kInProgress;
  std::string reason;  // Of NotEvaluated and Error.
  std::vector<std::pair<std::string, std::string>> parameters;
  Coverage coverage;
  std::vector<Finding> findings;
  std::vector<std::string> notes;
  std::string doc;  // What it means when this rule fires.
};

// ever_matched: whether any tensor of the run was one of the rule's inputs. ended: no more will
// come.
RuleReport ReportOf(const RuleState& rule, bool ever_matched, bool ended);

// {"name", "rule", "status", "reason", "parameters", "coverage": {"tensors", "steps"}, "findings",
// "notes"}.
Json ToJson(const RuleReport& report);

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_REPORT_H_
