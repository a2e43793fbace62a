#ifndef WARDEN_JOBS_LOGS_LOG_SEARCH_H_
#define WARDEN_JOBS_LOGS_LOG_SEARCH_H_

// Any part of a log: what lies before a line, at a moment, or contains something. Positions are
// those of log_file.h. All functions accept any content, give kIo, and are safe for many threads.
//
//   const auto all = [](const LogLine&) { return true; };
//   auto last = LinesBefore(folder, kLogEnd, {}, all);                   // The last 500 lines.
//   auto older = LinesBefore(folder, last.value().begin, {}, all);       // The 500 before them.
//   auto moment = PositionAt(folder, time);
//   auto since = LinesFrom(folder, moment.value(), {}, all);             // What was printed then.

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Behind the last line.
inline constexpr uint64_t kLogEnd = std::numeric_limits<uint64_t>::max();

// What one search may cost.
struct LogLimits {
  size_t lines = 500;          // That it returns; at least 1.
  size_t bytes = 1 << 20;      // Of these lines; the first one may be longer.
  size_t searched = 16 << 20;  // Bytes of the log that it reads, up to 1 MB more.
};

// The lines that were wanted of a part of a log.
struct LogPart {
  std::vector<LogLine> lines;  // Oldest first.
  // What was searched: lines before `begin` and from `end` on were not.
  uint64_t begin = 0;
  uint64_t end = 0;
  // A limit ended the search, so there may be more: before `begin` (LinesBefore), from `end` on
  // (LinesFrom).
  bool more = false;
};

// Whether to return a line.
using WantsLine = std::function<bool(const LogLine& line)>;

// The first wanted lines from a position on. An incomplete last line is left for later.
Result<LogPart> LinesFrom(const std::string& folder, uint64_t position, const LogLimits& limits,
                          const WantsLine& wants);
// The last wanted lines that begin before a position.
Result<LogPart> LinesBefore(const std::string& folder, uint64_t position, const LogLimits& limits,
                            const WantsLine& wants);

// Bytes of a log that are kept without a gap between them.
struct LogRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};
// What is kept, oldest first, no range empty. Old output was removed before the first range if it
// does not begin at 0, and between two ranges.
Result<std::vector<LogRange>> KeptRanges(const std::string& folder);
// Whether the writer added this line at the end of a range, to say that a gap follows.
bool SaysGap(const LogLine& line, const std::vector<LogRange>& kept);

// The position of the first line at or after a moment; behind the last line if there is none. Reads
// little of a long log, since times grow; where a clock was set back it is one such line.
Result<uint64_t> PositionAt(const std::string& folder, Time moment);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LOGS_LOG_SEARCH_H_
