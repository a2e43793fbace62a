#ifndef WARDEN_CONFIG_COLLECTION_H_
#define WARDEN_CONFIG_COLLECTION_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/pattern.h"
#include "warden/base/status.h"
#include "warden/config/reduction_config.h"
#include "warden/config/save_config.h"

namespace warden::config {

// A named set of tensors with what is saved of them and when.
struct Collection {
  std::string name;
  std::vector<std::string> include_regex;  // Searched, not anchored; in the order given.
  std::set<std::string, std::less<>> tensor_names;
  std::optional<ReductionConfig> reduction_config;  // None: the hook's.
  std::optional<SaveConfig> save_config;            // None: the hook's.
  bool save_histogram = true;

  bool operator==(const Collection&) const = default;
};

// losses, metrics, feature_importance, average_shap, sm_metrics: single numbers. Always saved raw,
// never as histograms, and shown as curves in TensorBoard.
bool IsScalarCollection(std::string_view name);
// Scalar collections and tensorflow_summaries: "raw only" and no histogram, whatever was asked.
bool IsRawOnlyCollection(std::string_view name);

// Tells which tensors belong to a collection: by name or by a pattern.
class CollectionMatcher {
 public:
  // kInvalid names the collection and the pattern that does not compile.
  static Result<CollectionMatcher> Make(const Collection& collection);
  bool Matches(std::string_view tensor) const;

 private:
  std::set<std::string, std::less<>> names_;
  std::vector<Pattern> patterns_;
};

// By name. Also what a run's manifest holds.
using Collections = std::map<std::string, Collection, std::less<>>;

// Who offers tensors: decides which collections exist from the start and which are always saved.
enum class Framework { kPyTorch, kMxNet, kTensorFlow, kXgBoost, kPlain };

// The built-in collections with their patterns. kPlain, for programs that name their tensors
// themselves, has PyTorch's.
Collections BuiltinCollections(Framework framework);
// Names of those that are saved without being asked for.
std::vector<std::string> DefaultCollections(Framework framework);

Json ToJson(const Collection& collection);
// Unknown keys are ignored; a missing include_regex is an empty one; null configurations are none.
Result<Collection> CollectionFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_COLLECTION_H_
