#include "warden/rules/training/training_log.h"

#include <fmt/format.h>

#include "warden/base/json_members.h"
#include "warden/rules/finite_statistics.h"

namespace warden::rules {
namespace {

constexpr std::string_view kLogPrefix = "training/";
constexpr std::string_view kFacts = "facts";

}  // namespace

Selector TrainingLog::Input() { return {.patterns = {"^training/"}}; }

void TrainingLog::Read(const StepView::Tensors& tensors) {
  ++reads_;
  facts_are_new_ = false;
  for (TensorView* tensor : tensors) {
    if (!tensor->name().starts_with(kLogPrefix)) continue;
    if (worker_.empty()) worker_ = tensor->worker();
    if (tensor->worker() != worker_) continue;
    const std::string_view name = tensor->name().substr(kLogPrefix.size());
    const trial::TensorValue* raw = tensor->Raw();
    if (raw == nullptr) continue;
    if (name == kFacts) {
      auto facts = ParseJson(AsText(raw->ref().bytes()));
      if (!facts.ok() || !facts.value().is_object()) continue;
      facts_ = std::move(facts.value());
      facts_are_new_ = true;
      modules_.clear();
      const Json* parameters = MemberOf(facts_, "parameters");
      if (parameters == nullptr || !parameters->is_array()) continue;
      for (const Json& row : *parameters) {
        if (!row.is_array() || row.size() < 2 || !row[0].is_string() || !row[1].is_string())
          continue;
        const bool has_rank = row.size() > 2 && row[2].is_number_integer();
        modules_[row[0].get<std::string>()] = {row[1].get<std::string>(),
                                               has_rank ? row[2].get<int64_t>() : 0};
      }
    } else if (const auto value = Mean(*tensor)) {
      const auto found = numbers_.find(name);
      if (found == numbers_.end()) {
        numbers_.emplace(std::string(name), Number{value->value, reads_});
      } else {
        found->second = {value->value, reads_};
      }
    }
  }
}

std::optional<double> TrainingLog::Now(std::string_view name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end() || found->second.at != reads_) return std::nullopt;
  return found->second.value;
}

std::optional<double> TrainingLog::Last(std::string_view name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) return std::nullopt;
  return found->second.value;
}

std::vector<std::pair<std::string_view, double>> TrainingLog::NowIn(std::string_view group) const {
  std::vector<std::pair<std::string_view, double>> found;
  const std::string begin = fmt::format("{}/", group);
  for (auto at = numbers_.lower_bound(begin); at != numbers_.end(); ++at) {
    if (!at->first.starts_with(begin)) break;
    if (at->second.at != reads_) continue;
    found.emplace_back(std::string_view(at->first).substr(begin.size()), at->second.value);
  }
  return found;
}

std::string TrainingLog::Text(std::string_view fact) const {
  const Json* value = MemberOf(facts_, fact);
  return TextOf(value);
}

std::vector<std::string> TrainingLog::Names(std::string_view fact) const {
  const Json* value = MemberOf(facts_, fact);
  std::vector<std::string> names;
  if (value == nullptr) return names;
  if (value->is_object()) {
    for (const auto& [key, ignored] : value->items()) names.push_back(key);
  } else if (value->is_array()) {
    for (const Json& one : *value) {
      if (one.is_string()) names.push_back(one.get<std::string>());
    }
  }
  return names;
}

std::string TrainingLog::Line(std::string_view fact) const {
  const std::string line = Text(fact);
  return line.empty() ? "" : fmt::format(" ({})", line);
}

std::string_view TrainingLog::ModuleOf(std::string_view parameter) const {
  const auto found = modules_.find(parameter);
  return found == modules_.end() ? std::string_view() : found->second.kind;
}

int64_t TrainingLog::RankOf(std::string_view parameter) const {
  const auto found = modules_.find(parameter);
  return found == modules_.end() ? 0 : found->second.rank;
}

std::string SomeOf(const std::vector<std::string>& names, size_t most) {
  std::string text;
  for (size_t i = 0; i < names.size() && i < most; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", Short(names[i]));
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

std::string_view Short(std::string_view parameter) {
  const size_t cut = parameter.find('_');
  return cut == parameter.npos ? parameter : parameter.substr(cut + 1);
}

}  // namespace warden::rules
