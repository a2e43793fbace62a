#include "warden/rules/debug/nan_spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warden::rules {
namespace {

constexpr Step kMostSteps = 10;
constexpr size_t kMostPlaces = 8;
constexpr size_t kMostModules = 4;  // Of one step.
constexpr std::string_view kGradients = "gradients";
constexpr std::string_view kWeights = "weights";

// "gradients", "weights" or, of a tensor that is alone, its name. Numbers about the training loop
// are in no group: they follow from the tensors.
std::string_view GroupOf(const SeenTensor& one) {
  const std::string_view name = one.view->name();
  if (one.place.part == TensorPart::kGradient) return kGradients;
  if (name.starts_with("training/")) return "";
  for (const std::string_view word : {"weight", "bias", "kernel"}) {
    if (name.find(word) != name.npos) return kWeights;
  }
  return name;
}

// "all gradients", "3 of 12 gradients", "loss".
std::string GroupText(std::string_view group, const std::vector<SeenTensor>& seen) {
  size_t all = 0;
  size_t bad = 0;
  for (const SeenTensor& one : seen) {
    if (!one.place.module.empty() || GroupOf(one) != group) continue;
    ++all;
    if (one.bad) ++bad;
  }
  if (group != kGradients && group != kWeights) return std::string(group);
  return bad == all ? fmt::format("all {}", group) : fmt::format("{} of {} {}", bad, all, group);
}

}  // namespace

TensorPlace PlaceOfTensor(std::string_view name) {
  if (name.starts_with("gradient/")) return {TensorPart::kGradient};
  const std::string_view number = name.substr(name.find_last_of('_') + 1);
  const bool numbered = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
  if (!numbered) return {};
  for (const auto& [mark, part] :
       {std::pair("_input_", TensorPart::kInput), std::pair("_output_", TensorPart::kOutput)}) {
    const size_t at = name.rfind(mark);
    if (at != name.npos) return {part, name.substr(0, at)};
  }
  return {};
}

void NanSpread::Begin(Step step, std::string_view tensor) {
  first_ = at_ = step;
  const TensorPlace place = PlaceOfTensor(tensor);
  if (place.part == TensorPart::kOutput) {
    known_.emplace(place.module);
    AddPlace(std::string(place.module));
  } else if (place.part == TensorPart::kInput) {
    AddPlace(fmt::format("input of {}", place.module));
  } else if (place.part == TensorPart::kGradient) {
    AddPlace(fmt::format("gradient of {}", tensor.substr(tensor.find('/') + 1)));
  } else if (!tensor.empty()) {
    known_.emplace(tensor);
    AddPlace(std::string(tensor));
  }
}

void NanSpread::Add(Step step, const std::vector<SeenTensor>& seen) {
  if (first_ < 0) first_ = step;
  at_ = step;
  std::vector<std::string> modules;
  for (const SeenTensor& one : seen) {
    if (!one.bad) continue;
    if (one.place.part == TensorPart::kInput) {
      if (places_.empty() && modules.empty())
        AddPlace(fmt::format("input of {}", one.place.module));
    } else if (one.place.part == TensorPart::kOutput) {
      if (known_.emplace(one.place.module).second) modules.emplace_back(one.place.module);
    } else if (const std::string_view group = GroupOf(one);
               !group.empty() && known_.emplace(group).second) {
      AddModules(std::exchange(modules, {}));
      AddPlace(GroupText(group, seen));
    }
  }
  AddModules(modules);
}

void NanSpread::AddModules(const std::vector<std::string>& modules) {
  const bool all = modules.size() <= kMostModules;
  for (size_t i = 0; i < modules.size(); ++i) {
    if (all || i < 2 || i + 1 == modules.size()) {
      AddPlace(modules[i]);
    } else if (i == 2) {
      AddPlace(fmt::format("{} more modules", modules.size() - 3));
    }
  }
}

void NanSpread::AddPlace(std::string text) {
  if (places_.size() == kMostPlaces) return;
  if (std::exchange(told_, at_) != at_) text += fmt::format(" (step {})", at_);
  places_.push_back(std::move(text));
}

bool NanSpread::IsComplete(Step step) const {
  return places_.size() == kMostPlaces || (first_ >= 0 && step > first_ + kMostSteps);
}

}  // namespace warden::rules
