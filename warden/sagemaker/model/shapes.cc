#include "warden/sagemaker/model/shapes.h"

#include <map>
#include <memory>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/sagemaker/model/java_pattern.h"
#include "warden/sagemaker/model/shapes_json.h"

namespace warden::sagemaker {
namespace {

constexpr std::string_view kOpen[] = {"TrainingInstanceType", "ProcessingInstanceType"};
// SageMaker shows these with '^' before.
constexpr std::string_view kShownAnchored[] = {"TrainingJobName", "ProcessingJobName"};

constexpr std::pair<std::string_view, Shape::Type> kTypes[] = {
    {"structure", Shape::Type::kStructure},
    {"list", Shape::Type::kList},
    {"map", Shape::Type::kMap},
    {"string", Shape::Type::kString},
    {"integer", Shape::Type::kInteger},
    {"long", Shape::Type::kLong},
    {"boolean", Shape::Type::kBoolean},
    {"timestamp", Shape::Type::kTime},
};

template <size_t count>
bool IsOneOf(const std::string_view (&names)[count], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The part of the model that requests are made of. The file is our own and tested, so what is odd
// in it is told and left out.
class Model {
 public:
  static const Model& Get() {
    static const Model* const model = new Model;  // Never destroyed: threads may outlive main.
    return *model;
  }

  const std::map<std::string, const Shape*, std::less<>>& inputs() const { return inputs_; }

 private:
  Model() {
    Result<Json> json = ParseJson(ShapesJson().text);
    if (!json.ok()) {
      LogError("the API model is damaged: {}", json.status().message());
      return;
    }
    const Json all = std::move(json).value();
    source_ = &all["shapes"];
    for (const auto& [name, operation] : all["operations"].items()) {
      inputs_[name] = ShapeOf(operation["input"].get<std::string>());
    }
    source_ = nullptr;
  }

  const Shape* ShapeOf(const std::string& name) {
    const auto [found, is_new] = shapes_.try_emplace(name);
    if (!is_new) return found->second.get();
    // Kept before it is filled: a shape may hold itself.
    found->second = std::make_unique<Shape>();
    Shape* shape = found->second.get();
    shape->name = name;
    Fill((*source_)[name], shape);
    return shape;
  }

  const Shape* Reference(const Json& reference) {
    return ShapeOf(reference["shape"].get<std::string>());
  }

  void Fill(const Json& json, Shape* shape) {
    const std::string type = json["type"].get<std::string>();
    for (const auto& [name, value] : kTypes) {
      if (name == type) shape->type = value;
    }
    if (json.contains("min")) shape->min = json["min"].get<int64_t>();
    if (json.contains("max")) shape->max = json["max"].get<int64_t>();
    if (json.contains("enum")) shape->values = json["enum"].get<std::vector<std::string>>();
    shape->is_open = IsOneOf(kOpen, shape->name);
    if (json.contains("pattern")) FillPattern(json["pattern"].get<std::string>(), shape);
    if (shape->type == Shape::Type::kList) shape->item = Reference(json["member"]);
    if (shape->type == Shape::Type::kMap) {
      shape->map_key = Reference(json["key"]);
      shape->item = Reference(json["value"]);
    }
    if (shape->type == Shape::Type::kStructure) FillMembers(json, shape);
  }

  static void FillPattern(const std::string& java, Shape* shape) {
    shape->shown_pattern = (IsOneOf(kShownAnchored, shape->name) ? "^" : "") + java;
    Result<Pattern> pattern = CompileJavaPattern(java);
    if (pattern.ok()) {
      shape->pattern = std::move(pattern).value();
    } else {
      LogError("API model: {}: {}", shape->name, pattern.status().message());
    }
  }

  void FillMembers(const Json& json, Shape* shape) {
    std::vector<std::string> required;
    if (json.contains("required")) required = json["required"].get<std::vector<std::string>>();
    for (const auto& [name, reference] : json["members"].items()) {
      const bool is_required = std::find(required.begin(), required.end(), name) != required.end();
      shape->members.push_back({name, Reference(reference), is_required});
    }
  }

  const Json* source_ = nullptr;  // While it is read.
  std::map<std::string, std::unique_ptr<Shape>> shapes_;
  std::map<std::string, const Shape*, std::less<>> inputs_;
};

}  // namespace

std::vector<std::string> Operations() {
  std::vector<std::string> names;
  for (const auto& input : Model::Get().inputs()) names.push_back(input.first);
  return names;
}

const Shape* InputOf(std::string_view operation) {
  const auto found = Model::Get().inputs().find(operation);
  return found == Model::Get().inputs().end() ? nullptr : found->second;
}

}  // namespace warden::sagemaker
