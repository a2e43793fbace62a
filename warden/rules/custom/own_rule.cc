#include "warden/rules/custom/own_rule.h"

#include <fmt/format.h>

#include <filesystem>

#include "warden/rules/custom/python_rule.h"
#include "warden/rules/custom/shared_object_rule.h"

namespace warden::rules {
namespace {

Status CheckSource(const std::string& source) {
  if (source.find("://") != std::string::npos) {
    return Status(Code::kInvalid, "remote files cannot be loaded; copy the file to this machine");
  }
  std::error_code error;
  if (!std::filesystem::exists(source, error)) {
    return Status(Code::kInvalid, "no such file");
  }
  if (!std::filesystem::is_regular_file(source, error)) {
    return Status(Code::kInvalid, "not a regular file");
  }
  return Status();
}

Result<LoadedRule> Load(const RuleConfig& config, const std::string& title) {
  if (Status status = CheckSource(config.source); !status.ok()) {
    return status.WithContext(config.source);
  }
  if (config.source.ends_with(".py")) return LoadPythonRule(config, title);
  if (config.source.ends_with(".so")) return LoadSharedObjectRule(config, title);
  return Status(Code::kInvalid, fmt::format("{}: expected a .py or .so file", config.source));
}

}  // namespace

Result<PreparedRule> PrepareOwnRule(RuleConfig config) {
  auto loaded = Load(config, fmt::format("{}:{}", config.source, config.rule));
  if (!loaded.ok()) return loaded.status();
  LoadedRule& own = loaded.value();
  return PreparedRule{std::move(config), own.spec, std::move(own.params), std::move(own.rule)};
}

}  // namespace warden::rules
