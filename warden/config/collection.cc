#include "warden/config/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "warden/base/json.h"
#include "warden/config/json_fields.h"

namespace warden::config {
namespace {

constexpr std::array<std::string_view, 6> kScalarCollections = {
    "losses", "metrics", "feature_importance", "average_shap", "sm_metrics", "scalars"};

template <class T>
Json OrNull(const std::optional<T>& config) {
  return config ? ToJson(*config) : Json();
}

// *out from the member of that name; no value for a missing or null one.
template <class T>
Status ReadConfig(const Json& json, std::string_view name, Result<T> (*parse)(const Json&),
                  std::optional<T>* out) {
  const Json* member = Member(json, name);
  if (member == nullptr) return Status();
  Result<T> config = parse(*member);
  if (!config.ok()) return config.status().WithContext(name);
  *out = std::move(config).value();
  return Status();
}

}  // namespace

bool IsScalarCollection(std::string_view name) {
  return std::find(kScalarCollections.begin(), kScalarCollections.end(), name) !=
         kScalarCollections.end();
}

bool IsRawOnlyCollection(std::string_view name) {
  return IsScalarCollection(name) || name == "tensorflow_summaries";
}

Result<CollectionMatcher> CollectionMatcher::Make(const Collection& collection) {
  CollectionMatcher matcher;
  matcher.names_ = collection.tensor_names;
  for (const std::string& regex : collection.include_regex) {
    Result<Pattern> pattern = Pattern::Compile(regex);
    if (!pattern.ok()) {
      return pattern.status().WithContext(fmt::format("collection '{}'", collection.name));
    }
    matcher.patterns_.push_back(std::move(pattern).value());
  }
  return matcher;
}

bool CollectionMatcher::Matches(std::string_view tensor) const {
  return names_.contains(tensor) ||
         std::any_of(patterns_.begin(), patterns_.end(),
                     [tensor](const Pattern& pattern) { return pattern.Search(tensor); });
}

Json ToJson(const Collection& collection) {
  Json json = Json::object();
  json["name"] = collection.name;
  json["include_regex"] = collection.include_regex;
  json["tensor_names"] = collection.tensor_names;
  json["reduction_config"] = OrNull(collection.reduction_config);
  json["save_config"] = OrNull(collection.save_config);
  json["save_histogram"] = collection.save_histogram;
  return json;
}

Result<Collection> CollectionFromJson(const Json& json) {
  Collection collection;
  std::vector<std::string> names;
  Fields fields(json);
  fields.Read("name", &collection.name);
  // A collection without patterns, read and written again by the original, has false here.
  const Json* regexes = Member(json, "include_regex");
  if (regexes == nullptr || *regexes != Json(false)) {
    fields.Read("include_regex", &collection.include_regex);
  }
  fields.Read("tensor_names", &names);
  fields.Read("save_histogram", &collection.save_histogram);
  if (!fields.status().ok()) return fields.status();
  collection.tensor_names.insert(names.begin(), names.end());
  if (Status status = ReadConfig(json, "reduction_config", ReductionConfigFromJson,
                                 &collection.reduction_config);
      !status.ok()) {
    return status;
  }
  Status status = ReadConfig(json, "save_config", SaveConfigFromJson, &collection.save_config);
  if (!status.ok()) return status;
  return collection;
}

}  // namespace warden::config
