#include "warden/dashboard/tensors/series_view.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "warden/dashboard/tensors/tensor_store.h"

namespace warden::dashboard {
namespace {

// What is not read by then comes with the next event that tells of steps.
constexpr std::chrono::milliseconds kPatience{250};

Result<std::shared_ptr<view::RunSeries>> Open(const RunPlaces& places) {
  if (places.tensors.empty()) {
    return Status(Code::kNotFound, fmt::format("run '{}' has no tensors", places.name));
  }
  auto store = OpenTensors(places);
  if (!store.ok()) return store.status();
  return std::make_shared<view::RunSeries>(std::move(store.value()));
}

}  // namespace

Result<std::shared_ptr<view::RunSeries>> SeriesOf(OpenRun& run) {
  return run.View<view::RunSeries>(Open);
}

Result<std::shared_ptr<view::RunSeries>> SeriesWithShape(OpenRun& run) {
  auto series = SeriesOf(run);
  if (series.ok()) series.value()->WaitForShape(kPatience);
  return series;
}

}  // namespace warden::dashboard
