#include "warden/config/profiler_config.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/config/json_fields.h"

namespace warden::config {
namespace {

constexpr std::string_view kDisable = "DisableProfiler";
constexpr std::string_view kInterval = "ProfilingIntervalInMilliseconds";
constexpr std::string_view kLocalPath = "LocalPath";
constexpr std::string_view kProfilingParameters = "ProfilingParameters";
constexpr std::chrono::milliseconds kBetweenLooks(200);
constexpr size_t kLongestFile = size_t{1} << 20;

// The member of that name, whatever its case; the last of several. Null if it is not there or null.
const Json* FindMember(const Json& json, std::string_view name) {
  const Json* found = nullptr;
  if (!json.is_object()) return found;
  const std::string wanted = LowerAscii(name);
  for (const auto& [key, value] : json.items()) {
    if (LowerAscii(key) == wanted && !value.is_null()) found = &value;
  }
  return found;
}

// At the top, else among the parameters.
const Json* FindSetting(const Json& json, std::string_view name) {
  if (const Json* value = FindMember(json, name)) return value;
  const Json* parameters = FindMember(json, kProfilingParameters);
  return parameters == nullptr ? nullptr : FindMember(*parameters, name);
}

Status Refused(std::string_view key, const Json& value, std::string_view accepted) {
  return Status(Code::kInvalid, fmt::format("{} is {}; expected {}", key, Shown(value), accepted));
}

Result<bool> ReadTruth(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) {
    const std::string text = LowerAscii(Trim(value.get<std::string>()));
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
  }
  const auto number = WholeNumber(value);
  if (number && (*number == 0 || *number == 1)) return *number == 1;
  return Refused(kDisable, value, "true or false");
}

Result<std::chrono::milliseconds> ReadInterval(const Json& value) {
  const std::string accepted = fmt::format("a whole number of milliseconds from {} to {}",
                                           kShortestInterval.count(), kLongestInterval.count());
  std::optional<int64_t> number = WholeNumber(value);
  if (value.is_string()) {
    const auto read = ParseDouble(Trim(value.get<std::string>()));
    if (read && std::trunc(*read) == *read) number = WholeNumber(Json(*read));
  }
  if (!number || !CheckInterval(*number).ok()) return Refused(kInterval, value, accepted);
  return std::chrono::milliseconds(*number);
}

Result<std::string> ReadProfilerFile(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT) {
    return Status(Code::kNotFound, fmt::format("cannot open {}: no such file", path));
  }
  std::string text(kLongestFile + 1, '\0');
  size_t length = 0;
  ssize_t got = fd < 0 ? -1 : 1;
  while (got > 0 && length < text.size()) {
    got = read(fd, text.data() + length, text.size() - length);
    if (got > 0) length += static_cast<size_t>(got);
  }
  const int error = errno;
  if (fd >= 0) close(fd);
  if (got < 0) {
    return Status(Code::kIo,
                  fmt::format("cannot read {}: {}", path, std::generic_category().message(error)));
  }
  if (length > kLongestFile) {
    return Status(Code::kInvalid, fmt::format("{} is longer than {} bytes", path, kLongestFile));
  }
  text.resize(length);
  return text;
}

bool IsRecent(int64_t changed_ns) {
  constexpr int64_t kCoarse = 100'000'000;
  const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  return std::abs(now.count() - changed_ns) < kCoarse;
}

// What is different, as a person would say it; empty if nothing is.
std::string Difference(const ProfilerConfig& before, const ProfilerConfig& now) {
  if (before.enabled != now.enabled) return now.enabled ? "enabled" : "disabled";
  if (before.interval != now.interval) {
    return fmt::format("interval {} ms -> {} ms", before.interval.count(), now.interval.count());
  }
  if (before.local_path != now.local_path) return fmt::format("folder {}", now.local_path);
  return "";
}

}  // namespace

Status CheckInterval(int64_t milliseconds) {
  if (milliseconds >= kShortestInterval.count() && milliseconds <= kLongestInterval.count()) {
    return Status();
  }
  return Status(Code::kInvalid, fmt::format("interval is {} ms; expected {} to {} ms", milliseconds,
                                            kShortestInterval.count(), kLongestInterval.count()));
}

Result<ProfilerConfig> ParseProfilerConfig(std::string_view text) {
  const auto json = ParseJson(text);
  if (!json.ok()) return json.status();
  if (!json.value().is_object()) {
    return Status(Code::kInvalid, fmt::format("expected an object, got {}", Shown(json.value())));
  }
  ProfilerConfig config;
  if (const Json* value = FindSetting(json.value(), kDisable)) {
    const auto disabled = ReadTruth(*value);
    if (!disabled.ok()) return disabled.status();
    config.enabled = !disabled.value();
  }
  if (const Json* value = FindSetting(json.value(), kInterval)) {
    const auto interval = ReadInterval(*value);
    if (!interval.ok()) return interval.status();
    config.interval = interval.value();
  }
  if (const Json* value = FindSetting(json.value(), kLocalPath)) {
    if (!value->is_string()) return Refused(kLocalPath, *value, "a folder path");
    config.local_path = value->get<std::string>();
  }
  return config;
}

ProfilerConfigWatch::Looks ProfilerConfigWatch::Look() const {
  struct stat info{};
  if (stat(path_.c_str(), &info) != 0) return {};
  return {true, static_cast<int64_t>(info.st_dev), static_cast<int64_t>(info.st_ino),
          static_cast<int64_t>(info.st_size),
          info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
}

ProfilerConfigWatch::Change ProfilerConfigWatch::Read() const {
  const auto text = ReadProfilerFile(path_);
  const auto config = text.ok() ? ParseProfilerConfig(text.value()) : text.status();
  Change change;
  if (config.ok()) {
    change.config = config.value();
    return change;
  }
  change.config.enabled = false;
  change.broken = true;
  change.message =
      text.ok() ? fmt::format("{}: {}", path_, config.status().message()) : text.status().message();
  return change;
}

std::optional<ProfilerConfigWatch::Change> ProfilerConfigWatch::Poll(Clock::time_point now) {
  if (last_look_ && now - *last_look_ < kBetweenLooks) return std::nullopt;
  last_look_ = now;
  // Before the file is read: what changes in between is seen next time.
  const Looks looks = Look();
  if (last_ && looks == looks_) return std::nullopt;
  looks_ = looks;
  // Times of files are coarse: another change may follow that does not show in them.
  if (IsRecent(looks.changed_ns)) looks_.inode = -1;
  Change change = Read();
  if (last_ && !change.broken) change.message = Difference(last_->config, change.config);
  const bool same = last_ && last_->config == change.config && last_->broken == change.broken &&
                    (!change.broken || last_->message == change.message);
  last_ = change;
  if (same) return std::nullopt;
  return change;
}

}  // namespace warden::config
