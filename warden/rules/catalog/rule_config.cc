#include "warden/rules/catalog/rule_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/config/json_fields.h"
#include "warden/rules/catalog/registry.h"

namespace warden::rules {
namespace {

constexpr char kName[] = "RuleConfigurationName";
constexpr char kParameters[] = "RuleParameters";
constexpr char kRuleToInvoke[] = "rule_to_invoke";
constexpr char kSource[] = "source_s3_uri";
constexpr char kActions[] = "action_json";
constexpr std::string_view kOtherTrial = "other_trial_";
constexpr char kOtherTrials[] = "other_trials";
// Members of the API that say where and on what a rule runs, which is here.
constexpr std::string_view kElsewhere[] = {"RuleEvaluatorImage", "LocalPath", "S3OutputPath",
                                           "InstanceType", "VolumeSizeInGB"};

Status Invalid(std::string message) { return Status(Code::kInvalid, std::move(message)); }

bool IsOwnRule(std::string_view text) {
  const std::string_view file = text.substr(0, text.find(':'));
  return file.ends_with(".py") || file.ends_with(".so");
}

Status ReadPairs(std::string_view text, char separator, RuleConfig* config) {
  for (const std::string& pair : SplitTrimmed(text, separator)) {
    const size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Invalid(fmt::format("{}: expected key=value, got '{}'", config->rule, pair));
    }
    const std::string key(Trim(std::string_view(pair).substr(0, equals)));
    if (!config->params.emplace(key, Trim(std::string_view(pair).substr(equals + 1))).second) {
      return Invalid(fmt::format("{}: '{}' is given twice", config->rule, key));
    }
  }
  return Status();
}

Result<RuleConfig> ReadOwnRule(std::string_view text) {
  RuleConfig config;
  const size_t colon = text.find(':');
  config.source = Trim(text.substr(0, colon));
  const std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  const size_t comma = rest.find(',');
  config.rule = Trim(rest.substr(0, comma));
  if (config.rule.empty()) {
    return Invalid(
        fmt::format("'{}' does not name a rule; expected '{}:NAME'", text, config.source));
  }
  config.name = config.rule;
  const std::string_view pairs = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  if (Status status = ReadPairs(pairs, ',', &config); !status.ok()) return status;
  return config;
}

Result<RuleConfig> ReadBuiltinRule(std::string_view text) {
  RuleConfig config;
  const size_t colon = text.find(':');
  config.rule = config.name = Trim(text.substr(0, colon));
  if (config.rule.empty()) return Invalid(fmt::format("'{}' does not name a rule", text));
  if (colon == std::string_view::npos) return config;
  if (Status status = ReadPairs(text.substr(colon + 1), ';', &config); !status.ok()) return status;
  return config;
}

// One text for each rule.
std::vector<std::string> SplitRules(std::string_view text) {
  std::vector<std::string> rules;
  for (const std::string& part : SplitTrimmed(text, ',')) {
    const bool inside = !rules.empty() && rules.back().find(':') != std::string::npos &&
                        !FindRule(std::string_view(part).substr(0, part.find(':'))).ok();
    if (inside) {
      rules.back() += "," + part;
    } else {
      rules.push_back(part);
    }
  }
  return rules;
}

// The text that a parameter is, whatever its type in JSON.
Result<std::string> TextOf(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return std::string(value.get<bool>() ? "True" : "False");
  if (value.is_number()) return value.dump();
  return Invalid(fmt::format("is {}; expected text, a number or a boolean", config::Shown(value)));
}

Status ReadParameters(const Json& json, RuleConfig* config) {
  std::map<int64_t, std::string> other_trials;
  for (const auto& [key, value] : json.items()) {
    const auto text = TextOf(value);
    if (!text.ok())
      return Invalid(fmt::format("{}.{} {}", kParameters, key, text.status().message()));
    if (key == kRuleToInvoke) {
      config->rule = text.value();
    } else if (key == kSource) {
      config->source = text.value();
    } else if (key == kActions) {
      config->action_json = text.value();
    } else if (key.starts_with(kOtherTrial) && key != kOtherTrials) {
      const auto number = ParseInt(std::string_view(key).substr(kOtherTrial.size()));
      if (!number)
        return Invalid(
            fmt::format("{}.{}: expected a number after '{}'", kParameters, key, kOtherTrial));
      other_trials[*number] = text.value();
    } else {
      config->params[key] = text.value();
    }
  }
  for (const auto& [number, path] : other_trials) {
    std::string& all = config->params[kOtherTrials];
    all += all.empty() ? path : "," + path;
  }
  return Status();
}

Result<RuleConfig> ReadJsonRule(const Json& json) {
  if (!json.is_object()) return config::WrongType("an object", json);
  RuleConfig config;
  const Json* parameters = nullptr;
  for (const auto& [key, value] : json.items()) {
    if (key == kName && value.is_string()) {
      config.name = value.get<std::string>();
    } else if (key == kParameters && (value.is_object() || value.is_null())) {
      parameters = &value;
    } else if (key == kName || key == kParameters) {
      return config::WrongType(key == kName ? "text" : "an object", value).WithContext(key);
    } else if (std::find(std::begin(kElsewhere), std::end(kElsewhere), key) ==
               std::end(kElsewhere)) {
      return Invalid(fmt::format("unknown key '{}'; expected one of: {}, {}, {}", key, kName,
                                 kParameters, fmt::join(kElsewhere, ", ")));
    }
  }
  if (parameters != nullptr && parameters->is_object()) {
    if (Status status = ReadParameters(*parameters, &config); !status.ok()) return status;
  }
  if (config.rule.empty()) config.rule = config.name;
  if (config.rule.empty()) {
    return Invalid(fmt::format("expected {}.{} or {}", kParameters, kRuleToInvoke, kName));
  }
  if (config.name.empty()) config.name = config.rule;
  return config;
}

}  // namespace

Result<std::vector<RuleConfig>> ParseRuleText(std::string_view text) {
  std::vector<RuleConfig> configs;
  if (IsOwnRule(Trim(text))) {
    auto config = ReadOwnRule(Trim(text));
    if (!config.ok()) return config.status();
    configs.push_back(std::move(config.value()));
    return configs;
  }
  for (const std::string& part : SplitRules(text)) {
    auto config = ReadBuiltinRule(part);
    if (!config.ok()) return config.status();
    configs.push_back(std::move(config.value()));
  }
  if (configs.empty()) return Invalid(fmt::format("'{}' does not name a rule", text));
  return configs;
}

Result<std::vector<RuleConfig>> RuleConfigsFromJson(const Json& json) {
  std::vector<const Json*> lists;
  if (json.is_array()) lists.push_back(&json);
  for (const char* member : {"DebugRuleConfigurations", "ProfilerRuleConfigurations"}) {
    const Json* list = json.is_object() ? config::Member(json, member) : nullptr;
    if (list != nullptr && list->is_array()) lists.push_back(list);
  }
  if (lists.empty()) {
    return Invalid(
        "expected a JSON list of rules, or an object with such a list in 'DebugRuleConfigurations' "
        "or 'ProfilerRuleConfigurations'");
  }
  std::vector<RuleConfig> configs;
  for (const Json* list : lists) {
    for (const Json& rule : *list) {
      auto config = ReadJsonRule(rule);
      if (!config.ok()) {
        return Invalid(fmt::format("rule {}: {}", configs.size() + 1, config.status().message()));
      }
      configs.push_back(std::move(config.value()));
    }
  }
  return configs;
}

Status MakeNamesUnique(std::vector<RuleConfig>* configs) {
  std::set<std::string> taken;
  for (RuleConfig& config : *configs) {
    if (taken.insert(config.name).second) continue;
    if (config.name != config.rule) {
      return Invalid(fmt::format("two rules are named '{}'; names must be unique", config.name));
    }
    int number = 2;
    while (!taken.insert(fmt::format("{}-{}", config.rule, number)).second) ++number;
    config.name = fmt::format("{}-{}", config.rule, number);
  }
  return Status();
}

}  // namespace warden::rules
