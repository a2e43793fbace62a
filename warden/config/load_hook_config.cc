// LoadHookConfig and ReadHookConfigFile of hook_config.h: what the files and the environment around
// a job say.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

#include "warden/base/json.h"
#include "warden/config/hook_config.h"
#include "warden/config/json_fields.h"
#include "warden/config/keys.h"

namespace warden::config {
namespace {

std::string Environment(const char* name, std::string_view fallback) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::string(fallback) : value;
}

// By C's functions: the streams of C++ tell some failures by exception.
Result<std::string> ReadFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (file == nullptr && (errno == ENOENT || errno == ENOTDIR)) {
    return Status(Code::kNotFound, fmt::format("cannot open '{}': no such file", path));
  }
  std::string text;
  char buffer[4096];
  size_t got = 0;
  while (file != nullptr && (got = std::fread(buffer, 1, sizeof(buffer), file.get())) > 0) {
    text.append(buffer, got);
  }
  if (file == nullptr || std::ferror(file.get()) != 0) {
    return Status(Code::kIo, fmt::format("cannot read '{}': {}", path,
                                         std::generic_category().message(errno)));
  }
  return text;
}

// The folder that a SageMaker job's TensorBoard configuration names; empty without such a file.
Result<std::string> JobTensorBoardDir() {
  const std::string path = Environment(kTensorBoardPathVariable, kDefaultTensorBoardConfigPath);
  Result<std::string> text = ReadFile(path);
  if (text.status().code() == Code::kNotFound) return std::string();
  if (!text.ok()) return text.status();
  Result<Json> json = ParseJson(text.value());
  if (!json.ok()) return json.status().WithContext(path);
  std::string dir;
  Fields fields(json.value());
  fields.Read("LocalPath", &dir);
  if (!fields.status().ok()) return fields.status().WithContext(path);
  return dir;
}

}  // namespace

Result<HookConfigFile> ReadHookConfigFile(std::string_view path) {
  HookConfigFile file;
  file.path =
      path.empty() ? Environment(kConfigPathVariable, kDefaultConfigPath) : std::string(path);
  Result<std::string> text = ReadFile(file.path);
  if (!text.ok()) return text.status().WithContext("hook configuration");
  file.text = std::move(text).value();
  return file;
}

Result<HookConfig> LoadHookConfig(std::string_view path, Framework framework) {
  Result<HookConfigFile> file = ReadHookConfigFile(path);
  if (!file.ok()) return file.status();
  Result<HookConfig> config = ParseHookConfig(file.value().text, framework);
  if (!config.ok()) return config.status().WithContext(file.value().path);
  if (std::getenv(kJobNameVariable) == nullptr) return config;
  Result<std::string> dir = JobTensorBoardDir();
  if (!dir.ok()) return dir.status();
  config.value().export_tensorboard = !dir.value().empty();
  config.value().tensorboard_dir = std::move(dir).value();
  return config;
}

}  // namespace warden::config
