#include "warden/dashboard/tensors/tensors_part.h"

#include <iterator>
#include <utility>

#include "warden/base/json.h"
#include "warden/dashboard/tensors/series_endpoints.h"
#include "warden/dashboard/tensors/series_view.h"
#include "warden/dashboard/tensors/value_endpoints.h"

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

DashboardPart TensorsPart() {
  DashboardPart part;
  part.endpoints = SeriesEndpoints();
  std::vector<RunEndpoint> values = ValueEndpoints();
  std::move(values.begin(), values.end(), std::back_inserter(part.endpoints));
  part.live_event = "steps";
  part.live = LiveSteps;
  return part;
}

}  // namespace warden::dashboard
