#include "warden/dashboard/site/run_logs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "warden/base/json.h"
#include "warden/sagemaker/logs_events.h"
#include "warden/trial/run_record.h"

namespace warden::dashboard {
namespace {

constexpr size_t kLines = 500;
constexpr size_t kBytes = 1 << 20;
constexpr char kLocalHost[] = "local";  // Of a run that is not a job.
constexpr std::string_view kTraceback = "Traceback (most recent call last):";
constexpr size_t kMostFailureLines = 60;
constexpr size_t kLastLines = 15;

http::Response Told(const jobs::LogPage& page, const std::vector<std::string>& hosts) {
  Json lines = Json::array();
  for (const jobs::LogLine& line : page.lines) {
    lines.push_back({{"time", jobs::SecondsJson(line.time)}, {"text", line.text}});
  }
  return JsonAnswer(
      {{"lines", std::move(lines)}, {"next", std::to_string(page.next)}, {"hosts", hosts}});
}

Result<jobs::LogPage> LastLines(const sagemaker::LogStream& stream, size_t count) {
  sagemaker::EventQuery query;
  query.limit = count;
  return sagemaker::ReadBackward(stream, query, std::nullopt);
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
  std::string host = request.query.Text("host");
  if (host.empty() && !hosts.empty()) host = hosts.front();
  if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) {
    return ErrorAnswer(
        400, fmt::format("unknown host '{}'; expected one of: {}", host, fmt::join(hosts, ", ")));
  }
  const auto after =
      request.query.Int("after", 0, std::numeric_limits<int64_t>::max(), /*fallback=*/-1);
  if (!after.ok()) return ErrorAnswer(after.status());
  const sagemaker::LogStream stream{
      host,
      places.job
          ? service::DataLayout::Log(service::DataLayout(options.data).Host(places.job->name, host))
          : trial::LogFolder(places.tensors),
      {}};
  if (after.value() >= 0) {
    const auto page =
        jobs::ReadLog(stream.folder, static_cast<uint64_t>(after.value()), kLines, kBytes);
    return page.ok() ? Told(page.value(), hosts) : ErrorAnswer(page.status());
  }
  const auto page = LastLines(stream, kLines);
  return page.ok() ? Told(page.value(), hosts) : ErrorAnswer(page.status());
}

std::string FailureOutput(const std::string& run) {
  const auto page = LastLines({kLocalHost, trial::LogFolder(run), {}}, kLines);
  if (!page.ok()) return "";
  const std::vector<jobs::LogLine>& lines = page.value().lines;
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
