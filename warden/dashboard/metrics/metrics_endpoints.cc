#include "warden/dashboard/metrics/metrics_endpoints.h"

#include <memory>

#include "warden/base/json.h"
#include "warden/dashboard/metrics/metric_answers.h"

namespace warden::dashboard {
namespace {

constexpr std::chrono::milliseconds kFirstWait(300);

Result<std::shared_ptr<view::RunMetrics>> MetricsOf(OpenRun& run) {
  using Made = Result<std::shared_ptr<view::RunMetrics>>;
  return run.View<view::RunMetrics>([](const RunPlaces& places) -> Made {
    return std::make_shared<view::RunMetrics>(places.profile);
  });
}

using Answer = Result<http::Response> (*)(const view::RunMetrics&, const RunRequest&);

RunEndpoint Endpoint(std::string path, Answer answer) {
  return {std::move(path), [answer](const RunRequest& request) {
            const auto metrics = MetricsOf(*request.run);
            if (!metrics.ok()) return ErrorAnswer(metrics.status());
            metrics.value()->WaitAtFirst(kFirstWait);
            const Result<http::Response> response = answer(*metrics.value(), request);
            return response.ok() ? response.value() : ErrorAnswer(response.status());
          }};
}

Json Live(OpenRun& run) {
  const auto metrics = MetricsOf(run);
  if (!metrics.ok()) return nullptr;
  const auto time = metrics.value()->last_time();
  return time ? Json{{"time", *time}} : Json(nullptr);
}

}  // namespace

RunEndpoints MetricsEndpoints() {
  RunEndpoints side;
  side.endpoints = {Endpoint("metrics", MetricList), Endpoint("metrics/summary", MetricSummary),
                    Endpoint("metrics/series", MetricSeriesAnswer),
                    Endpoint("metrics/heatmap", MetricHeatmap),
                    Endpoint("metrics/marks", MetricMarks)};
  side.live_event = "metrics";
  side.live = Live;
  return side;
}

}  // namespace warden::dashboard
