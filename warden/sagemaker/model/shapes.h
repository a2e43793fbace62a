#ifndef WARDEN_SAGEMAKER_MODEL_SHAPES_H_
#define WARDEN_SAGEMAKER_MODEL_SHAPES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/pattern.h"

namespace warden::sagemaker {

// One type of Amazon's model of the API (shapes.json), with what its values must satisfy.
struct Shape {
  enum class Type : uint8_t { kStructure, kList, kMap, kString, kInteger, kLong, kBoolean, kTime };
  struct Member {
    std::string name;
    const Shape* shape = nullptr;
    bool required = false;
  };

  std::string name;
  Type type = Type::kString;
  // Of lengths, numbers of items, or values.
  std::optional<int64_t> min, max;
  // Java's, for the whole of a string; as it is shown in messages. Empty: any.
  std::string shown_pattern;
  std::optional<Pattern> pattern;   // The same, for our own engine.
  std::vector<std::string> values;  // Of an enumeration; empty: it is none.
  // An enumeration that grows: instance types of tomorrow are none of our business.
  bool is_open = false;
  std::vector<Member> members;  // Of a structure, in the model's order.
  const Shape* item = nullptr;  // Of a list, or a map's values.
  const Shape* map_key = nullptr;
};

// Of all operations that the model knows.
std::vector<std::string> Operations();

// What an operation takes; nullptr if there is no such operation. Lives as long as the program.
const Shape* InputOf(std::string_view operation);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_SHAPES_H_
