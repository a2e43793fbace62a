#include "warden/cli/rules/alarm_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/actions/action_config.h"
#include "warden/base/strings.h"
#include "warden/rules/catalog/registry.h"

namespace warden::cli {
namespace {

constexpr char kAnyRule[] = "any";
constexpr char kNever[] = "never";

// The name as the rule itself has it. kInvalid if no such rule checks the run.
Result<std::string> NameOfRule(const std::string& name,
                               const std::vector<rules::PreparedRule>& rules) {
  const auto found = rules::FindRule(name);
  std::string proper = found.ok() ? std::string(found.value().entry->spec->name) : name;
  const bool checks = std::any_of(rules.begin(), rules.end(), [&](const rules::PreparedRule& rule) {
    return !rule.config.shadow && (watch::HasName(rule, name) || rule.spec->name == proper);
  });
  if (checks) return proper;
  return Status(Code::kInvalid,
                fmt::format("--stop-on: rule '{}' does not check this run; expected the name of a "
                            "rule that does, '{}', or a severity: {}",
                            name, kAnyRule, rules::kSeverityNames));
}

// Takes in the flag's list. "any" is any rule that finds a problem.
Status ReadStopOn(const std::string& text, const std::vector<rules::PreparedRule>& rules,
                  watch::AlarmOptions* options) {
  const std::vector<std::string> words = SplitTrimmed(text, ',');
  for (const std::string& word : words) {
    const auto severity = word == kAnyRule ? rules::Severity::kProblem : rules::ParseSeverity(word);
    if (severity) {
      options->stop_at = std::max(*severity, options->stop_at.value_or(*severity));
      continue;
    }
    auto name = NameOfRule(word, rules);
    if (!name.ok()) return name.status();
    options->stop_on.push_back(std::move(name.value()));
  }
  if (!words.empty()) return Status();
  return Status(Code::kInvalid,
                fmt::format("--stop-on is '{}'; expected rule names, '{}', or a severity: {}", text,
                            kAnyRule, rules::kSeverityNames));
}

}  // namespace

void DefineAlarmFlags(Command* command, AlarmFlags* flags) {
  command->Text("--stop-on", &flags->stop_on,
                "Stop the training when one of these rules finds something: NAME,NAME; or when\n"
                "any rule finds a problem: any; or something at least so severe: warning, note");
  command->Texts("--notify", &flags->notify,
                 "Send findings to email:ADDRESS, sms:+NUMBER, webhook:URL, exec:COMMAND, "
                 "metric:prometheus or metric:cloudwatch; may be repeated");
  command->Choice("--notify-on", &flags->notify_on, {"problem", "warning", "note"},
                  "Send only what is at least so severe (default: note)");
  command->Text("--actions-file", &flags->actions_file,
                "JSON file with the delivery settings: mail server, SMS account, ...");
}

Result<watch::Alarms> MakeAlarms(const AlarmFlags& flags,
                                 const std::vector<rules::PreparedRule>& rules) {
  watch::AlarmOptions options;
  for (const std::string& text : flags.notify) {
    auto action = actions::ParseActionFlag(text);
    if (!action.ok()) return action.status().WithContext("--notify");
    actions::SetLeastSeverity(*rules::ParseSeverity(flags.notify_on), &action.value());
    options.notify.push_back(std::move(action.value()));
  }
  if (!flags.stop_on.empty()) {
    if (Status status = ReadStopOn(flags.stop_on, rules, &options); !status.ok()) return status;
  }
  options.settings_file = flags.actions_file;
  return watch::Alarms::Make(options, rules);
}

void DefineFailOn(Command* command, std::string* value) {
  command->Choice("--fail-on", value, {"problem", "warning", "note", kNever},
                  fmt::format("Exit with code 3 if something at least so severe is found "
                              "(default: {})",
                              *value));
}

std::optional<rules::Severity> FailOn(const std::string& value) {
  return value == kNever ? std::nullopt : rules::ParseSeverity(value);
}

}  // namespace warden::cli
