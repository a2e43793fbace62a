#include "warden/rules/param.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/base/pattern.h"
#include "warden/base/strings.h"
#include "warden/config/pattern_list.h"

namespace warden::rules {
namespace {

std::optional<bool> ParseSwitch(std::string_view text) {
  const std::string lower = LowerAscii(Trim(text));
  if (lower == "true" || lower == "1" || lower == "yes" || lower == "on") return true;
  if (lower == "false" || lower == "0" || lower == "no" || lower == "off") return false;
  return std::nullopt;
}

// "None" is how Python's str() spells a value that is not set.
bool IsUnset(std::string_view text) { return text.empty() || text == "None"; }

bool InRange(double number, const Param& param) {
  return !std::isnan(number) && number >= param.min && number <= param.max;
}

std::optional<std::vector<double>> ParseNumbers(std::string_view text) {
  std::vector<double> numbers;
  for (const std::string& part : SplitTrimmed(text, ',')) {
    const auto number = ParseDouble(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

bool IsNumber(std::string_view text, const Param& param) {
  const auto number = ParseDouble(text);
  return number && InRange(*number, param);
}

// "10" and, as some callers write whole numbers, "10.0".
std::optional<int64_t> ParseWhole(std::string_view text) {
  if (const auto whole = ParseInt(text)) return whole;
  const auto number = ParseDouble(text);
  if (!number || *number != std::floor(*number) || std::abs(*number) > 1e15) return std::nullopt;
  return static_cast<int64_t>(*number);
}

Status Check(std::string_view text, const Param& param) {
  bool fine = true;
  switch (param.type) {
    case ParamType::kNumber: fine = IsNumber(text, param); break;
    case ParamType::kInteger: {
      const auto whole = ParseWhole(text);
      fine = whole && InRange(static_cast<double>(*whole), param);
      break;
    }
    case ParamType::kSwitch: fine = ParseSwitch(text).has_value(); break;
    case ParamType::kMode: fine = ParseMode(text).has_value(); break;
    case ParamType::kNumbers: {
      const auto numbers = ParseNumbers(text);
      fine = numbers && std::all_of(numbers->begin(), numbers->end(),
                                    [&](double number) { return InRange(number, param); });
      break;
    }
    case ParamType::kPatterns:
      for (const std::string& pattern : config::SplitPatterns(text)) {
        if (const auto compiled = Pattern::Compile(pattern); !compiled.ok()) {
          return compiled.status();
        }
      }
      break;
    case ParamType::kText:
    case ParamType::kNames: break;
  }
  if (fine) return Status();
  return Status(Code::kInvalid, fmt::format("'{}'; expected {}", text, AcceptedText(param)));
}

// 1000000, not 1e+06.
std::string LimitText(double limit) {
  const bool whole = limit == std::floor(limit) && std::abs(limit) < 1e15;
  return whole ? fmt::format("{}", static_cast<int64_t>(limit)) : fmt::format("{:g}", limit);
}

std::string RangeText(const Param& param) {
  const bool low = std::isfinite(param.min);
  const bool high = std::isfinite(param.max);
  if (low && high) {
    return fmt::format(" from {} to {}", LimitText(param.min), LimitText(param.max));
  }
  if (low) return fmt::format(" >= {}", LimitText(param.min));
  return high ? fmt::format(" <= {}", LimitText(param.max)) : "";
}

std::string NumberText(const Param& param) {
  const bool only_low = std::isfinite(param.min) && !std::isfinite(param.max);
  if (only_low && param.min == 0) return "a non-negative number";
  return "a number" + RangeText(param);
}

std::string IntegerText(const Param& param) {
  const bool only_low = std::isfinite(param.min) && !std::isfinite(param.max);
  if (only_low && param.min == 0) return "a non-negative integer";
  if (only_low && param.min == 1) return "a positive integer";
  return "an integer" + RangeText(param);
}

// Exactly, or else in any case: users write both CPUBottleneck_threshold and
// cpubottleneck_threshold.
const Param* Find(std::string_view name, std::span<const Param> known) {
  for (const Param& param : known) {
    if (param.name == name) return &param;
  }
  const std::string lower = LowerAscii(name);
  for (const Param& param : known) {
    if (LowerAscii(param.name) == lower) return &param;
  }
  return nullptr;
}

Status Unknown(std::string_view rule, std::string_view name, std::span<const Param> known) {
  std::vector<std::string_view> names;
  for (const Param& param : known) names.push_back(param.name);
  return Status(Code::kInvalid, fmt::format("{}: unknown parameter '{}'; expected one of: {}", rule,
                                            name, fmt::join(names, ", ")));
}

}  // namespace

std::string_view ParamTypeName(ParamType type) {
  switch (type) {
    case ParamType::kNumber: return "number";
    case ParamType::kInteger: return "integer";
    case ParamType::kSwitch: return "bool";
    case ParamType::kText: return "text";
    case ParamType::kMode: return "mode";
    case ParamType::kNames:
    case ParamType::kPatterns:
    case ParamType::kNumbers: return "list";
  }
  return "text";
}

std::string AcceptedText(const Param& param) {
  switch (param.type) {
    case ParamType::kNumber: return NumberText(param);
    case ParamType::kInteger: return IntegerText(param);
    case ParamType::kSwitch: return "True or False";
    case ParamType::kText: return "text";
    case ParamType::kNames: return "comma-separated names";
    case ParamType::kPatterns: return "comma-separated regular expressions";
    case ParamType::kNumbers: return "comma-separated numbers" + RangeText(param);
    case ParamType::kMode: return "TRAIN, EVAL, PREDICT or GLOBAL";
  }
  return "";
}

Result<Params> Params::Read(std::string_view rule, std::span<const Param> known,
                            const ParamTexts& given) {
  Params params;
  params.rule_ = rule;
  for (const auto& [name, text] : given) {
    const Param* param = Find(name, known);
    if (param == nullptr) return Unknown(rule, name, known);
    const std::string_view trimmed = Trim(text);
    if (IsUnset(trimmed)) continue;
    if (const Status status = Check(trimmed, *param); !status.ok()) {
      return Status(Code::kInvalid, fmt::format("{}: {} is {}", rule, name, status.message()));
    }
    if (!params.given_.emplace(param->name, trimmed).second) {
      return Status(Code::kInvalid, fmt::format("{}: {} is given twice", rule, param->name));
    }
  }
  for (const Param& param : known) {
    const auto own = params.given_.find(param.name);
    const std::string text(own == params.given_.end() ? param.default_text : own->second);
    if (text.empty()) continue;
    params.texts_.emplace_back(param.name, text);
    params.values_.emplace(param.name, text);
  }
  return params;
}

Result<Params> Params::ReadFree(std::string_view rule, std::span<const Param> known,
                                const ParamTexts& given) {
  std::vector<Param> all(known.begin(), known.end());
  for (const auto& [name, text] : given) {
    const bool is_known =
        std::any_of(known.begin(), known.end(), [&](const Param& p) { return p.name == name; });
    if (!is_known) all.push_back({name, ParamType::kText, "", ""});
  }
  return Read(rule, all, given);
}

bool Params::Has(std::string_view name) const { return values_.contains(name); }

std::string Params::Text(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? "" : found->second;
}

double Params::Number(std::string_view name) const { return ParseDouble(Text(name)).value_or(0); }

int64_t Params::Integer(std::string_view name) const { return ParseWhole(Text(name)).value_or(0); }

bool Params::Switch(std::string_view name) const { return ParseSwitch(Text(name)).value_or(false); }

std::vector<std::string> Params::List(std::string_view name) const {
  return config::SplitPatterns(Text(name));
}

std::vector<double> Params::Numbers(std::string_view name) const {
  return ParseNumbers(Text(name)).value_or(std::vector<double>());
}

std::optional<Mode> Params::OnlyMode(std::string_view name) const { return ParseMode(Text(name)); }

Status Params::Refuse(std::string_view what) const {
  return Status(Code::kInvalid, fmt::format("{}: {}", rule_, what));
}

}  // namespace warden::rules
