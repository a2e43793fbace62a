// ReadValue of parameters.h: one function for each kind of value.
#include <fmt/format.h>

#include <utility>

#include "warden/base/json.h"
#include "warden/base/pattern.h"
#include "warden/base/strings.h"
#include "warden/config/json_fields.h"
#include "warden/config/parameters.h"
#include "warden/config/pattern_list.h"
#include "warden/config/reduction_config.h"

namespace warden::config {
namespace {

Status WrongValue(std::string_view expected, const Json& json) {
  return Status(Code::kInvalid, fmt::format("expected {}, got {}", expected, Shown(json)));
}

Result<Value> ReadText(const Json& json) {
  if (!json.is_string()) return WrongType("a string", json);
  return Value(json.get<std::string>());
}

Result<Value> ReadBoolean(const Json& json) {
  if (json.is_boolean()) return Value(json.get<bool>());
  const std::string word =
      json.is_string() ? LowerAscii(Trim(json.get_ref<const std::string&>())) : Shown(json);
  if (word == "true" || word == "1") return Value(true);
  if (word == "false" || word == "0") return Value(false);
  return WrongValue("true or false", json);
}

Result<int64_t> ReadInteger(const Json& json, int64_t least) {
  const auto number =
      json.is_string() ? ParseInt(Trim(json.get_ref<const std::string&>())) : WholeNumber(json);
  if (!number) return WrongValue("an integer", json);
  if (*number < least) {
    return WrongValue(fmt::format("an integer of at least {}", least), json);
  }
  return *number;
}

Result<Value> ReadIntegerValue(const Json& json, int64_t least) {
  Result<int64_t> number = ReadInteger(json, least);
  if (!number.ok()) return number.status();
  return Value(number.value());
}

// A single number is a list of one.
Result<Value> ReadSteps(const Json& json) {
  Json items = Json::array();
  if (json.is_string()) {
    for (std::string& part : SplitTrimmed(json.get_ref<const std::string&>(), ',')) {
      items.push_back(std::move(part));
    }
  } else if (json.is_array()) {
    items = json;
  } else {
    items.push_back(json);
  }
  std::vector<Step> steps;
  for (const Json& item : items) {
    Result<int64_t> step = ReadInteger(item, 0);
    if (!step.ok()) return step.status();
    steps.push_back(step.value());
  }
  return Value(std::move(steps));
}

// The strings of a list; of a string, what split makes of it.
Result<std::vector<std::string>> ReadWords(
    const Json& json, std::vector<std::string> (*split)(std::string_view text)) {
  if (json.is_string()) return split(json.get_ref<const std::string&>());
  if (!json.is_array()) return WrongType("a string or a list of strings", json);
  std::vector<std::string> words;
  for (const Json& item : json) {
    if (!item.is_string()) return WrongType("a string", item);
    words.push_back(item.get<std::string>());
  }
  return words;
}

Result<Value> ReadReductions(const Json& json) {
  Result<std::vector<std::string>> words =
      ReadWords(json, [](std::string_view text) { return SplitTrimmed(text, ','); });
  if (!words.ok()) return words.status();
  Result<std::vector<Reduction>> list =
      ParseReductionList(fmt::format("{}", fmt::join(words.value(), ",")));
  if (!list.ok()) return list.status();
  return Value(std::move(list).value());
}

Result<Value> ReadPatterns(const Json& json) {
  Result<std::vector<std::string>> patterns = ReadWords(json, SplitPatterns);
  if (!patterns.ok()) return patterns.status();
  for (const std::string& pattern : patterns.value()) {
    if (Result<Pattern> compiled = Pattern::Compile(pattern); !compiled.ok()) {
      return compiled.status();
    }
  }
  return Value(std::move(patterns).value());
}

}  // namespace

Result<Value> ReadValue(const Json& json, ValueKind kind) {
  switch (kind) {
    case ValueKind::kText: return ReadText(json);
    case ValueKind::kBoolean: return ReadBoolean(json);
    case ValueKind::kInterval: return ReadIntegerValue(json, 1);
    case ValueKind::kStep: return ReadIntegerValue(json, 0);
    case ValueKind::kSteps: return ReadSteps(json);
    case ValueKind::kReductions: return ReadReductions(json);
    case ValueKind::kPatterns: return ReadPatterns(json);
    case ValueKind::kObject:
      if (!json.is_object()) return WrongType("an object", json);
      return Value(&json);
    case ValueKind::kList:
      if (!json.is_array()) return WrongType("a list", json);
      return Value(&json);
  }
  return WrongType("known", json);
}

Status RefuseValue(const Status& error, std::string_view name, const Json& value, ValueKind kind) {
  // These errors name the bad word of the list.
  const bool names_word = kind == ValueKind::kReductions || kind == ValueKind::kPatterns;
  if (names_word && error.code() == Code::kInvalid) return error.WithContext(name);
  return Status(error.code(),
                fmt::format("{} is {}; expected {}", name, Shown(value), AcceptedText(kind)));
}

}  // namespace warden::config
