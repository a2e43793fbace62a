#ifndef WARDEN_TIMELINE_SUMMARY_RUN_START_H_
#define WARDEN_TIMELINE_SUMMARY_RUN_START_H_

#include <cstdint>
#include <optional>
#include <string>

namespace warden::timeline {

// When the profiler's data begin, in microseconds since 1970: the earliest of the first file of
// each writer. Nothing if there are none.
std::optional<int64_t> StartOfRun(const std::string& folder);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_SUMMARY_RUN_START_H_
