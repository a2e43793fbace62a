#include "warden/dashboard/profile/profile_endpoints.h"

#include <memory>

#include "warden/base/json.h"
#include "warden/dashboard/profile/report_files.h"
#include "warden/dashboard/profile/run_profile.h"

namespace warden::dashboard {
namespace {

http::Response Profile(const RunRequest& request) {
  using Made = Result<std::shared_ptr<RunProfile>>;
  const auto profile = request.run->View<RunProfile>(
      [](const RunPlaces& places) -> Made { return std::make_shared<RunProfile>(places); });
  if (!profile.ok()) return ErrorAnswer(profile.status());
  const RunPlaces places = request.run->places();
  const std::optional<bool> running =
      places.job ? std::optional(!jobs::IsOver(places.job->status)) : std::nullopt;
  http::Response response = JsonAnswer(nullptr);
  response.body = profile.value()->Answer(running);
  return response;
}

http::Response Reports(const RunRequest& request) {
  Json list = Json::array();
  for (const WrittenReport& report : FindReports(request.run->places())) {
    Json files = Json::array();
    for (const auto& file : report.files) {
      files.push_back({{"path", file.path}, {"bytes", file.bytes}});
    }
    list.push_back({{"name", report.name},
                    {"title", report.xgboost ? "XGBoost report" : "Profiling report"},
                    {"kind", report.xgboost ? "xgboost" : "profiler"},
                    {"modified", report.modified},
                    {"files", std::move(files)}});
  }
  return JsonAnswer(list);
}

http::Response File(const RunRequest& request) {
  const auto download = request.query.Int("download", 0, 1, 0);
  if (!download.ok()) return ErrorAnswer(download.status());
  const auto response = ReportFile(request.run->places(), request.rest, download.value() == 1);
  return response.ok() ? response.value() : ErrorAnswer(response.status());
}

}  // namespace

RunEndpoints ProfileEndpoints() {
  RunEndpoints side;
  side.endpoints = {{"profile", Profile}, {"reports", Reports}, {"reports/*", File}};
  return side;
}

}  // namespace warden::dashboard
