#include <fmt/format.h>

#include <utility>

#include "warden/base/json.h"
#include "warden/config/hook_config.h"
#include "warden/config/json_fields.h"

namespace warden::config {
namespace {

Status ReadCollections(const Json& list, Collections* out) {
  if (!list.is_array()) return WrongType("a list", list);
  for (const Json& item : list) {
    Result<Collection> collection = CollectionFromJson(item);
    if (!collection.ok()) return collection.status();
    std::string name = collection.value().name;
    out->insert_or_assign(std::move(name), std::move(collection).value());
  }
  return Status();
}

}  // namespace

Json ToJson(const HookConfig& config) {
  Json collections = Json::array();
  for (const auto& [name, collection] : config.collections) {
    collections.push_back(ToJson(collection));
  }
  return {{"out_dir", config.out_dir},
          {"export_tensorboard", config.export_tensorboard},
          {"tensorboard_dir", config.tensorboard_dir},
          {"dry_run", config.dry_run},
          {"save_config", ToJson(config.save_config)},
          {"reduction_config", ToJson(config.reduction_config)},
          {"include_regex", config.include_regex},
          {"include_collections", config.include_collections},
          {"save_all", config.save_all},
          {"all_workers", config.all_workers},
          {"fsync", FsyncName(config.fsync)},
          {"collections", std::move(collections)}};
}

Result<HookConfig> HookConfigFromJson(const Json& json) {
  HookConfig config;
  Fields fields(json);
  fields.Read("out_dir", &config.out_dir);
  fields.Read("export_tensorboard", &config.export_tensorboard);
  fields.Read("tensorboard_dir", &config.tensorboard_dir);
  fields.Read("dry_run", &config.dry_run);
  fields.Read("include_regex", &config.include_regex);
  fields.Read("include_collections", &config.include_collections);
  fields.Read("save_all", &config.save_all);
  fields.Read("all_workers", &config.all_workers);
  std::string fsync(FsyncName(config.fsync));
  fields.Read("fsync", &fsync);
  if (!fields.status().ok()) return fields.status();
  if (const auto parsed = ParseFsync(fsync)) {
    config.fsync = *parsed;
  } else {
    return Status(Code::kInvalid,
                  fmt::format("fsync is '{}'; expected one of: off, step, close", fsync));
  }
  if (const Json* member = Member(json, "save_config")) {
    Result<SaveConfig> read = SaveConfigFromJson(*member);
    if (!read.ok()) return read.status().WithContext("save_config");
    config.save_config = std::move(read).value();
  }
  if (const Json* member = Member(json, "reduction_config")) {
    Result<ReductionConfig> read = ReductionConfigFromJson(*member);
    if (!read.ok()) return read.status().WithContext("reduction_config");
    config.reduction_config = std::move(read).value();
  }
  if (const Json* member = Member(json, "collections")) {
    if (Status read = ReadCollections(*member, &config.collections); !read.ok()) {
      return read.WithContext("collections");
    }
  }
  return config;
}

}  // namespace warden::config
