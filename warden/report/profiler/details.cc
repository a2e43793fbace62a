#include "warden/report/profiler/details.h"

#include <algorithm>
#include <cmath>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/report/sorted.h"

namespace warden::report {
namespace {

const Json* Member(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const Json& EmptyObject() {
  static const Json empty = Json::object();
  return empty;
}

const Json& EmptyArray() {
  static const Json empty = Json::array();
  return empty;
}

}  // namespace

std::optional<double> NumberOf(const Json& value) {
  if (!value.is_number()) return std::nullopt;
  const auto number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<double> NumberAt(const Json& object, std::string_view key) {
  const Json* member = Member(object, key);
  return member == nullptr ? std::nullopt : NumberOf(*member);
}

double AmountAt(const Json& object, std::string_view key) {
  return NumberAt(object, key).value_or(0);
}

std::optional<bool> FlagAt(const Json& object, std::string_view key) {
  const Json* member = Member(object, key);
  if (member == nullptr || !member->is_boolean()) return std::nullopt;
  return member->get<bool>();
}

std::string TextAt(const Json& object, std::string_view key) {
  const Json* member = Member(object, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : "";
}

const Json& ObjectAt(const Json& object, std::string_view key) {
  const Json* member = Member(object, key);
  return member != nullptr && member->is_object() ? *member : EmptyObject();
}

const Json& ArrayAt(const Json& object, std::string_view key) {
  const Json* member = Member(object, key);
  return member != nullptr && member->is_array() ? *member : EmptyArray();
}

std::vector<std::optional<double>> NumbersIn(const Json& array) {
  std::vector<std::optional<double>> numbers;
  if (!array.is_array()) return numbers;
  numbers.reserve(array.size());
  for (const Json& value : array) numbers.push_back(NumberOf(value));
  return numbers;
}

std::vector<Named> LargestFirst(const Json& object) {
  std::vector<Named> all;
  if (!object.is_object()) return all;
  for (const auto& [name, value] : object.items()) {
    const auto number = NumberOf(value);
    if (number && *number > 0) all.push_back({name, *number});
  }
  SortStably(&all, [](const Named& a, const Named& b) { return a.value > b.value; });
  return all;
}

const rules::ProfilerResult* FindResult(const ProfilerInputs& inputs, std::string_view rule) {
  for (const rules::ProfilerResult& result : inputs.results) {
    if (result.rule == rule) return &result;
  }
  return nullptr;
}

const Json& DetailsOf(const ProfilerInputs& inputs, std::string_view rule) {
  const rules::ProfilerResult* result = FindResult(inputs, rule);
  const bool has = result != nullptr && result->details != nullptr && result->details->is_object();
  return has ? *result->details : EmptyObject();
}

bool Fired(const ProfilerInputs& inputs, std::string_view rule) {
  const rules::ProfilerResult* result = FindResult(inputs, rule);
  return result != nullptr && result->triggered > 0;
}

std::optional<double> ParameterOf(const ProfilerInputs& inputs, std::string_view rule,
                                  std::string_view name) {
  const rules::ProfilerResult* result = FindResult(inputs, rule);
  if (result == nullptr) return std::nullopt;
  for (const std::string& line : SplitTrimmed(result->parameters, '\n')) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || line.substr(0, colon) != name) continue;
    const auto value = ParseDouble(Trim(std::string_view(line).substr(colon + 1)));
    return value && std::isfinite(*value) ? value : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace warden::report
