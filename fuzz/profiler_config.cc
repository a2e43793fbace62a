// The input as the configuration of a profiler, as the monitor and the hook read it.

#include "warden/config/profiler_config.h"

#include <cmath>

#include "fuzz/check.h"
#include "warden/base/json.h"
#include "warden/hook/timeline_config.h"

namespace warden::fuzz {
namespace {

// What was accepted is accepted again when it is written plainly.
void CheckAgain(const config::ProfilerConfig& config) {
  const Json plain = {{"DisableProfiler", !config.enabled},
                      {"ProfilingIntervalInMilliseconds", config.interval.count()},
                      {"LocalPath", config.local_path}};
  const auto again = config::ParseProfilerConfig(DumpLikePython(plain));
  Check(again.ok() && again.value() == config);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden;
  using fuzz::Check;
  const std::string_view text = fuzz::Text(data, size);
  const auto config = config::ParseProfilerConfig(text);
  const auto timeline = hook::ParseTimelineSettings(text);
  if (!config.ok()) {
    Check(!config.status().message().empty() && !timeline.ok());
    return 0;
  }
  Check(config::CheckInterval(config.value().interval.count()).ok());
  fuzz::CheckAgain(config.value());
  if (!timeline.ok()) {
    Check(timeline.status().code() == Code::kInvalid);
  } else if (const auto& settings = timeline.value()) {
    Check(config.value().enabled && !settings->folder.empty());
    Check(settings->close_interval_s >= 0 && settings->open_fail_threshold >= 0);
  }
  return 0;
}
