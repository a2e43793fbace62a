#ifndef WARDEN_SAGEMAKER_LOGS_EVENTS_H_
#define WARDEN_SAGEMAKER_LOGS_EVENTS_H_

// Pages of log lines, for CloudWatch's operations (logs.h) and for the dashboard. A page has at
// most 1 MB. Errors are those of jobs::ReadLog (kIo).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/sagemaker/filter_pattern.h"
#include "warden/sagemaker/logs_streams.h"

namespace warden::sagemaker {

// Which lines of a log to return.
struct EventQuery {
  std::optional<int64_t> start, end;  // Milliseconds since 1970; the end is exclusive.
  FilterPattern pattern;              // Of lines; empty: any.
  size_t limit = 10'000;              // Lines of one page; at least 1.

  // Whether the line is within the times and matches the pattern.
  bool Wants(const jobs::LogLine& line) const;
};

// Returns a page of a stream's lines from a position on (LogPage::next of the page before; 0: the
// beginning). Empty only if there are no more: clients take an empty page for the end. May read the
// whole log to find a line.
Result<jobs::LogPage> ReadForward(const LogStream& stream, const EventQuery& query,
                                  uint64_t position);
// Returns the last page of the lines before a position (that of a line), or of all. Lines are in
// the order of the log. May be empty although older lines match: only the last 1 MB is searched.
Result<jobs::LogPage> ReadBackward(const LogStream& stream, const EventQuery& query,
                                   std::optional<uint64_t> before);

// A line of one of several streams.
struct MergedLine {
  size_t stream = 0;   // Index of its stream.
  jobs::LogLine line;  // As it is in its stream.
};
// One page of several streams.
struct MergedPage {
  std::vector<MergedLine> lines;  // By time; of equal times the first stream's first.
  std::vector<uint64_t> next;     // Of each stream: the positions for the next page.
  bool more = false;              // There are more lines than fit.
};
// Returns a page of the lines of several streams, in the order of their times. positions: where to
// begin in each stream; as many as there are streams.
Result<MergedPage> ReadMerged(const std::vector<LogStream>& streams, const EventQuery& query,
                              std::vector<uint64_t> positions);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_LOGS_EVENTS_H_
