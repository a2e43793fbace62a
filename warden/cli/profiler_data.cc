#include "warden/cli/profiler_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
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

// What the user named may be a link anywhere; what a run has may not.
std::string ProfileOf(const std::string& run) {
  const std::string folder = format::ProfilerFolder(run);
  return run.starts_with(folder) ? timeline::NamedProfile(folder) : folder;
}

Status NoProfilerData(const std::string& run, std::span<const std::string> elsewhere) {
  return Status(Code::kNotFound,
                fmt::format("{}: no profiler data; expected a folder 'system' or 'framework' in "
                            "it, in {}. 'warden run' records them",
                            run, fmt::join(elsewhere, " or in ")));
}

Result<ProfilerData> MirrorOf(const std::string& url) {
  auto store = storage::OpenStore(url);
  if (!store.ok()) return store.status();
  auto mirror = watch::ProfileMirror::Make(std::move(store).value());
  if (!mirror.ok()) return mirror.status();
  std::string folder = mirror.value()->folder();
  return ProfilerData{std::move(folder), std::move(mirror).value()};
}

Result<ProfilerData> FindInS3(const std::string& run) {
  const std::string url = run.substr(0, run.find_last_not_of('/') + 1);
  std::vector<std::string> folders = {url};
  const std::string beside =
      url.substr(0, url.rfind('/') + 1) + std::string(format::kProfilerOutput);
  for (const std::string& folder : {format::ProfilerFolder(url), beside}) {
    // Next to a bucket there is nothing.
    if (folder.find('/', std::string_view("s3://").size()) != std::string::npos &&
        std::find(folders.begin(), folders.end(), folder) == folders.end()) {
      folders.push_back(folder);
    }
  }
  for (const std::string& folder : folders) {
    auto data = MirrorOf(folder);
    if (!data.ok()) return data;
    if (Status status = data.value().mirror->Update(); !status.ok()) return status;
    if (data.value().mirror->any()) return data;
  }
  return NoProfilerData(run, std::span(folders).subspan(1));
}

}  // namespace

Result<ProfilerData> FindProfilerData(const std::string& run) {
  if (storage::IsRemote(run)) return FindInS3(run);
  std::error_code error;
  if (!fs::exists(run, error)) {
    return Status(Code::kNotFound, fmt::format("no such folder: {}", run));
  }
  const fs::path beside =
      fs::absolute(run, error).lexically_normal() / ".." / std::string(format::kProfilerOutput);
  const std::vector<std::string> folders = {timeline::NamedProfile(run), ProfileOf(run),
                                            beside.lexically_normal().string()};
  for (const std::string& folder : folders) {
    if (timeline::HasProfile(folder)) return ProfilerData{folder, nullptr};
  }
  return NoProfilerData(run, std::span(folders).subspan(1));
}

Result<ProfilerData> ProfilerDataOf(const std::string& run) {
  if (storage::IsRemote(run)) return MirrorOf(format::ProfilerFolder(run));
  return ProfilerData{ProfileOf(run), nullptr};
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
