#ifndef WARDEN_ACTIONS_ACTION_CONFIG_H_
#define WARDEN_ACTIONS_ACTION_CONFIG_H_

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/rules/severity.h"

namespace warden::actions {

// What a user asked to be done when a rule fires: plain values, read from a rule's "action_json"
// (ParseActionJson) or a flag of the command line (ParseActionFlag), checked when they are read,
// and written to the journal as JSON. ActionMaker makes the action. The first three are the
// original's actions, the others are additions. None contains a secret, except in a webhook's URL
// or a command. Each has `at_least`: findings that are less severe are ignored.
//
//   auto configs = ParseActionJson(R"({"name": "email", "endpoint": "me@example.com"})");
//   if (!configs.ok()) return configs.status();

// Stops a running job; see NewStopTraining.
struct StopTrainingConfig {
  std::string prefix;  // Of the job's name; empty: the job that the rule watches.
  rules::Severity at_least = rules::Severity::kNote;
};

// A mail; see NewEmail.
struct EmailConfig {
  // One address that IsEmailAddress accepts.
  std::string address;
  rules::Severity at_least = rules::Severity::kNote;
};

// A text message; see NewSms.
struct SmsConfig {
  // One number that IsPhoneNumber accepts.
  std::string number;
  rules::Severity at_least = rules::Severity::kNote;
};

// An HTTP request with the event as JSON; see NewWebhook.
struct WebhookConfig {
  // http or https. Its path is often the key to the service: show it only through Describe.
  std::string url;
  // Where the key of the signature is: a variable or a file. Both empty: that of the settings.
  std::string secret_env;
  std::string secret_file;
  rules::Severity at_least = rules::Severity::kNote;
};

// A command of the user, run on this machine; see NewExec.
struct ExecConfig {
  std::vector<std::string> words;  // Executed as they are, or ...
  std::string script;              // ... given to a shell. One of the two is empty.
  // The command is killed after this time; 1 s to 24 h when read from JSON.
  std::chrono::seconds timeout{60};
  rules::Severity at_least = rules::Severity::kNote;
};

// A metric that says that the rule fired; see publish_metric.h.
struct PublishMetricConfig {
  enum class Target { kPrometheus, kCloudWatch };
  Target target = Target::kPrometheus;
  std::string metric_namespace;  // For CloudWatch; empty: that of the settings.
  rules::Severity at_least = rules::Severity::kNote;
};

using ActionConfig = std::variant<StopTrainingConfig, EmailConfig, SmsConfig, WebhookConfig,
                                  ExecConfig, PublishMetricConfig>;

// "stoptraining", "email", "sms", "webhook", "exec", "publishmetric": the name in JSON, a
// constant.
std::string_view ActionName(const ActionConfig& config);

// The least severe findings that it is for.
rules::Severity LeastSeverity(const ActionConfig& config);
void SetLeastSeverity(rules::Severity severity, ActionConfig* config);

// Whether it is a message to people or programs (a mail, an SMS, a webhook, a command): one is
// enough for findings with the same cause. A stop or a metric is not.
bool IsMessage(const ActionConfig& config);

// "email to a@b.com": for people, without anything that may be secret.
std::string Describe(const ActionConfig& config);

// {"name": "email", "endpoint": "a@b.com"} and back; names in any case, values kept as they are.
// "severity" is the least severe one: "problem", "warning" or "note" (default).
// The JSON holds the webhook's whole URL and the whole command: keep it where only the owner can
// read it.
//
// kInvalid names the action, the value and what is expected; kInvalidType if a member, or json, has
// the wrong type. Unknown members are errors: a misspelled one would go unnoticed until it is
// needed.
Json ToJson(const ActionConfig& config);
Result<ActionConfig> ActionFromJson(const Json& json);

// The value of a rule's parameter "action_json": one object or a list of them that is not empty,
// either as plain JSON or, as the original's library sends it, with a backslash before every quote.
// Errors as those of ActionFromJson, and kInvalid for text that is not JSON. One bad action fails
// the whole list.
Result<std::vector<ActionConfig>> ParseActionJson(std::string_view text);

// As on a command line: "stop", "stop:PREFIX", "email:ADDRESS", "sms:+NUMBER", "webhook:URL",
// "exec:COMMAND", "metric:prometheus", "metric:cloudwatch", "metric:cloudwatch:NAMESPACE". The word
// before the first colon in any case. Errors as those of ActionFromJson, and kInvalid for what is
// not UTF-8. A command goes to the shell.
Result<ActionConfig> ParseActionFlag(std::string_view text);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_ACTION_CONFIG_H_
