#ifndef WARDEN_CLI_RULES_ALARM_FLAGS_H_
#define WARDEN_CLI_RULES_ALARM_FLAGS_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/cli/command.h"
#include "warden/rules/catalog/prepared_rule.h"
#include "warden/watch/alarms.h"

namespace warden::cli {

// What the user wants done when a rule finds a problem.
struct AlarmFlags {
  std::string stop_on;              // Names of rules with commas, or "any".
  std::vector<std::string> notify;  // "email:a@b.com", ...
  std::string actions_file;         // How to deliver.
};

// --stop-on, --notify and --actions-file.
void DefineAlarmFlags(Command* command, AlarmFlags* flags);

// kInvalid: a flag, an action or a setting that is not accepted, found before anything starts.
Result<watch::Alarms> MakeAlarms(const AlarmFlags& flags,
                                 const std::vector<rules::PreparedRule>& rules);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_ALARM_FLAGS_H_
