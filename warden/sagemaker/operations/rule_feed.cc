#include "warden/sagemaker/operations/rule_feed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/catalog/rule_config.h"

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

// The rule of a configuration, with its inputs. Nothing: a custom one, or one that is refused
// later.
struct Made {
  const rules::RuleSpec* spec = nullptr;
  std::vector<rules::Selector> inputs;
};
std::optional<Made> Make(const Json& configuration) {
  if (MemberOf(configuration, "RuleParameters", "source_s3_uri") != nullptr) return std::nullopt;
  const auto configs = rules::RuleConfigsFromJson(Json::array({configuration}));
  if (!configs.ok()) return std::nullopt;
  rules::RuleConfig config = configs.value().front();
  config.params.erase("base_trial");  // As PrepareRules does.
  const auto found = rules::FindRule(config.rule);
  if (!found.ok()) return std::nullopt;
  const rules::RuleEntry& entry = *found.value().entry;
  const auto params =
      rules::Params::Read(entry.spec->name, rules::AllParams(*entry.spec), config.params);
  if (!params.ok()) return std::nullopt;
  const auto rule = entry.make(params.value());
  if (!rule.ok()) return std::nullopt;
  return Made{entry.spec, rule.value()->inputs()};
}

// "labels or predictions": what the rule would look at.
std::string NeedsOf(const Made& made) {
  std::vector<std::string> needs;
  for (const rules::Selector& input : made.inputs) {
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
  const auto made = Make(configuration);
  if (!made || made->spec->kind == rules::RuleKind::kProfiler) return "";
  const Saved saved = SavedBy(request);
  const auto& inputs = made->inputs;
  const auto is_unused = [](const rules::Selector& input) { return input.empty(); };
  const auto feeds = [&](const rules::Selector& input) { return Feeds(saved, input); };
  const auto is_foreign = [&](const rules::Selector& input) { return IsForeign(saved, input); };
  if (std::all_of(inputs.begin(), inputs.end(), is_unused)) return "";
  if (std::any_of(inputs.begin(), inputs.end(), feeds)) return "";
  if (std::any_of(inputs.begin(), inputs.end(), is_foreign)) {
    return fmt::format(
        "{} needs {}, and no tensor of TensorFlow has such a name; without the pattern it finds "
        "them by what they are",
        made->spec->name, NeedsOf(*made));
  }
  return fmt::format("DebugHookConfig saves only {}; {} needs {}",
                     fmt::join(saved.collections, ", "), made->spec->name, NeedsOf(*made));
}

}  // namespace warden::sagemaker::operations
