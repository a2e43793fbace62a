#include "warden/rules/selector.h"

#include <fmt/format.h>

#include <algorithm>

namespace warden::rules {

std::string Selector::Describe() const {
  if (all) return "anything";
  std::vector<std::string> parts;
  for (const std::string& name : collections) parts.push_back("collection " + name);
  for (const std::string& pattern : patterns) parts.push_back(pattern);
  for (const std::string& role : roles) parts.push_back("role " + role);
  return fmt::format("{}", fmt::join(parts, " or "));
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
  return all_ ||
         std::any_of(collections_.begin(), collections_.end(),
                     [&](const auto& collection) { return collection.Matches(tensor); }) ||
         std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const Pattern& pattern) { return pattern.Search(tensor); }) ||
         std::any_of(prefixes_.begin(), prefixes_.end(),
                     [&](const std::string& prefix) { return tensor.starts_with(prefix); });
}

}  // namespace warden::rules
