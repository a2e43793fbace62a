#ifndef WARDEN_CLI_RULES_ALARM_FLAGS_H_
#define WARDEN_CLI_RULES_ALARM_FLAGS_H_

#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/cli/command.h"
#include "warden/rules/catalog/prepared_rule.h"
#include "warden/rules/severity.h"
#include "warden/watch/alarms.h"

namespace warden::cli {

// What the user wants done when a rule finds a problem.
struct AlarmFlags {
  std::string stop_on;              // With commas: names of rules, severities, "any".
  std::vector<std::string> notify;  // "email:a@b.com", ...
  std::string notify_on = "note";   // The least severity.
  std::string actions_file;         // How to deliver.
};

// --stop-on, --notify, --notify-on and --actions-file.
void DefineAlarmFlags(Command* command, AlarmFlags* flags);

// kInvalid: a flag, an action or a setting that is not accepted, found before anything starts.
Result<watch::Alarms> MakeAlarms(const AlarmFlags& flags,
                                 const std::vector<rules::PreparedRule>& rules);

// --fail-on: which findings make the exit code 3. *value is the default: the name of a severity, or
// "never".
void DefineFailOn(Command* command, std::string* value);
// The least severity that fails; nothing for "never".
std::optional<rules::Severity> FailOn(const std::string& value);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_ALARM_FLAGS_H_
