#include "warden/format/profiler_layout.h"

#include <fmt/format.h>

#include <chrono>

#include "warden/base/strings.h"
#include "warden/format/kernel_layout.h"
#include "warden/format/layout.h"

namespace warden::format {
namespace {

constexpr std::string_view kDebugOutput = "debug-output";
constexpr std::string_view kIncremental = "incremental/";
constexpr std::string_view kClosedTimelines = "pevents/";
constexpr std::string_view kNodePrefix = "algo-";
constexpr std::string_view kJson = ".json";
constexpr std::string_view kDigits = "0123456789";
constexpr int64_t kMicros = 1'000'000;

// "2026010112": the hour in UTC, whatever the machine's own time is.
std::string HourFolder(int64_t seconds) {
  using std::chrono::floor;
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}{:02}{:02}{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     floor<std::chrono::hours>(time - day).count());
}

// The text without that ending; nothing if it does not end so or is nothing else.
std::optional<std::string_view> WithoutEnding(std::string_view text, std::string_view ending) {
  if (!text.ends_with(ending) || text.size() == ending.size()) return std::nullopt;
  return text.substr(0, text.size() - ending.size());
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

// "88-algo-1" is told as "algo-1-88", so that nodes sort by host; other names stay.
std::string NodeOfEvents(std::string_view node) {
  const size_t host = node.rfind("-algo");
  if (host == std::string_view::npos) return std::string(node);
  return fmt::format("{}-{}", node.substr(host + 1), node.substr(0, host));
}

// "<node>_<suffix>", where only the suffix may have more underscores, and has that ending.
std::optional<TimelineFileName> ParseNodeAndSuffix(std::string_view text, std::string_view ending) {
  const size_t end = text.find('_');
  if (end == 0 || end == std::string_view::npos) return std::nullopt;
  const std::string_view suffix = text.substr(end + 1);
  if (!suffix.ends_with(ending) || suffix == kJson) return std::nullopt;
  return TimelineFileName{.node = NodeOfEvents(text.substr(0, end)), .suffix = std::string(suffix)};
}

// A finished file, or one that is being written.
std::optional<TimelineFileName> ParseWithEnding(std::string_view key, std::string_view ending) {
  const std::string_view name = BaseName(key);
  if (const auto unfinished = WithoutEnding(name, kUnfinishedTimeline)) {
    auto parsed = ParseNodeAndSuffix(*unfinished, ending);
    if (parsed) parsed->finished = false;
    return parsed;
  }
  const size_t end = name.find('_');
  if (end == std::string_view::npos || !IsNumber(name.substr(0, end))) return std::nullopt;
  if (key.find(kClosedTimelines) == std::string_view::npos) return std::nullopt;
  const auto end_us = ParseInt(name.substr(0, end));
  auto parsed = ParseNodeAndSuffix(name.substr(end + 1), ending);
  if (!end_us || !parsed) return std::nullopt;
  parsed->end_us = *end_us;
  return parsed;
}

}  // namespace

std::string ProfilerFolder(std::string_view run) {
  const size_t last = run.find_last_not_of('/');
  if (last == std::string_view::npos) return fmt::format("{}{}", run, kProfilerOutput);
  const std::string_view folder = run.substr(0, last + 1);
  const std::string_view name = BaseName(folder);
  if (name == kProfilerOutput) return std::string(folder);
  if (name != kDebugOutput) return fmt::format("{}/{}", folder, kProfilerOutput);
  return fmt::format("{}{}", folder.substr(0, folder.size() - name.size()), kProfilerOutput);
}

std::string MetricFileKey(int64_t minute, std::string_view node) {
  return fmt::format("{}{}{}/{:010}.{}{}", kSystemPrefix, kIncremental, HourFolder(minute), minute,
                     node, kJson);
}

std::string TimelineFileKey(int64_t end_us, std::string_view node, std::string_view suffix) {
  return fmt::format("{}{}{}/{}_{}_{}", kFrameworkPrefix, kClosedTimelines,
                     HourFolder(end_us / kMicros), end_us, node, suffix);
}

std::optional<MetricFileName> ParseMetricFileKey(std::string_view key) {
  if (!key.starts_with(kSystemPrefix)) return std::nullopt;
  const std::string_view name = BaseName(key);
  const auto finished = WithoutEnding(name, kJson);
  const auto stem = finished ? finished : WithoutEnding(name, kUnfinishedMetrics);
  if (!stem) return std::nullopt;
  const size_t dot = stem->find('.');
  if (dot == std::string_view::npos || !IsNumber(stem->substr(0, dot))) return std::nullopt;
  const auto seconds = ParseInt(stem->substr(0, dot));
  const std::string_view node = stem->substr(dot + 1);
  if (!seconds || !node.starts_with(kNodePrefix) || !IsNumber(node.substr(kNodePrefix.size()))) {
    return std::nullopt;
  }
  return MetricFileName{*seconds, std::string(node), finished.has_value()};
}

std::optional<TimelineFileName> ParseTimelineFileKey(std::string_view key) {
  return ParseWithEnding(key, kJson);
}

std::optional<TimelineFileName> ParseKernelFileKey(std::string_view key) {
  auto parsed = ParseWithEnding(key, kKernelTimeline);
  if (parsed && parsed->suffix != kKernelTimeline) return std::nullopt;
  return parsed;
}

}  // namespace warden::format
