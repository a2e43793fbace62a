#include "warden/config/json_fields.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "warden/base/json.h"

namespace warden::config {
namespace {

constexpr size_t kShownLength = 80;

}  // namespace

const Json* Member(const Json& json, std::string_view name) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(std::string(name));
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

std::string Shown(const Json& value) {
  std::string text = DumpLikePython(value);
  if (text.size() > kShownLength) text.replace(kShownLength, std::string::npos, "...");
  return text;
}

Status WrongType(std::string_view wanted, const Json& value) {
  return Status(Code::kInvalidType, fmt::format("expected {1}, got {0}", Shown(value), wanted));
}

std::optional<int64_t> WholeNumber(const Json& value) {
  // The check on unsigned comes first: it is one of the integers too.
  if (value.is_number_unsigned()) {
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const auto number = value.get<double>();
  // 2^63, beyond which the conversion is undefined. Also false for NaN.
  if (!(std::fabs(number) < 9223372036854775808.0) || std::trunc(number) != number) {
    return std::nullopt;
  }
  return static_cast<int64_t>(number);
}

Fields::Fields(const Json& json) : json_(json) {
  if (!json.is_object()) status_ = WrongType("an object", json);
}

const Json* Fields::Next(std::string_view name) const {
  return status_.ok() ? Member(json_, name) : nullptr;
}

void Fields::Refuse(std::string_view name, std::string_view wanted, const Json& value) {
  status_ = WrongType(wanted, value).WithContext(name);
}

void Fields::Read(std::string_view name, bool* out) {
  const Json* value = Next(name);
  if (value == nullptr) return;
  if (!value->is_boolean()) return Refuse(name, "true or false", *value);
  *out = value->get<bool>();
}

void Fields::Read(std::string_view name, std::string* out) {
  const Json* value = Next(name);
  if (value == nullptr) return;
  if (!value->is_string()) return Refuse(name, "a string", *value);
  *out = value->get<std::string>();
}

void Fields::Read(std::string_view name, std::optional<int64_t>* out) {
  const Json* value = Next(name);
  if (value == nullptr) return;
  *out = WholeNumber(*value);
  if (!out->has_value()) Refuse(name, "an integer", *value);
}

void Fields::Read(std::string_view name, std::optional<std::vector<int64_t>>* out) {
  const Json* value = Next(name);
  if (value == nullptr) return;
  if (!value->is_array()) return Refuse(name, "a list of integers", *value);
  std::vector<int64_t> numbers;
  for (const Json& item : *value) {
    const auto number = WholeNumber(item);
    if (!number) return Refuse(name, "a list of integers", *value);
    numbers.push_back(*number);
  }
  *out = std::move(numbers);
}

void Fields::Read(std::string_view name, std::vector<std::string>* out) {
  const Json* value = Next(name);
  if (value == nullptr) return;
  if (!value->is_array()) return Refuse(name, "a list of strings", *value);
  for (const Json& item : *value) {
    if (!item.is_string()) return Refuse(name, "a list of strings", *value);
    out->push_back(item.get<std::string>());
  }
}

}  // namespace warden::config
