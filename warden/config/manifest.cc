#include "warden/config/manifest.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "warden/base/json.h"
#include "warden/config/json_fields.h"

namespace warden::config {
namespace {

constexpr std::string_view kCollections = "collections";
constexpr std::string_view kMeta = "_meta";
constexpr std::string_view kNumWorkers = "num_workers";
constexpr std::string_view kRoles = "roles";

Status Corrupt(const Status& error) { return Status(Code::kCorrupt, error.message()); }

Status CheckKeys(const Json& json) {
  if (!json.is_object()) return WrongType("an object", json);
  for (const auto& [key, value] : json.items()) {
    if (key == kCollections || key == kMeta) continue;
    return Status(Code::kCorrupt, fmt::format("unknown key {}; expected one of: {}, {}",
                                              Shown(Json(key)), kCollections, kMeta));
  }
  return Status();
}

Result<Collections> ReadCollections(const Json& json) {
  const Json* members = Member(json, kCollections);
  if (members == nullptr) return Status(Code::kCorrupt, "collections is missing");
  if (!members->is_object()) return WrongType("an object", *members).WithContext(kCollections);
  Collections collections;
  for (const auto& [key, value] : members->items()) {
    Result<Collection> collection = CollectionFromJson(value);
    if (!collection.ok()) {
      return collection.status().WithContext(fmt::format("{}.{}", kCollections, key));
    }
    // As in the original, the name inside counts, not the key.
    std::string name = collection.value().name;
    if (name.empty()) name = collection.value().name = key;
    collections.insert_or_assign(std::move(name), std::move(collection).value());
  }
  return collections;
}

Result<int> ReadNumWorkers(const Json& json) {
  const Json* meta = Member(json, kMeta);
  if (meta == nullptr) return 1;
  std::optional<int64_t> workers = 1;
  Fields fields(*meta);
  fields.Read(kNumWorkers, &workers);
  if (!fields.status().ok()) return fields.status().WithContext(kMeta);
  if (*workers < 0 || *workers > std::numeric_limits<int>::max()) {
    return Status(Code::kCorrupt, fmt::format("{}.{} is {}; expected a non-negative 32-bit integer",
                                              kMeta, kNumWorkers, *workers));
  }
  return static_cast<int>(*workers);
}

Result<Roles> ReadRoles(const Json& json) {
  const Json* meta = Member(json, kMeta);
  const Json* members = meta == nullptr ? nullptr : Member(*meta, kRoles);
  Roles roles;
  if (members == nullptr) return roles;
  Fields fields(*members);
  if (fields.status().ok()) {
    for (const auto& [role, names] : members->items()) fields.Read(role, &roles[role]);
  }
  if (!fields.status().ok())
    return fields.status().WithContext(fmt::format("{}.{}", kMeta, kRoles));
  return roles;
}

}  // namespace

std::string EncodeManifest(const Manifest& manifest) {
  Json collections = Json::object();
  for (const auto& [name, collection] : manifest.collections) {
    collections[name] = ToJson(collection);
  }
  Json json = Json::object();
  json[std::string(kCollections)] = std::move(collections);
  Json& meta = json[std::string(kMeta)] = {{kNumWorkers, manifest.num_workers}};
  for (const auto& [role, names] : manifest.roles) meta[std::string(kRoles)][role] = names;
  return DumpLikePython(json);
}

Result<Manifest> ParseManifest(std::string_view text) {
  Result<Json> json = ParseJson(text);
  if (!json.ok()) return json.status();
  if (Status status = CheckKeys(json.value()); !status.ok()) return Corrupt(status);
  Result<Collections> collections = ReadCollections(json.value());
  if (!collections.ok()) return Corrupt(collections.status());
  Result<int> workers = ReadNumWorkers(json.value());
  if (!workers.ok()) return Corrupt(workers.status());
  Result<Roles> roles = ReadRoles(json.value());
  if (!roles.ok()) return Corrupt(roles.status());
  return Manifest{std::move(collections).value(), workers.value(), std::move(roles).value()};
}

}  // namespace warden::config
