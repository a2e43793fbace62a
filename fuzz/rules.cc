// The input as rules that somebody asks for: as on the command line, as in a request to the
// SageMaker API, and as values of a parameter to try.

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "fuzz/check.h"
#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/catalog/rule_inputs.h"
#include "warden/rules/engine/engine.h"
#include "warden/rules/severity.h"
#include "warden/rules/xgboost_names.h"
#include "warden/watch/backtest/variation.h"

namespace warden::fuzz {
namespace {

using namespace rules;

// Whether to make it would run code of the input's choice or read files that it names.
bool ReadsFiles(const RuleConfig& config) {
  const auto is_path = [](const auto& pair) { return pair.second.find('/') != std::string::npos; };
  return !config.source.empty() || std::ranges::any_of(config.params, is_path);
}

// What is accepted has unique names and parameters that are accepted again as they are shown.
void Prepare(std::vector<RuleConfig> configs) {
  std::erase_if(configs, ReadsFiles);
  std::vector<std::string> notices;
  const auto prepared = PrepareRules(configs, &notices);
  if (!prepared.ok()) {
    Check(!prepared.status().message().empty());
    return;
  }
  Check(prepared.value().size() == configs.size());
  std::set<std::string> names;
  for (const PreparedRule& rule : prepared.value()) {
    Check(rule.rule != nullptr && rule.spec != nullptr && names.insert(rule.config.name).second);
    RuleConfig again{rule.config.name, std::string(rule.spec->name), ""};
    for (const auto& [name, text] : rule.params.texts()) again.params[name] = text;
    const auto second = PrepareRules({again}, &notices);
    Check(second.ok() && second.value().front().params.texts() == rule.params.texts());
  }
}

void UseAsText(std::string_view text) {
  auto configs = ParseRuleText(text);
  if (!configs.ok()) {
    Check(configs.status().code() == Code::kInvalid);
    return;
  }
  Check(!configs.value().empty());
  for (const RuleConfig& config : configs.value()) Check(!config.rule.empty());
  Prepare(std::move(configs.value()));
}

void UseAsJson(std::string_view text) {
  const auto json = ParseJson(text);
  if (!json.ok()) return;
  auto configs = RuleConfigsFromJson(json.value());
  if (!configs.ok()) {
    Check(configs.status().code() == Code::kInvalid);
    return;
  }
  Prepare(std::move(configs.value()));
  if (json.value().is_array()) {
    for (const Json& rule : json.value()) {
      if (const auto inputs = InputsOfRule(rule)) Check(inputs->spec != nullptr);
    }
  }
}

void UseAsVariation(std::string_view text) {
  const auto variation = watch::ParseVariation(text);
  if (!variation.ok()) {
    Check(variation.status().code() == Code::kInvalid);
    return;
  }
  const watch::Variation& tried = variation.value();
  Check(!tried.values.empty() && tried.values.size() <= 100);
  // The values of a range are numbers.
  if (text.substr(text.find('=')).find("..") != text.npos) {
    for (const std::string& value : tried.values) {
      const auto number = ParseDouble(value);
      Check(number && std::isfinite(*number));
    }
  }
  Check(watch::VariedRules(tried, {}).size() == tried.values.size());
}

void UseAsName(std::string_view text) {
  if (const auto severity = ParseSeverity(text)) {
    Check(SeverityName(*severity) == LowerAscii(text));
  }
  if (const auto metric = ParseMetricName(text)) {
    Check(metric->data + "-" + metric->metric == text);
    Check(metric->metric.starts_with(BaseOfMetric(metric->metric)));
    (void)IsXgboostMetric(metric->metric);
  }
  Check(!IsTreeTable(text) || IsXgboostTensor(text));
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = warden::fuzz::Text(data, size);
  warden::fuzz::UseAsText(text);
  warden::fuzz::UseAsJson(text);
  warden::fuzz::UseAsVariation(text);
  warden::fuzz::UseAsName(text);
  return 0;
}
