#include "warden/actions/action_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>

#include "warden/actions/address.h"
#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/config/json_fields.h"
#include "warden/net/url.h"

namespace warden::actions {
namespace {

using Target = PublishMetricConfig::Target;

// In the order of the alternatives of ActionConfig.
constexpr std::array<std::string_view, 6> kNames = {"stoptraining", "email", "sms",
                                                    "webhook",      "exec",  "publishmetric"};
constexpr std::string_view kWebSchemes[] = {"http", "https"};
constexpr int64_t kMaxTimeout = 24 * 3600;
constexpr char kSeverityKey[] = "severity";
constexpr std::string_view kFlags =
    "stop, stop:PREFIX, email:ADDRESS, sms:+NUMBER, webhook:URL, exec:COMMAND, metric:prometheus, "
    "metric:cloudwatch[:NAMESPACE]";

Status Invalid(std::string message) { return Status(Code::kInvalid, std::move(message)); }

// The value of a string member; kInvalidType if it is something else.
Result<std::string> Text(const Json& json, std::string_view name) {
  std::string text;
  config::Fields fields(json);
  fields.Read(name, &text);
  if (!fields.status().ok()) return fields.status();
  return text;
}

// One string member that is needed and must pass the check.
Result<std::string> Checked(const Json& json, std::string_view name,
                            bool (*accepts)(std::string_view), std::string_view wanted) {
  Result<std::string> text = Text(json, name);
  if (!text.ok()) return text;
  if (text.value().empty()) {
    return Invalid(fmt::format("'{}' is missing; expected {}", name, wanted));
  }
  if (accepts(text.value())) return text;
  return Invalid(fmt::format("'{}' is \"{}\"; expected {}", name, text.value(), wanted));
}

Status RefuseOthers(const Json& json, std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : json.items()) {
    if (key == "name" || key == kSeverityKey) continue;
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return Invalid(fmt::format("unknown key '{}'; expected one of: name, {}, {}", key,
                               fmt::join(known, ", "), kSeverityKey));
  }
  return Status();
}

Result<ActionConfig> ReadStop(const Json& json) {
  if (Status status = RefuseOthers(json, {"training_job_prefix"}); !status.ok()) return status;
  if (config::Member(json, "training_job_prefix") == nullptr)
    return ActionConfig(StopTrainingConfig{});
  auto prefix = Checked(json, "training_job_prefix", &IsJobPrefix,
                        "the prefix of a job name: letters, digits and '-'");
  if (!prefix.ok()) return prefix.status();
  return ActionConfig(StopTrainingConfig{std::move(prefix).value()});
}

Result<ActionConfig> ReadEmail(const Json& json) {
  if (Status status = RefuseOthers(json, {"endpoint"}); !status.ok()) return status;
  auto address = Checked(json, "endpoint", &IsEmailAddress, "an address such as name@example.com");
  if (!address.ok()) return address.status();
  return ActionConfig(EmailConfig{std::move(address).value()});
}

Result<ActionConfig> ReadSms(const Json& json) {
  if (Status status = RefuseOthers(json, {"endpoint"}); !status.ok()) return status;
  auto number = Checked(json, "endpoint", &IsPhoneNumber,
                        "a phone number: '+' and 7 to 15 digits, such as +12223334444");
  if (!number.ok()) return number.status();
  return ActionConfig(SmsConfig{std::move(number).value()});
}

Result<ActionConfig> ReadWebhook(const Json& json) {
  if (Status status = RefuseOthers(json, {"url", "secret_env", "secret_file"}); !status.ok()) {
    return status;
  }
  WebhookConfig config;
  config::Fields fields(json);
  fields.Read("url", &config.url);
  fields.Read("secret_env", &config.secret_env);
  fields.Read("secret_file", &config.secret_file);
  if (!fields.status().ok()) return fields.status();
  if (const auto url = net::ParseUrl(config.url, kWebSchemes); !url.ok()) {
    return url.status().WithContext("'url'");
  }
  if (!config.secret_env.empty() && !config.secret_file.empty()) {
    return Invalid("has both 'secret_env' and 'secret_file'; expected only one");
  }
  return ActionConfig(std::move(config));
}

Status ReadTimeout(const Json& json, ExecConfig* config) {
  std::optional<int64_t> seconds;
  config::Fields fields(json);
  fields.Read("timeout", &seconds);
  if (!fields.status().ok() || !seconds) return fields.status();
  if (*seconds < 1 || *seconds > kMaxTimeout) {
    return Invalid(
        fmt::format("'timeout' is {}; expected seconds from 1 to {}", *seconds, kMaxTimeout));
  }
  config->timeout = std::chrono::seconds(*seconds);
  return Status();
}

Result<ActionConfig> ReadExec(const Json& json) {
  if (Status status = RefuseOthers(json, {"command", "timeout"}); !status.ok()) return status;
  ExecConfig config;
  const Json* command = config::Member(json, "command");
  config::Fields fields(json);
  if (command != nullptr && command->is_string()) {
    fields.Read("command", &config.script);
  } else {
    fields.Read("command", &config.words);
  }
  if (!fields.status().ok()) return fields.status();
  const bool has_program = !config.words.empty() && !config.words.front().empty();
  if (!has_program && Trim(config.script).empty()) {
    return Invalid("'command' is missing; expected a list of words, or a string for the shell");
  }
  if (Status status = ReadTimeout(json, &config); !status.ok()) return status;
  return ActionConfig(std::move(config));
}

Result<ActionConfig> ReadPublishMetric(const Json& json) {
  if (Status status = RefuseOthers(json, {"target", "namespace"}); !status.ok()) return status;
  std::string target;
  PublishMetricConfig config;
  config::Fields fields(json);
  fields.Read("target", &target);
  fields.Read("namespace", &config.metric_namespace);
  if (!fields.status().ok()) return fields.status();
  const std::string lower = LowerAscii(target);
  if (lower != "prometheus" && lower != "cloudwatch") {
    return Invalid(
        fmt::format("unknown target '{}'; expected one of: prometheus, cloudwatch", target));
  }
  config.target = lower == "prometheus" ? Target::kPrometheus : Target::kCloudWatch;
  if (config.target == Target::kPrometheus && !config.metric_namespace.empty()) {
    return Invalid("'namespace' requires the target cloudwatch");
  }
  return ActionConfig(std::move(config));
}

Status ReadSeverity(const Json& json, ActionConfig* config) {
  if (config::Member(json, kSeverityKey) == nullptr) return Status();
  const auto name = Text(json, kSeverityKey);
  if (!name.ok()) return name.status();
  const auto severity = rules::ParseSeverity(name.value());
  if (!severity) {
    return Invalid(fmt::format("unknown severity '{}'; expected one of: {}", name.value(),
                               rules::kSeverityNames));
  }
  SetLeastSeverity(*severity, config);
  return Status();
}

using Reader = Result<ActionConfig> (*)(const Json&);
constexpr std::array<Reader, kNames.size()> kReaders = {
    &ReadStop, &ReadEmail, &ReadSms, &ReadWebhook, &ReadExec, &ReadPublishMetric};

std::string_view TargetName(Target target) {
  return target == Target::kPrometheus ? "prometheus" : "cloudwatch";
}

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};

void PutUnlessEmpty(const char* name, const std::string& value, Json* json) {
  if (!value.empty()) (*json)[name] = value;
}

// Whether quotes carry backslashes, as where the original pastes the text into a program.
bool IsEscaped(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n[{");
  return first != std::string_view::npos && first > 0 && text[first] == '\\';
}

Result<Json> ParseEscapedOrPlain(std::string_view text) {
  std::string plain(Trim(text));
  if (IsEscaped(plain)) {
    const auto unescaped = ParseJson('"' + plain + '"');
    if (!unescaped.ok()) return unescaped;
    plain = unescaped.value().get<std::string>();
  }
  return ParseJson(plain);
}

}  // namespace

std::string_view ActionName(const ActionConfig& config) { return kNames[config.index()]; }

rules::Severity LeastSeverity(const ActionConfig& config) {
  return std::visit([](const auto& action) { return action.at_least; }, config);
}

void SetLeastSeverity(rules::Severity severity, ActionConfig* config) {
  std::visit([&](auto& action) { action.at_least = severity; }, *config);
}

bool IsMessage(const ActionConfig& config) {
  return !std::holds_alternative<StopTrainingConfig>(config) &&
         !std::holds_alternative<PublishMetricConfig>(config);
}

std::string Describe(const ActionConfig& config) {
  return std::visit(
      Overloaded{
          [](const StopTrainingConfig& stop) {
            return stop.prefix.empty() ? std::string("stopping the training job")
                                       : fmt::format("stopping the job '{}...'", stop.prefix);
          },
          [](const EmailConfig& email) { return "email to " + email.address; },
          [](const SmsConfig& sms) { return "SMS to " + sms.number; },
          [](const WebhookConfig& webhook) { return "webhook to " + net::ShownUrl(webhook.url); },
          [](const ExecConfig& exec) {
            // Further words may hold anything.
            const auto words = SplitTrimmed(exec.script, ' ');
            return "command " + (exec.words.empty() ? words.front() : exec.words.front());
          },
          [](const PublishMetricConfig& metric) {
            return fmt::format("metric for {}", TargetName(metric.target));
          }},
      config);
}

Json ToJson(const ActionConfig& config) {
  Json json = {{"name", ActionName(config)}};
  std::visit(Overloaded{[&](const StopTrainingConfig& stop) {
                          PutUnlessEmpty("training_job_prefix", stop.prefix, &json);
                        },
                        [&](const EmailConfig& email) { json["endpoint"] = email.address; },
                        [&](const SmsConfig& sms) { json["endpoint"] = sms.number; },
                        [&](const WebhookConfig& webhook) {
                          json["url"] = webhook.url;
                          PutUnlessEmpty("secret_env", webhook.secret_env, &json);
                          PutUnlessEmpty("secret_file", webhook.secret_file, &json);
                        },
                        [&](const ExecConfig& exec) {
                          json["command"] =
                              exec.words.empty() ? Json(exec.script) : Json(exec.words);
                          json["timeout"] = exec.timeout.count();
                        },
                        [&](const PublishMetricConfig& metric) {
                          json["target"] = TargetName(metric.target);
                          PutUnlessEmpty("namespace", metric.metric_namespace, &json);
                        }},
             config);
  const rules::Severity least = LeastSeverity(config);
  if (least != rules::Severity::kNote) json[kSeverityKey] = rules::SeverityName(least);
  return json;
}

Result<ActionConfig> ActionFromJson(const Json& json) {
  const auto name = Text(json, "name");
  if (!name.ok()) return name.status().WithContext("action");
  const auto known = std::find(kNames.begin(), kNames.end(), LowerAscii(name.value()));
  if (known == kNames.end()) {
    return Invalid(fmt::format("unknown action '{}'; expected one of: {}", name.value(),
                               fmt::join(kNames, ", ")));
  }
  auto config = kReaders[static_cast<size_t>(known - kNames.begin())](json);
  Status status = config.ok() ? ReadSeverity(json, &config.value()) : config.status();
  if (!status.ok()) return status.WithContext(fmt::format("action {}", *known));
  return config;
}

Result<std::vector<ActionConfig>> ParseActionJson(std::string_view text) {
  const auto json = ParseEscapedOrPlain(text);
  if (!json.ok()) return Invalid("actions: " + json.status().message());
  const Json& value = json.value();
  if (!value.is_object() && !value.is_array()) {
    return config::WrongType("an object or a list of objects", value).WithContext("actions");
  }
  const Json list = value.is_array() ? value : Json::array({value});
  if (list.empty()) return Invalid("actions: the list is empty; expected at least one action");
  std::vector<ActionConfig> configs;
  for (const Json& item : list) {
    auto config = ActionFromJson(item);
    if (!config.ok()) return config.status();
    configs.push_back(std::move(config).value());
  }
  return configs;
}

Result<ActionConfig> ParseActionFlag(std::string_view text) {
  // The journal keeps it as JSON, which would have something else in the place of other bytes.
  if (!IsUtf8(text)) return Invalid("invalid action; expected text in UTF-8");
  const size_t colon = text.find(':');
  const std::string name = LowerAscii(Trim(text.substr(0, colon)));
  const bool has_value = colon != std::string_view::npos;
  const std::string value(has_value ? text.substr(colon + 1) : "");
  if (name == "stop" && !has_value) return ActionConfig(StopTrainingConfig{});
  const auto read = [&](std::initializer_list<Json::object_t::value_type> members) {
    Json json(Json::value_t::object);
    for (const auto& [key, member] : members) json[key] = member;
    return ActionFromJson(json);
  };
  if (name == "stop") return read({{"name", "stoptraining"}, {"training_job_prefix", value}});
  if (name == "email" || name == "sms") return read({{"name", name}, {"endpoint", value}});
  if (name == "webhook") return read({{"name", name}, {"url", value}});
  if (name == "exec") return read({{"name", name}, {"command", value}});
  if (name == "metric") {
    const size_t second = value.find(':');
    const std::string metric_namespace =
        second == std::string::npos ? "" : value.substr(second + 1);
    return read({{"name", "publishmetric"},
                 {"target", value.substr(0, second)},
                 {"namespace", metric_namespace}});
  }
  return Invalid(fmt::format("unknown action '{}'; expected one of: {}", name, kFlags));
}

}  // namespace warden::actions
