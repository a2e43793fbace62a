#include "warden/hook/timeline_config.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/config/profiler_config.h"
#include "warden/os/whole_file.h"

namespace warden::hook {
namespace {

constexpr char kDefaultPath[] = "/opt/ml/input/config/profilerconfig.json";
constexpr char kDefaultFolder[] = "/opt/ml/output/profiler";
constexpr double kMostFileBytes = 1e15;
constexpr double kMostFailures = 1 << 30;
// A file may change twice within what the clock of its file system tells apart.
constexpr int64_t kYoungNs = 1'000'000'000;

// The member of that name, whatever its case; null if there is none.
const Json* Member(const Json& object, std::string_view lower_name) {
  if (!object.is_object()) return nullptr;
  for (const auto& [key, value] : object.items()) {
    if (LowerAscii(key) == lower_name) return &value;
  }
  return nullptr;
}

// Sets number to the member of that name, if it is there. kInvalid if it is no number of 0 or more.
Status ReadNumber(const Json& parameters, std::string_view lower_name, double most,
                  double* number) {
  const Json* value = Member(parameters, lower_name);
  if (value == nullptr) return Status();
  std::optional<double> read;
  if (value->is_number()) read = value->get<double>();
  if (value->is_string()) read = ParseDouble(Trim(value->get_ref<const std::string&>()));
  if (!read || std::isnan(*read) || *read < 0) {
    return Status(Code::kInvalid, fmt::format("{} is {}; expected a non-negative number",
                                              lower_name, DumpLikePython(*value)));
  }
  *number = std::min(*read, most);
  return Status();
}

}  // namespace

Result<std::optional<capture::TimelineSettings>> ParseTimelineSettings(std::string_view text) {
  using Settings = std::optional<capture::TimelineSettings>;
  const auto config = config::ParseProfilerConfig(text);
  if (!config.ok()) return config.status();
  const Json json = ParseJson(text).value();
  const Json* parameters = Member(json, "profilingparameters");
  if (!config.value().enabled || parameters == nullptr || parameters->empty()) return Settings();
  capture::TimelineSettings settings;
  settings.folder = config.value().local_path.empty() ? kDefaultFolder : config.value().local_path;
  auto bytes = static_cast<double>(settings.max_file_bytes);
  auto failures = static_cast<double>(settings.open_fail_threshold);
  Status status = ReadNumber(*parameters, "rotatemaxfilesizeinbytes", kMostFileBytes, &bytes);
  if (status.ok()) {
    status = ReadNumber(*parameters, "rotatefilecloseintervalinseconds", HUGE_VAL,
                        &settings.close_interval_s);
  }
  if (status.ok()) {
    status = ReadNumber(*parameters, "fileopenfailthreshold", kMostFailures, &failures);
  }
  if (!status.ok()) return status;
  settings.max_file_bytes = static_cast<uint64_t>(bytes);
  settings.open_fail_threshold = static_cast<int>(failures);
  return Settings(settings);
}

void TimelineConfig::Follow(int64_t now_us) {
  if (now_us < next_look_us_) return;
  next_look_us_ = now_us + kLookUs;
  const char* chosen = std::getenv("SMPROFILER_CONFIG_PATH");
  std::string path = chosen != nullptr && *chosen != '\0' ? chosen : kDefaultPath;
  struct stat info{};
  std::optional<Stamp> stamp;
  if (stat(path.c_str(), &info) == 0) {
    stamp = Stamp{static_cast<int64_t>(info.st_ino), static_cast<int64_t>(info.st_size),
                  info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec};
  }
  const bool young = stamp && now_us * 1000 - stamp->changed_ns < kYoungNs;
  if (path == path_ && stamp == stamp_ && !young) return;
  path_ = std::move(path);
  stamp_ = stamp;
  settings_.reset();
  // Only plain files: reading a pipe would hold up the training.
  const auto text = S_ISREG(info.st_mode) ? os::ReadWholeFile(path_) : std::nullopt;
  if (!text) return;
  const auto parsed = ParseTimelineSettings(*text);
  if (!parsed.ok()) {
    LogWarning("profiling disabled: {}: {}", path_, parsed.status().message());
    return;
  }
  settings_ = parsed.value();
}

}  // namespace warden::hook
