#ifndef WARDEN_FORMAT_PROFILER_LAYOUT_H_
#define WARDEN_FORMAT_PROFILER_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warden::format {

// Where the profiler's files are, relative to its folder, as the original arranges them. The
// monitor and TimelineFile write them; the profiler's rules, reports and the dashboard read.
// docs/formats/profile.md describes their content. Pure functions, safe for many threads.
//
//   const std::string folder = ProfilerFolder("runs/1");      // runs/1/profiler-output
//   const auto name = ParseTimelineFileKey(key);              // Nothing: not a timeline file.

// The name of the profiler's folder: in a run's folder, or beside it where the run's folder is
// called "debug-output".
inline constexpr std::string_view kProfilerOutput = "profiler-output";

inline constexpr std::string_view kSystemPrefix = "system/";        // Metrics of the machine.
inline constexpr std::string_view kFrameworkPrefix = "framework/";  // Timelines of the training.
// Their presence says that no more will come below the two.
inline constexpr std::string_view kSystemEnd = "system/training_job_end.ts";
inline constexpr std::string_view kFrameworkEnd = "framework/training_job_end.ts";

// What the configuration of the profiler is called in its folder.
inline constexpr std::string_view kProfilerConfig = "profilerconfig.json";

// Endings of timeline files: which tool recorded it.
inline constexpr std::string_view kPythonTimeline = "pythontimeline.json";
inline constexpr std::string_view kModelTimeline = "model_timeline.json";
inline constexpr std::string_view kHorovodTimeline = "horovod_timeline.json";
inline constexpr std::string_view kDataParallelTimeline = "smdataparallel_timeline.json";
inline constexpr std::string_view kMergedTimeline = "merged_timeline.json";

// A file of system metrics that is being written ends so; without "json", which the original's
// readers would take for a finished one.
inline constexpr std::string_view kUnfinishedMetrics = ".part";
// A timeline file that is being written.
inline constexpr std::string_view kUnfinishedTimeline = ".tmp";

// The folder of a run's profiler: where it is, or where it would be. Only the text of the path is
// looked at. A path that already ends in "profiler-output" stays.
std::string ProfilerFolder(std::string_view run);

// "system/incremental/2026010112/1767268800.algo-1.json"; `minute` in seconds since 1970, `node`
// "algo-1". The folder is the hour in UTC.
std::string MetricFileKey(int64_t minute, std::string_view node);

// "framework/pevents/2026010112/1767268800123456_88-algo-1_pythontimeline.json": end_us is when its
// last event ends, in microseconds since 1970; node "<rank or pid>-<host>", without '_'; suffix one
// of the endings above.
std::string TimelineFileKey(int64_t end_us, std::string_view node, std::string_view suffix);

// What the name of a file of system metrics says, finished or not. Nothing for any other file: keys
// outside of "system/", and nodes that are not "algo-<number>".
struct MetricFileName {
  int64_t seconds = 0;  // Since 1970: the minute that it begins with.
  std::string node;
  bool finished = true;
};
std::optional<MetricFileName> ParseMetricFileKey(std::string_view key);

// The same of a timeline file: "<end us>_<node>_<suffix>" below pevents, or "<node>_<suffix>.tmp".
// Nothing for any other file, and where the suffix does not end in ".json".
struct TimelineFileName {
  int64_t end_us = 0;  // 0: unfinished.
  std::string node;    // With the host first, so that nodes sort: "algo-1-88" for "88-algo-1".
  std::string suffix;
  bool finished = true;
};
std::optional<TimelineFileName> ParseTimelineFileKey(std::string_view key);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_PROFILER_LAYOUT_H_
