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

// The names, as the rules themselves have them, of the flag's list; empty: any.
Result<std::vector<std::string>> StopNames(const std::string& text,
                                           const std::vector<rules::PreparedRule>& rules) {
  std::vector<std::string> names;
  if (text == kAnyRule) return names;
  for (const std::string& name : SplitTrimmed(text, ',')) {
    const auto found = rules::FindRule(name);
    const std::string proper = found.ok() ? std::string(found.value().entry->spec->name) : name;
    const bool checks =
        std::any_of(rules.begin(), rules.end(), [&](const rules::PreparedRule& rule) {
          return watch::HasName(rule, name) || rule.spec->name == proper;
        });
    if (!checks) {
      return Status(Code::kInvalid,
                    fmt::format("--stop-on: rule '{}' does not check this run; expected the name "
                                "of a rule that does, or '{}'",
                                name, kAnyRule));
    }
    names.push_back(proper);
  }
  if (names.empty()) {
    return Status(Code::kInvalid,
                  fmt::format("--stop-on is '{}'; expected rule names or '{}'", text, kAnyRule));
  }
  return names;
}

}  // namespace

void DefineAlarmFlags(Command* command, AlarmFlags* flags) {
  command->Text("--stop-on", &flags->stop_on,
                "Stop the training when one of these rules finds a problem: NAME,NAME or any");
  command->Texts("--notify", &flags->notify,
                 "Send findings to email:ADDRESS, sms:+NUMBER, webhook:URL, exec:COMMAND, "
                 "metric:prometheus or metric:cloudwatch; may be repeated");
  command->Text("--actions-file", &flags->actions_file,
                "JSON file with the delivery settings: mail server, SMS account, ...");
}

Result<watch::Alarms> MakeAlarms(const AlarmFlags& flags,
                                 const std::vector<rules::PreparedRule>& rules) {
  watch::AlarmOptions options;
  for (const std::string& text : flags.notify) {
    auto action = actions::ParseActionFlag(text);
    if (!action.ok()) return action.status().WithContext("--notify");
    options.notify.push_back(std::move(action.value()));
  }
  if (!flags.stop_on.empty()) {
    auto names = StopNames(flags.stop_on, rules);
    if (!names.ok()) return names.status();
    options.stop_on = std::move(names.value());
  }
  options.settings_file = flags.actions_file;
  return watch::Alarms::Make(options, rules);
}

}  // namespace warden::cli
