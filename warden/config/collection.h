#ifndef WARDEN_CONFIG_COLLECTION_H_
#define WARDEN_CONFIG_COLLECTION_H_

#include <initializer_list>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/pattern.h"
#include "warden/base/status.h"
#include "warden/config/reduction_config.h"
#include "warden/config/save_config.h"

namespace warden::config {

// Collections: which tensors are saved together, and the ones that every framework has from the
// start. Used by capture to decide, by trial to read what was decided, by rules to select tensors.
//
//   Collections collections = BuiltinCollections(Framework::kPyTorch);
//   collections["activations"].include_regex = {"relu_output"};
//   const auto matcher = CollectionMatcher::Make(collections.at("activations"));
//   if (matcher.ok() && matcher.value().Matches("net.relu_output_0")) ...

// A named set of tensors with what is saved of them and when. A plain value; nothing is checked
// until CollectionMatcher::Make or PrepareCollections (hook_config.h). Its name in a Collections
// counts where the two differ.
struct Collection {
  std::string name;
  // As users of Python's re write them (base/pattern.h); searched anywhere in the name, not
  // anchored; in the order given.
  std::vector<std::string> include_regex;
  std::set<std::string, std::less<>> tensor_names;  // Also belong to it, whatever the patterns.
  std::optional<ReductionConfig> reduction_config;  // None: the hook's.
  std::optional<SaveConfig> save_config;            // None: the hook's.
  bool save_histogram = true;                       // For TensorBoard, where that is exported.

  bool operator==(const Collection&) const = default;
};

// losses, metrics, feature_importance, average_shap, sm_metrics, scalars: single numbers. Always
// saved raw, never as histograms, and shown as curves in TensorBoard.
bool IsScalarCollection(std::string_view name);
// Scalar collections and tensorflow_summaries: "raw only" and no histogram, whatever was asked.
bool IsRawOnlyCollection(std::string_view name);

// Decides which tensors belong to a collection: by name or by a pattern. Safe for many threads.
// Copies share the compiled patterns.
class CollectionMatcher {
 public:
  // Compiles the patterns; the collection is not referred to afterwards. kInvalid names the
  // collection and the pattern that does not compile.
  static Result<CollectionMatcher> Make(const Collection& collection);
  // Tries the names, then one pattern after the other: remember the answer for each tensor.
  bool Matches(std::string_view tensor) const;

 private:
  std::set<std::string, std::less<>> names_;
  std::vector<Pattern> patterns_;
};

// Collections by name, in the order in which they were added, which is the order of manifests and
// of what users are shown. Used as a std::map; addresses of elements stay until the element is
// erased. Searched one by one: a run has a dozen or so. Safe for many threads as long as nobody
// changes it. Iterators stay valid like addresses.
class Collections {
 public:
  using value_type = std::pair<const std::string, Collection>;
  using iterator = std::list<value_type>::iterator;
  using const_iterator = std::list<value_type>::const_iterator;

  Collections() = default;
  Collections(std::initializer_list<value_type> items);
  Collections(const Collections&) = default;
  Collections(Collections&&) = default;
  Collections& operator=(Collections other) noexcept;

  iterator begin() { return items_.begin(); }
  iterator end() { return items_.end(); }
  const_iterator begin() const { return items_.begin(); }
  const_iterator end() const { return items_.end(); }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }

  // Exact names: case matters. end() if there is none.
  iterator find(std::string_view name);
  const_iterator find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name) != end(); }
  size_t count(std::string_view name) const { return contains(name) ? 1 : 0; }
  // REQUIRES: contains(name).
  Collection& at(std::string_view name) { return find(name)->second; }
  const Collection& at(std::string_view name) const { return find(name)->second; }

  // The collection of that name; added, with the name filled in, if there is none.
  Collection& operator[](std::string_view name);
  // Adds at the end; leaves one of that name as it is. Here and below the key counts: the name
  // inside of the collection is not compared with it. The bool says whether one was added.
  std::pair<iterator, bool> emplace(std::string name, Collection collection);
  std::pair<iterator, bool> insert(value_type item);
  // Adds at the end, or replaces the one of that name in its place.
  std::pair<iterator, bool> insert_or_assign(std::string name, Collection collection);
  iterator erase(const_iterator position) { return items_.erase(position); }
  // How many were removed: 0 or 1.
  size_t erase(std::string_view name);
  void clear() { items_.clear(); }

  // The same collections, in whatever order.
  bool operator==(const Collections& other) const;

 private:
  std::list<value_type> items_;
};

// Who offers tensors: decides which collections exist from the start and which are always saved.
enum class Framework { kPyTorch, kMxNet, kTensorFlow, kXgBoost, kPlain };
inline constexpr Framework kAllFrameworks[] = {Framework::kPyTorch, Framework::kMxNet,
                                               Framework::kTensorFlow, Framework::kXgBoost,
                                               Framework::kPlain};

// The built-in collections with their patterns, in the order in which the original's recorded
// manifests have them. kPlain, for programs that name their tensors themselves, has PyTorch's.
Collections BuiltinCollections(Framework framework);
// Names of those that are saved without being asked for. All of them are in BuiltinCollections of
// the same framework.
std::vector<std::string> DefaultCollections(Framework framework);

// The form of manifests: an object with the members of Collection, in the original's order.
Json ToJson(const Collection& collection);
// Unknown keys are ignored; missing or null members are those of an empty Collection, the name
// included. kInvalidType for a member of the wrong type, kInvalid for a value that is not accepted;
// the message names the member. Patterns are not compiled here.
Result<Collection> CollectionFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_COLLECTION_H_
