#include "warden/watch/local/profiling_change.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/os/process_table.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::watch {
namespace {

constexpr std::string_view kVariable = "SMPROFILER_CONFIG_PATH=";
constexpr char kParameters[] = "ProfilingParameters", kLocalPath[] = "LocalPath";
constexpr size_t kLargestConfig = 1 << 20;
constexpr mode_t kMode = 0644;

// Gives the keys of an object the spelling that those of `like` have, in objects within it, too.
void SpellKeysLike(const Json& like, Json* object) {
  if (!like.is_object() || !object->is_object()) return;
  std::map<std::string, std::string> known;  // In lower case.
  for (const auto& [key, value] : object->items()) known[LowerAscii(key)] = key;
  for (const auto& [key, value] : like.items()) {
    const auto found = known.find(LowerAscii(key));
    if (found == known.end()) continue;
    if (found->second != key) {
      (*object)[key] = std::move((*object)[found->second]);
      object->erase(found->second);
    }
    SpellKeysLike(value, &(*object)[key]);
  }
}

}  // namespace

Result<std::string> ProfilerConfigOf(pid_t pid) {
  if (!os::StartOfProcess(pid)) {
    return Status(Code::kNotFound, fmt::format("there is no process {}", pid));
  }
  const auto environment = os::ReadWholeFile(fmt::format("/proc/{}/environ", pid));
  if (!environment) {
    return Status(Code::kIo, fmt::format("process {} belongs to another user", pid));
  }
  // Words that end with a NUL each.
  for (const char* word = environment->c_str(); word < environment->c_str() + environment->size();
       word += std::string_view(word).size() + 1) {
    const std::string_view text(word);
    if (text.starts_with(kVariable) && text.size() > kVariable.size()) {
      return std::string(text.substr(kVariable.size()));
    }
  }
  return Status(Code::kUnavailable,
                fmt::format("process {} was started without profiling: neither by 'warden run' "
                            "(with --profile other than off) nor with $SMPROFILER_CONFIG_PATH",
                            pid));
}

Status ChangeProfiling(const std::string& config_file, const Json& change) {
  const auto text = os::ReadPlainFile(config_file, kLargestConfig);
  auto read = text ? ParseJson(*text) : Result<Json>(Json::object());
  if (!read.ok() || !read.value().is_object()) {
    return Status(Code::kInvalid, fmt::format("{}: expected a JSON object", config_file));
  }
  Json& config = read.value();
  SpellKeysLike(change, &config);
  config.merge_patch(change);
  const auto parameters = config.find(kParameters);
  if (parameters != config.end() && parameters->is_object() && !parameters->empty()) {
    SpellKeysLike({{kLocalPath, ""}}, &*parameters);
    if (!parameters->contains(kLocalPath)) {
      (*parameters)[kLocalPath] = std::filesystem::path(config_file).parent_path().string();
    }
  }
  return os::ReplaceFile(config_file, DumpLikePython(config) + "\n", kMode);
}

}  // namespace warden::watch
