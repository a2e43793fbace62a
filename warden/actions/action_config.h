#ifndef WARDEN_ACTIONS_ACTION_CONFIG_H_
#define WARDEN_ACTIONS_ACTION_CONFIG_H_

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::actions {

// What a user asked to be done when a rule fires. The first three are the original's actions, the
// others are additions. None contains a secret, except in a webhook's URL or a command.

struct StopTrainingConfig {
  std::string prefix;  // Of the job's name; empty: the job that the rule watches.
};

struct EmailConfig {
  std::string address;
};

struct SmsConfig {
  std::string number;
};

struct WebhookConfig {
  std::string url;
  // Where the key of the signature is: a variable or a file. Both empty: that of the settings.
  std::string secret_env;
  std::string secret_file;
};

struct ExecConfig {
  std::vector<std::string> words;  // Executed as they are, or ...
  std::string script;              // ... given to a shell. One of the two is empty.
  std::chrono::seconds timeout{60};
};

struct PublishMetricConfig {
  enum class Target { kPrometheus, kCloudWatch };
  Target target = Target::kPrometheus;
  std::string metric_namespace;  // For CloudWatch; empty: that of the settings.
};

using ActionConfig = std::variant<StopTrainingConfig, EmailConfig, SmsConfig, WebhookConfig,
                                  ExecConfig, PublishMetricConfig>;

// "stoptraining", "email", "sms", "webhook", "exec", "publishmetric".
std::string_view ActionName(const ActionConfig& config);

// "email to a@b.com": for people, without anything that may be secret.
std::string Describe(const ActionConfig& config);

// {"name": "email", "endpoint": "a@b.com"} and back; names in any case, values kept as they are.
// kInvalid names the action, the value and what is expected. Unknown members are errors: a
// misspelled one would go unnoticed until it is needed.
Json ToJson(const ActionConfig& config);
Result<ActionConfig> ActionFromJson(const Json& json);

// The value of a rule's parameter "action_json": one object or a list of them that is not empty,
// either as plain JSON or, as the original's library sends it, with a backslash before every quote.
Result<std::vector<ActionConfig>> ParseActionJson(std::string_view text);

// As on a command line: "stop", "stop:PREFIX", "email:ADDRESS", "sms:+NUMBER", "webhook:URL",
// "exec:COMMAND", "metric:prometheus", "metric:cloudwatch", "metric:cloudwatch:NAMESPACE".
Result<ActionConfig> ParseActionFlag(std::string_view text);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_ACTION_CONFIG_H_
