#ifndef WARDEN_SAGEMAKER_LOGS_EVENTS_H_
#define WARDEN_SAGEMAKER_LOGS_EVENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/sagemaker/logs_streams.h"

namespace warden::sagemaker {

// Which lines of a log are wanted.
struct EventQuery {
  std::optional<int64_t> start, end;  // Milliseconds since 1970; the end is exclusive.
  std::string pattern;                // That a line holds; empty: any.
  size_t limit = 10'000;

  bool Wants(const jobs::LogLine& line) const;
};

// At most a page of a stream's lines from a position on; it is not empty unless there are no more.
Result<jobs::LogPart> ReadForward(const LogStream& stream, const EventQuery& query,
                                  uint64_t position);
// The last page of those before a position, or of all.
Result<jobs::LogPart> ReadBackward(const LogStream& stream, const EventQuery& query,
                                   std::optional<uint64_t> before);

// Lines of several streams, in the order of their times.
struct MergedLine {
  size_t stream = 0;
  jobs::LogLine line;
};
struct MergedPart {
  std::vector<MergedLine> lines;
  std::vector<uint64_t> next;  // Of each stream.
  bool more = false;
};
// positions: where to begin in each stream.
Result<MergedPart> ReadMerged(const std::vector<LogStream>& streams, const EventQuery& query,
                              std::vector<uint64_t> positions);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_LOGS_EVENTS_H_
