#include "warden/dashboard/site/run_logs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/jobs/logs/line_filter.h"
#include "warden/jobs/logs/log_search.h"
#include "warden/os/open_inside.h"
#include "warden/trial/run_record.h"

namespace warden::dashboard {
namespace {

constexpr double kLatestSecond = 253402300799;  // Seconds that a calendar can hold.
constexpr size_t kMostRanges = 64;              // That an answer names; a log of ours has two.
constexpr char kLocalHost[] = "local";          // Of a run that is not a job.
constexpr std::string_view kTraceback = "Traceback (most recent call last):";
constexpr size_t kMostFailureLines = 60;
constexpr size_t kLastLines = 15;

// Nowhere if a link leads out of the run: what is there may be the log of others.
std::string LogFolderOf(const std::string& run) {
  const bool is_inside = os::OpenInside(run + "/", trial::kLogFolder, O_PATH | O_DIRECTORY).ok();
  return is_inside ? trial::LogFolder(run) : "";
}

bool AnyLine(const jobs::LogLine& /*line*/) { return true; }

// What a request asks for.
struct LogQuery {
  std::string host;
  std::optional<uint64_t> after, before;
  std::optional<Time> at;
  std::string text;
  jobs::LineLevel least = jobs::LineLevel::kPlain;
};

Result<std::optional<uint64_t>> PositionIn(const Query& query, std::string_view name) {
  const auto value = query.Int(name, 0, std::numeric_limits<int64_t>::max(), /*fallback=*/-1);
  if (!value.ok()) return value.status();
  if (value.value() < 0) return std::optional<uint64_t>();
  return std::optional(static_cast<uint64_t>(value.value()));
}

Result<std::optional<Time>> MomentIn(const Query& query) {
  if (query.Text("at").empty()) return std::optional<Time>();
  const auto seconds = query.Number("at", 0);
  if (!seconds.ok()) return seconds.status();
  // The time of a line is a double in answers, and may come back a little smaller.
  constexpr double kRounding = 0.01;
  const double since_epoch = std::clamp(seconds.value(), 0.0, kLatestSecond) * 1e3;
  return std::optional(
      Time(std::chrono::milliseconds(static_cast<int64_t>(since_epoch + kRounding))));
}

Result<LogQuery> ParseLogQuery(const Query& query, const std::vector<std::string>& hosts) {
  LogQuery parsed;
  parsed.host = query.Text("host");
  if (parsed.host.empty() && !hosts.empty()) parsed.host = hosts.front();
  if (std::find(hosts.begin(), hosts.end(), parsed.host) == hosts.end()) {
    return Status(Code::kInvalid, fmt::format("unknown host '{}'; expected one of: {}", parsed.host,
                                              fmt::join(hosts, ", ")));
  }
  const auto after = PositionIn(query, "after");
  if (!after.ok()) return after.status();
  const auto before = PositionIn(query, "before");
  if (!before.ok()) return before.status();
  const auto at = MomentIn(query);
  if (!at.ok()) return at.status();
  if (after.value().has_value() + before.value().has_value() + at.value().has_value() > 1) {
    return Status(Code::kInvalid, "expected at most one of: after, at, before");
  }
  const auto level = jobs::LevelNamed(query.Text("level"));
  if (!level) {
    return Status(Code::kInvalid, fmt::format("unknown level '{}'; expected one of: error, warning",
                                              query.Text("level")));
  }
  parsed.after = after.value();
  parsed.before = before.value();
  parsed.at = at.value();
  parsed.text = query.Text("q");
  parsed.least = *level;
  return parsed;
}

// Lines that follow each other in an answer.
struct Found {
  std::vector<jobs::LogLine> lines;
  uint64_t previous = 0, next = 0;  // Where what was searched begins and ends.
  bool older = false, newer = false;
  std::optional<uint64_t> here;  // The moment that was asked for.
};

Found FoundBefore(jobs::LogPart part) {
  return {std::move(part.lines), part.begin, part.end, part.more, false, {}};
}

Result<Found> FindAround(const std::string& folder, Time moment, const jobs::WantsLine& wants) {
  const auto here = jobs::PositionAt(folder, moment);
  if (!here.ok()) return here.status();
  jobs::LogLimits half;
  half.lines /= 2;
  half.bytes /= 2;
  half.searched /= 2;
  auto before = jobs::LinesBefore(folder, here.value(), half, wants);
  if (!before.ok()) return before.status();
  auto since = jobs::LinesFrom(folder, here.value(), half, wants);
  if (!since.ok()) return since.status();
  Found found = FoundBefore(std::move(before.value()));
  found.lines.insert(found.lines.end(), std::make_move_iterator(since.value().lines.begin()),
                     std::make_move_iterator(since.value().lines.end()));
  found.next = since.value().end;
  found.newer = since.value().more;
  found.here = here.value();
  return found;
}

Result<Found> Find(const std::string& folder, const LogQuery& query,
                   const std::vector<jobs::LogRange>& kept) {
  const jobs::LineFilter filter(query.text, query.least);
  // Gaps are told beside the lines.
  const auto wants = [&](const jobs::LogLine& line) {
    return filter.Matches(line.text) && !jobs::SaysGap(line, kept);
  };
  if (query.at) return FindAround(folder, *query.at, wants);
  const uint64_t newest = kept.empty() ? 0 : kept.back().end;
  if (query.after) {
    auto part = jobs::LinesFrom(folder, *query.after, {}, wants);
    if (!part.ok()) return part.status();
    const bool older = !kept.empty() && *query.after > kept.front().begin;
    return Found{std::move(part.value().lines),
                 *query.after,
                 part.value().end,
                 older,
                 part.value().more,
                 {}};
  }
  auto part = jobs::LinesBefore(folder, query.before.value_or(jobs::kLogEnd), {}, wants);
  if (!part.ok()) return part.status();
  Found found = FoundBefore(std::move(part.value()));
  found.newer = query.before && found.next < newest;
  return found;
}

http::Response Told(const Found& found, const std::vector<jobs::LogRange>& kept,
                    const std::vector<std::string>& hosts) {
  Json lines = Json::array();
  for (const jobs::LogLine& line : found.lines) {
    Json told = {
        {"time", jobs::SecondsJson(line.time)}, {"text", line.text}, {"position", line.position}};
    const jobs::LineLevel level = jobs::LevelOf(jobs::PlainLine(line.text));
    if (level != jobs::LineLevel::kPlain) told["level"] = jobs::LevelName(level);
    lines.push_back(std::move(told));
  }
  Json ranges = Json::array();
  for (size_t i = kept.size() - std::min(kept.size(), kMostRanges); i < kept.size(); ++i) {
    ranges.push_back({kept[i].begin, kept[i].end});
  }
  Json answer = {{"lines", std::move(lines)},
                 {"previous", std::to_string(found.previous)},
                 {"next", std::to_string(found.next)},
                 {"older", found.older},
                 {"newer", found.newer},
                 {"kept", std::move(ranges)},
                 {"hosts", hosts}};
  if (found.here) answer["here"] = *found.here;
  return JsonAnswer(answer);
}

// The last traceback, with those that it says to have caused it, else the last lines.
std::vector<jobs::LogLine>::const_iterator FailureBegin(const std::vector<jobs::LogLine>& lines) {
  const auto last = std::find_if(lines.rbegin(), lines.rend(), [](const jobs::LogLine& line) {
    return line.text.starts_with(kTraceback);
  });
  if (last != lines.rend()) return last.base() - 1;
  return lines.end() - static_cast<std::ptrdiff_t>(std::min(lines.size(), kLastLines));
}

}  // namespace

http::Response RunLogs(const service::ServiceOptions& options, const RunRequest& request) {
  const RunPlaces places = request.run->places();
  const std::vector<std::string> hosts =
      places.job ? places.job->Hosts() : std::vector<std::string>{kLocalHost};
  const auto query = ParseLogQuery(request.query, hosts);
  if (!query.ok()) return ErrorAnswer(query.status());
  const std::string folder =
      places.job ? service::DataLayout::Log(
                       service::DataLayout(options.data).Host(places.job->name, query.value().host))
                 : LogFolderOf(places.tensors);
  const auto kept = jobs::KeptRanges(folder);
  if (!kept.ok()) return ErrorAnswer(kept.status());
  const auto found = Find(folder, query.value(), kept.value());
  return found.ok() ? Told(found.value(), kept.value(), hosts) : ErrorAnswer(found.status());
}

std::string FailureOutput(const std::string& run) {
  const auto part = jobs::LinesBefore(LogFolderOf(run), jobs::kLogEnd, {}, AnyLine);
  if (!part.ok()) return "";
  const std::vector<jobs::LogLine>& lines = part.value().lines;
  const auto begin = FailureBegin(lines);
  // Of a long traceback the end says what happened, and the beginning where.
  const auto size = static_cast<size_t>(lines.end() - begin);
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    const size_t left_out = size > kMostFailureLines ? size - kMostFailureLines : 0;
    if (left_out > 0 && i == kMostFailureLines / 2) {
      text += fmt::format("[{} lines left out]\n", left_out);
      i += left_out;
    }
    text += (begin + static_cast<std::ptrdiff_t>(i))->text + "\n";
  }
  return text;
}

}  // namespace warden::dashboard
