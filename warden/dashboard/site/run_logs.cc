#include "warden/dashboard/site/run_logs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "warden/base/json.h"
#include "warden/sagemaker/logs_events.h"

namespace warden::dashboard {
namespace {

constexpr size_t kLines = 500;
constexpr size_t kBytes = 1 << 20;

http::Response Told(const jobs::LogPage& page, const std::vector<std::string>& hosts) {
  Json lines = Json::array();
  for (const jobs::LogLine& line : page.lines) {
    lines.push_back({{"time", jobs::SecondsJson(line.time)}, {"text", line.text}});
  }
  return JsonAnswer(
      {{"lines", std::move(lines)}, {"next", std::to_string(page.next)}, {"hosts", hosts}});
}

}  // namespace

http::Response RunLogs(const service::ServiceOptions& options, const RunRequest& request) {
  const RunPlaces places = request.run->places();
  if (!places.job) return ErrorAnswer(404, "only jobs of this service have logs");
  const std::vector<std::string> hosts = places.job->Hosts();
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
      service::DataLayout::Log(service::DataLayout(options.data).Host(places.job->name, host)),
      {}};
  if (after.value() >= 0) {
    const auto page =
        jobs::ReadLog(stream.folder, static_cast<uint64_t>(after.value()), kLines, kBytes);
    return page.ok() ? Told(page.value(), hosts) : ErrorAnswer(page.status());
  }
  sagemaker::EventQuery query;
  query.limit = kLines;
  const auto page = sagemaker::ReadBackward(stream, query, std::nullopt);
  return page.ok() ? Told(page.value(), hosts) : ErrorAnswer(page.status());
}

}  // namespace warden::dashboard
