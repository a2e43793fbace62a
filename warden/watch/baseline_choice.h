#ifndef WARDEN_WATCH_BASELINE_CHOICE_H_
#define WARDEN_WATCH_BASELINE_CHOICE_H_

// What a run is compared with: the rule OutsideBaseline for a baseline that a person asks for.

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/catalog/rule_config.h"

namespace warden::watch {

// The baseline that is the newest good run of the same script.
inline constexpr std::string_view kLastGood = "last-good";

// Where the last good run is looked for.
struct GoodRunSearch {
  std::string folder;  // With runs in it, one or two levels below.
  std::string script;  // trial::RunRecord::Script() of the run that is compared.
  std::string except;  // The folder of that run itself; may be empty.
};
// For a run that `warden run` recorded: runs next to it. kInvalid if its folder does not say which
// command wrote it.
Result<GoodRunSearch> SearchFor(const std::string& run);

// The newest run of the script that is labeled good. If none is: the newest that has no label,
// ended with exit code 0 and has no problems on record; warnings, and what shadow rules found, do
// not count. kNotFound says what was looked for and how to label a run.
Result<std::string> FindLastGoodRun(const GoodRunSearch& search);

// The runs to learn a baseline from: those that are named, and of a folder that contains runs those
// that are labeled good. kInvalid for a run that is labeled bad, for a folder without good runs,
// and for runs of different scripts; kNotFound for a folder that does not exist.
Result<std::vector<std::string>> GoodRunsAmong(const std::vector<std::string>& names);

// Adds the rule for a baseline file or the folder of a run.
void AddBaselineRule(const std::string& baseline, std::vector<rules::RuleConfig>* configs);
// The same for a run that was recorded, where `baseline` may also be kLastGood, or empty: then
// nothing is added. Errors of SearchFor and FindLastGoodRun.
Status AddBaselineRuleFor(const std::string& run, const std::string& baseline,
                          std::vector<rules::RuleConfig>* configs);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_BASELINE_CHOICE_H_
