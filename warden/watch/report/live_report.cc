#include "warden/watch/report/live_report.h"

#include <fmt/format.h>

#include <utility>

namespace warden::watch {

LiveReport::LiveReport(std::string kind, std::string page, Write write)
    : kind_(std::move(kind)), page_(std::move(page)), write_(std::move(write)) {}

void LiveReport::Moment() {
  if (!pace_.IsDue()) return;
  // Finish reports a failure; until then the next attempt may succeed.
  (void)write_(/*still_running=*/true);
  pace_.Written();
}

Result<std::string> LiveReport::Finish() {
  const Status status = write_(/*still_running=*/false);
  if (status.ok()) return page_;
  if (status.code() == Code::kUnavailable) return std::string();
  return status.WithContext(fmt::format("cannot write the {} report", kind_));
}

}  // namespace warden::watch
