#include "warden/sagemaker/operations/rule_feed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/rules/catalog/rule_inputs.h"

namespace warden::sagemaker::operations {
namespace {

using NameSet = std::set<std::string, std::less<>>;

// What hooks save without being asked, whatever the framework.
constexpr std::string_view kAlwaysSaved[] = {"losses", "metrics", "sm_metrics"};
// Collections that hooks fill by role under another name.
constexpr std::pair<std::string_view, std::string_view> kOtherHolders[] = {
    {"first_input", "input_image"}, {"first_embedding_input", "input_sequence"}};
// Parts of patterns that find tensors of MXNet and PyTorch, but none of Keras, whose layers have
// "<layer>/inputs" and "<layer>/outputs".
constexpr std::string_view kNotInKeras[] = {"relu_output",   "relu_input", "tanh_input",
                                            "sigmoid_input", "_input_0",   "_output_0",
                                            "ReLU_output"};

// What the request asks the hook to save.
struct Saved {
  NameSet collections;
  bool patterns = false;  // Also tensors by pattern.
  bool everything = false;
  bool keras = false;
};

bool IsOn(const Json* value) {
  const std::string text = TextOf(value);
  return IsTrue(value) || text == "true" || text == "True" || text == "1";
}

Saved SavedBy(const Json& request) {
  Saved saved;
  saved.collections.insert(std::begin(kAlwaysSaved), std::end(kAlwaysSaved));
  const std::string image = TextOf(MemberOf(request, "AlgorithmSpecification", "TrainingImage"));
  saved.keras = image.find("tensorflow") != std::string::npos;
  const Json* hook = MemberOf(request, "DebugHookConfig");
  if (hook == nullptr) return saved;
  if (const Json* parameters = MemberOf(*hook, "HookParameters")) {
    saved.everything = IsOn(MemberOf(*parameters, "save_all"));
    saved.patterns = !TextOf(MemberOf(*parameters, "include_regex")).empty();
  }
  const Json* collections = MemberOf(*hook, "CollectionConfigurations");
  if (collections == nullptr || !collections->is_array()) return saved;
  for (const Json& collection : *collections) {
    saved.collections.insert(TextOf(MemberOf(collection, "CollectionName")));
    const Json* regex = MemberOf(collection, "CollectionParameters", "include_regex");
    saved.patterns = saved.patterns || !TextOf(regex).empty();
  }
  saved.everything = saved.everything || saved.collections.contains("all");
  return saved;
}

bool HasRole(const Saved& saved, const std::string& role) {
  return saved.collections.contains(role) ||
         std::any_of(std::begin(kOtherHolders), std::end(kOtherHolders), [&](const auto& holder) {
           return holder.first == role && saved.collections.contains(holder.second);
         });
}

bool IsUnknownToKeras(const std::string& pattern) {
  return std::any_of(std::begin(kNotInKeras), std::end(kNotInKeras), [&](std::string_view part) {
    return pattern.find(part) != std::string::npos;
  });
}

// A pattern of other frameworks' names alone, for a job that trains with Keras.
bool IsForeign(const Saved& saved, const rules::Selector& selector) {
  return saved.keras && selector.collections.empty() && selector.roles.empty() &&
         !selector.patterns.empty() &&
         std::all_of(selector.patterns.begin(), selector.patterns.end(), IsUnknownToKeras);
}

bool Feeds(const Saved& saved, const rules::Selector& selector) {
  if (selector.all) return true;
  if (selector.empty() || IsForeign(saved, selector)) return false;
  if (saved.everything) return true;
  const auto is_saved = [&](const std::string& name) { return saved.collections.contains(name); };
  const auto has_role = [&](const std::string& role) { return HasRole(saved, role); };
  if (std::any_of(selector.collections.begin(), selector.collections.end(), is_saved) ||
      std::any_of(selector.roles.begin(), selector.roles.end(), has_role)) {
    return true;
  }
  // Tensors that a pattern finds have any role. A user's own pattern may find what is always saved.
  if (saved.patterns) return true;
  return !selector.patterns.empty() && selector.roles.empty();
}

// "labels or predictions": what the rule would look at.
std::string NeedsOf(const rules::RuleInputs& rule) {
  std::vector<std::string> needs;
  for (const rules::Selector& input : rule.selectors) {
    needs.insert(needs.end(), input.collections.begin(), input.collections.end());
    needs.insert(needs.end(), input.roles.begin(), input.roles.end());
    if (!input.roles.empty() || !input.collections.empty()) continue;
    for (const std::string& pattern : input.patterns) {
      needs.push_back(fmt::format("tensors matching '{}'", pattern));
    }
  }
  return fmt::format("{}", fmt::join(needs, " or "));
}

}  // namespace

std::string WhyNotFed(const Json& configuration, const Json& request) {
  const auto rule = rules::InputsOfRule(configuration);
  if (!rule || rule->spec->kind == rules::RuleKind::kProfiler) return "";
  const Saved saved = SavedBy(request);
  const auto& inputs = rule->selectors;
  const auto is_unused = [](const rules::Selector& input) { return input.empty(); };
  const auto feeds = [&](const rules::Selector& input) { return Feeds(saved, input); };
  const auto is_foreign = [&](const rules::Selector& input) { return IsForeign(saved, input); };
  if (std::all_of(inputs.begin(), inputs.end(), is_unused)) return "";
  if (std::any_of(inputs.begin(), inputs.end(), feeds)) return "";
  if (std::any_of(inputs.begin(), inputs.end(), is_foreign)) {
    return fmt::format(
        "{} needs {}, and no tensor of TensorFlow has such a name; without the pattern it finds "
        "them by what they are",
        rule->spec->name, NeedsOf(*rule));
  }
  return fmt::format("DebugHookConfig saves only {}; {} needs {}",
                     fmt::join(saved.collections, ", "), rule->spec->name, NeedsOf(*rule));
}

}  // namespace warden::sagemaker::operations
