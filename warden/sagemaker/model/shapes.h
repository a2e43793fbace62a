#ifndef WARDEN_SAGEMAKER_MODEL_SHAPES_H_
#define WARDEN_SAGEMAKER_MODEL_SHAPES_H_

// Amazon's model of the API, as data: what a request may contain. Loaded once from shapes.json,
// which is part of the binary; never changes after that, so all of it is safe for many threads and
// lives as long as the program.
//
//   const Shape* shape = InputOf("StopTrainingJob");
//   shape->members[0].name;        // "TrainingJobName"
//   *shape->members[0].shape->max;  // 63

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/pattern.h"

namespace warden::sagemaker {

// One type of the model, with what its values must satisfy.
struct Shape {
  enum class Type : uint8_t { kStructure, kList, kMap, kString, kInteger, kLong, kBoolean, kTime };
  // A member of a structure.
  struct Member {
    std::string name;
    const Shape* shape = nullptr;  // Never null.
    bool required = false;         // Null counts as absent.
  };

  std::string name;
  Type type = Type::kString;  // Says which of the members below are used.
  // Of the length (in characters), the number of items, or the value. Inclusive; nothing:
  // unlimited.
  std::optional<int64_t> min, max;
  // A regular expression of Java for the whole string, as messages show it. Empty: any string.
  std::string shown_pattern;
  // The same for our engine; nothing: any string.
  std::optional<Pattern> pattern;
  std::vector<std::string> values;  // Of an enumeration; empty: it is not one.
  // An enumeration that grows: any value but "" is accepted, since new instance types do not
  // concern us.
  bool is_open = false;
  std::vector<Member> members;     // Of a structure, in the model's order.
  const Shape* item = nullptr;     // Of a list, or of a map's values.
  const Shape* map_key = nullptr;  // Of a map.
};

// The names of all operations in the model, sorted.
std::vector<std::string> Operations();

// What an operation takes: a structure; null if there is no such operation.
const Shape* InputOf(std::string_view operation);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_SHAPES_H_
