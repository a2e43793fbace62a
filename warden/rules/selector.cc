#include "warden/rules/selector.h"

#include <fmt/format.h>

#include <algorithm>

namespace warden::rules {
namespace {

// What was observed of the training loop. It is saved like tensors, but is none of the model.
constexpr std::string_view kTrainingLog = "training/";

struct RoleText {
  std::string_view role;
  std::string_view text;
};
constexpr RoleText kRoleTexts[] = {
    {"relu_input", "ReLU inputs"},
    {"relu_output", "ReLU outputs"},
    {"tanh_input", "tanh inputs"},
    {"sigmoid_input", "sigmoid inputs"},
    {"first_input", "model inputs"},
    {"first_embedding_input", "embedding inputs"},
    {"labels", "labels"},
    {"predictions", "predictions"},
};
// Collections whose name says what they hold.
constexpr std::string_view kTellingNames[] = {"weights", "biases", "gradients",      "losses",
                                              "metrics", "trees",  "hyperparameters"};

std::string TextOfRole(std::string_view role) {
  for (const RoleText& known : kRoleTexts) {
    if (known.role == role) return std::string(known.text);
  }
  return fmt::format("tensors with role {}", role);
}

std::string TextOfCollection(const std::string& name) {
  const bool tells = std::find(std::begin(kTellingNames), std::end(kTellingNames), name) !=
                     std::end(kTellingNames);
  return tells ? name : fmt::format("tensors in collection {}", name);
}

// "a", "a or b", "a, b or c".
std::string Listed(const std::vector<std::string>& texts, std::string_view last) {
  if (texts.size() == 1) return texts[0];
  return fmt::format("{} {} {}", fmt::join(texts.begin(), texts.end() - 1, ", "), last,
                     texts.back());
}

// What a selector looks for, in words. Patterns beside a role are how frameworks call what plays
// it.
std::vector<std::string> TextsOf(const Selector& selector) {
  std::vector<std::string> texts;
  for (const std::string& role : selector.roles) texts.push_back(TextOfRole(role));
  if (!texts.empty()) return texts;
  for (const std::string& name : selector.collections) texts.push_back(TextOfCollection(name));
  for (const std::string& pattern : selector.patterns) {
    texts.push_back(fmt::format("tensors matching '{}'", pattern));
  }
  return texts;
}

std::string HowToSave(const std::vector<Selector>& selectors) {
  std::vector<std::string> collections;
  for (const Selector& selector : selectors) {
    if (!selector.roles.empty()) return "add --save-all";
    collections.insert(collections.end(), selector.collections.begin(), selector.collections.end());
  }
  if (collections.empty()) return "check the pattern, or save the tensors with --include-regex";
  return fmt::format("save the {} {}", collections.size() == 1 ? "collection" : "collections",
                     Listed(collections, "and"));
}

}  // namespace

bool Selector::NamesTrainingLoop() const {
  return std::any_of(patterns.begin(), patterns.end(),
                     [](const std::string& text) { return text.find(kTrainingLog) != text.npos; });
}

std::string WhyNothingMatched(const std::vector<Selector>& selectors) {
  std::vector<Selector> used;
  std::vector<std::string> texts;
  for (const Selector& selector : selectors) {
    if (selector.all) return "no tensors were saved";
    if (selector.empty()) continue;
    used.push_back(selector);
    for (std::string& text : TextsOf(selector)) {
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
        texts.push_back(std::move(text));
      }
    }
  }
  if (texts.empty()) return "no tensors were saved";
  return fmt::format("no {} were saved; {}", Listed(texts, "or"), HowToSave(used));
}

Selector SelectorFrom(const Params& params, Selector fallback) {
  Selector selector;
  selector.collections = params.List("collection_names");
  selector.patterns = params.List("tensor_regex");
  return selector.empty() ? std::move(fallback) : selector;
}

Result<Matcher> Matcher::Make(const Selector& selector, const trial::Trial& trial) {
  Matcher matcher;
  matcher.all_ = selector.all;
  matcher.log_ = selector.NamesTrainingLoop();
  for (const std::string& name : selector.collections) {
    const auto found = trial.collections().find(name);
    if (found == trial.collections().end()) continue;
    auto collection = config::CollectionMatcher::Make(found->second);
    if (!collection.ok()) return collection.status();
    matcher.collections_.push_back(std::move(collection.value()));
  }
  for (const std::string& text : selector.patterns) {
    auto pattern = Pattern::Compile(text);
    if (!pattern.ok()) return pattern.status();
    matcher.patterns_.push_back(std::move(pattern.value()));
  }
  for (const std::string& role : selector.roles) {
    const auto found = trial.roles().find(role);
    if (found == trial.roles().end()) continue;
    matcher.prefixes_.insert(matcher.prefixes_.end(), found->second.begin(), found->second.end());
  }
  return matcher;
}

bool Matcher::Matches(std::string_view tensor) const {
  if (!log_ && tensor.starts_with(kTrainingLog)) return false;
  return all_ ||
         std::any_of(collections_.begin(), collections_.end(),
                     [&](const auto& collection) { return collection.Matches(tensor); }) ||
         std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const Pattern& pattern) { return pattern.Search(tensor); }) ||
         std::any_of(prefixes_.begin(), prefixes_.end(),
                     [&](const std::string& prefix) { return tensor.starts_with(prefix); });
}

}  // namespace warden::rules
