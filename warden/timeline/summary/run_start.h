#ifndef WARDEN_TIMELINE_SUMMARY_RUN_START_H_
#define WARDEN_TIMELINE_SUMMARY_RUN_START_H_

#include <cstdint>
#include <optional>
#include <string>

namespace warden::timeline {

// When the profiler's data begins, in microseconds since 1970: the earliest of the first file of
// each writer. Nothing if there is none that can be read. Reads whole traces, so it may take
// seconds. The CLI uses it for times that users give relative to the start.
std::optional<int64_t> StartOfRun(const std::string& folder);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_SUMMARY_RUN_START_H_
