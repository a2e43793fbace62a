#include "warden/sagemaker/model/json_type.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "warden/base/json.h"

namespace warden::sagemaker {
namespace {

std::string_view NameOf(Shape::Type type) {
  switch (type) {
    case Shape::Type::kStructure: return "a structure";
    case Shape::Type::kList: return "a list";
    case Shape::Type::kMap: return "a map";
    case Shape::Type::kString: return "a String";
    case Shape::Type::kInteger: return "an Integer";
    case Shape::Type::kLong: return "a Long";
    case Shape::Type::kBoolean: return "a Boolean";
    case Shape::Type::kTime: break;
  }
  return "a Timestamp";
}

std::string_view TokenOf(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null: return "NULL_VALUE";
    case Json::value_t::string: return "STRING_VALUE";
    case Json::value_t::boolean: return value.get<bool>() ? "TRUE_VALUE" : "FALSE_VALUE";
    case Json::value_t::object: return "START_OBJECT";
    case Json::value_t::array: return "START_ARRAY";
    case Json::value_t::number_float: return "DECIMAL_VALUE";
    default: return "NUMBER_VALUE";
  }
}

bool IsWithin(const Json& value, int64_t least, int64_t most) {
  if (value.is_number_unsigned()) {
    return value.get<uint64_t>() <= static_cast<uint64_t>(most);
  }
  if (value.is_number_integer()) {
    return value.get<int64_t>() >= least && value.get<int64_t>() <= most;
  }
  const double number = value.get<double>();
  // Compared with powers of two: the greatest integers have no double of their own.
  return number == std::floor(number) && number >= static_cast<double>(least) &&
         number < -static_cast<double>(least);
}

bool HasType(Shape::Type type, const Json& value) {
  switch (type) {
    case Shape::Type::kStructure:
    case Shape::Type::kMap: return value.is_object();
    case Shape::Type::kList: return value.is_array();
    case Shape::Type::kString: return value.is_string();
    case Shape::Type::kBoolean: return value.is_boolean();
    case Shape::Type::kInteger:
      return value.is_number() && IsWithin(value, std::numeric_limits<int32_t>::min(),
                                           std::numeric_limits<int32_t>::max());
    case Shape::Type::kLong:
      return value.is_number() && IsWithin(value, std::numeric_limits<int64_t>::min(),
                                           std::numeric_limits<int64_t>::max());
    case Shape::Type::kTime: break;
  }
  return value.is_number() && std::isfinite(value.get<double>());
}

}  // namespace

std::string TypeFault(const Shape& shape, const Json& value, const std::string& path) {
  if (HasType(shape.type, value)) return "";
  const std::string what =
      fmt::format("{} can not be converted to {}", TokenOf(value), NameOf(shape.type));
  return path.empty() ? what : fmt::format("{} (at '{}')", what, path);
}

}  // namespace warden::sagemaker
