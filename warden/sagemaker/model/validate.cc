#include "warden/sagemaker/model/validate.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/sagemaker/model/java_text.h"
#include "warden/sagemaker/model/json_type.h"
#include "warden/sagemaker/model/shapes.h"

namespace warden::sagemaker {
namespace {

// Of clauses that are written out; all are counted. A request can have as many faults as bytes.
constexpr size_t kMaxClauses = 1000;

std::string LowerFirst(std::string name) {
  if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z') {
    name[0] = static_cast<char>(name[0] - 'A' + 'a');
  }
  return name;
}

// The bounds and the pattern of a string, each as it is told.
std::vector<std::string> ConstraintsOf(const Shape& shape) {
  std::vector<std::string> all;
  if (shape.max) {
    all.push_back(fmt::format("Member must have length less than or equal to {}", *shape.max));
  }
  if (shape.min) {
    all.push_back(fmt::format("Member must have length greater than or equal to {}", *shape.min));
  }
  if (!shape.shown_pattern.empty()) {
    all.push_back(
        fmt::format("Member must satisfy regular expression pattern: {}", shape.shown_pattern));
  }
  return all;
}

// Finds every fault of a request; stops at the first value of a wrong type.
class Validator {
 public:
  std::optional<ApiError> Check(const Shape& shape, const Json& body) {
    Value(shape, body, "");
    if (!wrong_type_.empty()) return ApiError{"SerializationException", wrong_type_};
    if (count_ == 0) return std::nullopt;
    return ValidationError(fmt::format("{} validation error{} detected: {}", count_,
                                       count_ == 1 ? "" : "s", fmt::join(clauses_, "; ")));
  }

 private:
  void Fault(std::string_view value, std::string_view path, std::string_view constraint) {
    if (++count_ > kMaxClauses) return;
    clauses_.push_back(
        fmt::format("Value {} at '{}' failed to satisfy constraint: {}", value, path, constraint));
  }

  void FaultOf(const Json& value, std::string_view path, std::string_view constraint) {
    Fault(fmt::format("'{}'", JavaText(value)), path, constraint);
  }

  void Value(const Shape& shape, const Json& value, const std::string& path) {
    if (!wrong_type_.empty()) return;
    wrong_type_ = TypeFault(shape, value, path);
    if (!wrong_type_.empty()) return;
    switch (shape.type) {
      case Shape::Type::kStructure: return Structure(shape, value, path);
      case Shape::Type::kList: return List(shape, value, path);
      case Shape::Type::kMap: return Map(shape, value, path);
      case Shape::Type::kString: return String(shape, value, path);
      case Shape::Type::kInteger:
      case Shape::Type::kLong: return Number(shape, value, path);
      default: return;
    }
  }

  void Structure(const Shape& shape, const Json& value, const std::string& path) {
    for (const Shape::Member& member : shape.members) {
      const std::string below =
          path.empty() ? LowerFirst(member.name) : path + "." + LowerFirst(member.name);
      const auto found = value.find(member.name);
      if (found != value.end() && !found->is_null()) {
        Value(*member.shape, *found, below);
      } else if (member.required) {
        Fault("null", below, "Member must not be null");
      }
    }
  }

  void Size(const Shape& shape, size_t size, const Json& value, const std::string& path) {
    if (shape.max && size > static_cast<size_t>(*shape.max)) {
      FaultOf(value, path,
              fmt::format("Member must have length less than or equal to {}", *shape.max));
    }
    if (shape.min && size < static_cast<size_t>(*shape.min)) {
      FaultOf(value, path,
              fmt::format("Member must have length greater than or equal to {}", *shape.min));
    }
  }

  void List(const Shape& shape, const Json& value, const std::string& path) {
    Size(shape, value.size(), value, path);
    for (size_t i = 0; i < value.size() && wrong_type_.empty(); ++i) {
      const std::string below = fmt::format("{}.{}.member", path, i + 1);
      if (value[i].is_null()) {
        Fault("null", below, "Member must not be null");
      } else {
        Value(*shape.item, value[i], below);
      }
    }
  }

  void Map(const Shape& shape, const Json& value, const std::string& path) {
    Size(shape, value.size(), value, path);
    bool bad_key = false;
    bool bad_value = false;
    for (const auto& [key, item] : value.items()) {
      bad_key = bad_key || !Satisfies(*shape.map_key, key);
      if (item.is_null()) {
        bad_value = true;
        continue;
      }
      wrong_type_ = TypeFault(*shape.item, item, path);
      if (!wrong_type_.empty()) return;
      bad_value = bad_value || !Satisfies(*shape.item, item.get_ref<const std::string&>());
    }
    // One clause for all keys and one for all values, with all that they must satisfy.
    const auto tell = [&](std::string_view what, const Shape& of) {
      FaultOf(value, path,
              fmt::format("{} must satisfy constraint: [{}]", what,
                          fmt::join(ConstraintsOf(of), ", ")));
    };
    if (bad_key) tell("Map keys", *shape.map_key);
    if (bad_value) tell("Map value", *shape.item);
  }

  static bool Satisfies(const Shape& shape, const std::string& text) {
    const size_t length = CodePoints(text);
    if (shape.max && length > static_cast<size_t>(*shape.max)) return false;
    if (shape.min && length < static_cast<size_t>(*shape.min)) return false;
    return !shape.pattern || shape.pattern->Search(text);
  }

  void String(const Shape& shape, const Json& value, const std::string& path) {
    const std::string& text = value.get_ref<const std::string&>();
    Size(shape, CodePoints(text), value, path);
    if (shape.pattern && !shape.pattern->Search(text)) {
      FaultOf(
          value, path,
          fmt::format("Member must satisfy regular expression pattern: {}", shape.shown_pattern));
    }
    if (shape.values.empty() || (shape.is_open && !text.empty())) return;
    if (std::find(shape.values.begin(), shape.values.end(), text) == shape.values.end()) {
      FaultOf(
          value, path,
          fmt::format("Member must satisfy enum value set: [{}]", fmt::join(shape.values, ", ")));
    }
  }

  void Number(const Shape& shape, const Json& value, const std::string& path) {
    const int64_t number =
        value.is_number_float() ? static_cast<int64_t>(value.get<double>()) : value.get<int64_t>();
    if (shape.max && number > *shape.max) {
      FaultOf(value, path,
              fmt::format("Member must have value less than or equal to {}", *shape.max));
    }
    if (shape.min && number < *shape.min) {
      FaultOf(value, path,
              fmt::format("Member must have value greater than or equal to {}", *shape.min));
    }
  }

  size_t count_ = 0;
  std::vector<std::string> clauses_;
  std::string wrong_type_;
};

}  // namespace

std::optional<ApiError> Validate(std::string_view operation, const Json& body) {
  const Shape* shape = InputOf(operation);
  if (shape == nullptr) return ApiError{"UnknownOperationException", ""};
  return Validator().Check(*shape, body);
}

}  // namespace warden::sagemaker
