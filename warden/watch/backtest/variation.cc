#include "warden/watch/backtest/variation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "warden/base/strings.h"
#include "warden/rules/catalog/registry.h"

namespace warden::watch {
namespace {

constexpr int64_t kUsualValues = 5;
constexpr int64_t kMostValues = 100;
// From this ratio of its ends on, a range is one of magnitudes.
constexpr double kMagnitudes = 10;

Status BadVariation(std::string_view text, std::string_view what) {
  return Status(Code::kInvalid, fmt::format("'{}': {}", text, what));
}

bool IsIntegerParam(const Variation& variation) {
  const auto rule = rules::FindRule(variation.rule);
  if (!rule.ok()) return false;
  const auto params = rules::AllParams(*rule.value().entry->spec);
  return std::any_of(params.begin(), params.end(), [&](const rules::Param& param) {
    return param.name == variation.parameter && param.type == rules::ParamType::kInteger;
  });
}

// Values of LOW..HIGH or LOW..HIGH:N; nothing if the text is not a range.
Result<std::optional<std::vector<std::string>>> RangeOf(std::string_view text, bool integers) {
  const size_t dots = text.find("..");
  if (dots == text.npos) return std::optional<std::vector<std::string>>();
  const size_t colon = text.find(':', dots);
  const auto low = ParseDouble(Trim(text.substr(0, dots)));
  const auto high = ParseDouble(Trim(text.substr(dots + 2, colon - dots - 2)));
  const auto count =
      colon == text.npos ? kUsualValues : ParseInt(Trim(text.substr(colon + 1))).value_or(0);
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high) || *low >= *high) {
    return BadVariation(text, "expected LOW..HIGH or LOW..HIGH:N, with LOW less than HIGH");
  }
  if (count < 2 || count > kMostValues) {
    return BadVariation(text, fmt::format("expected 2 to {} values", kMostValues));
  }
  std::vector<std::string> values;
  for (int64_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    double value = *low > 0 && *high >= kMagnitudes * *low
                       ? std::exp(std::lerp(std::log(*low), std::log(*high), share))
                       : std::lerp(*low, *high, share);
    value = std::clamp(value, *low, *high);
    if (integers) value = std::round(value);
    std::string shown = integers ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
    if (values.empty() || values.back() != shown) values.push_back(std::move(shown));
  }
  return std::optional(std::move(values));
}

// Whether a configuration is of this rule, in whatever spelling.
bool IsOfRule(const rules::RuleConfig& config, const std::string& rule) {
  if (config.name == rule || config.rule == rule) return true;
  const auto a = rules::FindRule(config.rule);
  const auto b = rules::FindRule(rule);
  return config.source.empty() && a.ok() && b.ok() && a.value().entry == b.value().entry;
}

}  // namespace

Result<Variation> ParseVariation(std::string_view text) {
  const size_t equals = text.find('=');
  const size_t dot = text.substr(0, equals).rfind('.');
  if (equals == text.npos || dot == text.npos) {
    return BadVariation(text, "expected RULE.parameter=VALUE,VALUE or RULE.parameter=LOW..HIGH");
  }
  Variation variation;
  variation.rule = Trim(text.substr(0, dot));
  variation.parameter = Trim(text.substr(dot + 1, equals - dot - 1));
  auto range = RangeOf(Trim(text.substr(equals + 1)), IsIntegerParam(variation));
  if (!range.ok()) return range.status();
  variation.values =
      range.value() ? std::move(*range.value()) : SplitTrimmed(text.substr(equals + 1), ',');
  if (variation.rule.empty() || variation.parameter.empty() || variation.values.empty()) {
    return BadVariation(text, "expected RULE.parameter=VALUE,VALUE or RULE.parameter=LOW..HIGH");
  }
  if (std::ssize(variation.values) > kMostValues) {
    return BadVariation(text, fmt::format("expected at most {} values", kMostValues));
  }
  return variation;
}

std::vector<rules::RuleConfig> VariedRules(const Variation& variation,
                                           const std::vector<rules::RuleConfig>& configs) {
  const auto found = std::find_if(configs.begin(), configs.end(), [&](const auto& config) {
    return IsOfRule(config, variation.rule);
  });
  const rules::RuleConfig base =
      found != configs.end() ? *found : rules::RuleConfig{variation.rule, variation.rule, ""};
  std::vector<rules::RuleConfig> varied;
  for (const std::string& value : variation.values) {
    rules::RuleConfig& config = varied.emplace_back(base);
    config.params[variation.parameter] = value;
    config.name = fmt::format("{} {}={}", base.name, variation.parameter, value);
  }
  return varied;
}

}  // namespace warden::watch
