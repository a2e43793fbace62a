#include "warden/dashboard/tensors/tensor_endpoints.h"

#include <iterator>
#include <utility>

#include "warden/base/json.h"
#include "warden/dashboard/tensors/series_view.h"

namespace warden::dashboard {
namespace {

Json LiveSteps(OpenRun& run) {
  const auto series = SeriesOf(run);
  if (!series.ok()) return nullptr;
  const view::SeriesProgress progress = series.value()->progress();
  if (!progress.last_step) return nullptr;
  return {{"last_step", *progress.last_step},
          {"steps", progress.total},
          {"ingested", progress.steps},
          {"total", progress.total}};
}

}  // namespace

RunEndpoints TensorEndpoints() {
  RunEndpoints side;
  side.endpoints = SeriesEndpoints();
  std::vector<RunEndpoint> values = ValueEndpoints();
  std::move(values.begin(), values.end(), std::back_inserter(side.endpoints));
  side.live_event = "steps";
  side.live = LiveSteps;
  return side;
}

}  // namespace warden::dashboard
