#include "warden/cli/profiler_data.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <vector>

#include "warden/base/strings.h"
#include "warden/format/profiler_layout.h"
#include "warden/storage/store.h"
#include "warden/timeline/summary/timeline_summary.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kSince1970 = 1e9;
constexpr double kLatestTime = 1e12;

bool HoldsProfilerFiles(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / format::kSystemPrefix, error) ||
         fs::is_directory(folder / format::kFrameworkPrefix, error);
}

}  // namespace

Result<std::string> FindProfilerFolder(const std::string& run) {
  if (storage::IsRemote(run)) {
    return Status(Code::kInvalid,
                  fmt::format("{}: profiler data is not read from S3; copy it first: 'aws s3 cp "
                              "--recursive {} FOLDER'",
                              run, run));
  }
  std::error_code error;
  if (!fs::exists(run, error)) {
    return Status(Code::kNotFound, fmt::format("no such folder: {}", run));
  }
  const fs::path beside =
      fs::absolute(run, error).lexically_normal() / ".." / std::string(format::kProfilerOutput);
  const std::vector<std::string> folders = {run, format::ProfilerFolder(run),
                                            beside.lexically_normal().string()};
  for (const std::string& folder : folders) {
    if (HoldsProfilerFiles(folder)) return folder;
  }
  return Status(Code::kNotFound,
                fmt::format("{}: no profiler data; expected a folder 'system' or 'framework' in "
                            "it, in {}. 'warden run' records them",
                            run, fmt::join(folders.begin() + 1, folders.end(), " or in ")));
}

Result<int64_t> ParseMoment(const std::string& flag, const std::string& text,
                            const std::string& folder) {
  const auto seconds = ParseDouble(text);
  if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > kLatestTime) {
    return Status(Code::kInvalid,
                  fmt::format("{} is '{}'; expected seconds since the start of the run, or since "
                              "1970 (1e9 or more)",
                              flag, text));
  }
  const int64_t us = std::llround(*seconds * 1e6);
  if (*seconds >= kSince1970) return us;
  const auto start = timeline::StartOfRun(folder);
  if (!start) return Status(Code::kNotFound, fmt::format("{}: no profiler data", folder));
  return *start + us;
}

Result<timeline::TimeRange> ParseTimeRange(const std::string& start, const std::string& end,
                                           const std::string& folder) {
  timeline::TimeRange range;
  if (!start.empty()) {
    const auto moment = ParseMoment("--start", start, folder);
    if (!moment.ok()) return moment.status();
    range.start_us = moment.value();
  }
  if (!end.empty()) {
    const auto moment = ParseMoment("--end", end, folder);
    if (!moment.ok()) return moment.status();
    range.end_us = moment.value();
  }
  if (range.start_us > range.end_us) {
    return Status(Code::kInvalid, fmt::format("--start {} is after --end {}", start, end));
  }
  return range;
}

Result<size_t> ParseTop(const std::string& text) {
  const auto top = ParseInt(text);
  if (top && *top > 0) return static_cast<size_t>(*top);
  return Status(Code::kInvalid, fmt::format("--top is '{}'; expected a positive integer", text));
}

}  // namespace warden::cli
