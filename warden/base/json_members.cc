#include "warden/base/json_members.h"

#include <cmath>

#include "warden/base/json.h"

namespace warden {

const Json* MemberOf(const Json& json, std::string_view name) {
  if (!json.is_object()) return nullptr;
  for (const auto& item : json.items()) {
    if (item.key() == name) return item.value().is_null() ? nullptr : &item.value();
  }
  return nullptr;
}

const Json* MemberOf(const Json& json, std::string_view object, std::string_view name) {
  const Json* outer = MemberOf(json, object);
  return outer == nullptr ? nullptr : MemberOf(*outer, name);
}

std::string TextOf(const Json* member) {
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

int64_t IntegerOf(const Json* member) {
  if (member == nullptr) return 0;
  if (member->is_number_unsigned()) {
    const auto value = member->get<uint64_t>();
    return value > INT64_MAX ? INT64_MAX : static_cast<int64_t>(value);
  }
  if (member->is_number_integer()) return member->get<int64_t>();
  if (!member->is_number_float()) return 0;
  const double value = member->get<double>();
  return std::abs(value) < 9e18 ? static_cast<int64_t>(value) : 0;
}

bool IsTrue(const Json* member) {
  return member != nullptr && member->is_boolean() && member->get<bool>();
}

}  // namespace warden
