#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/pattern.h"
#include "warden/dashboard/tensors/series_answers.h"
#include "warden/dashboard/tensors/series_view.h"
#include "warden/view/wire/columns.h"

namespace warden::dashboard {
namespace {

constexpr int64_t kMostColumns = 4000;
constexpr int64_t kUsualColumns = 500;

struct HeatmapFilter {
  std::string collection;
  std::optional<Pattern> match;
};

Result<HeatmapFilter> FilterFrom(const Query& query) {
  HeatmapFilter filter;
  filter.collection = query.Text("collection");
  if (const std::string match = query.Text("match"); !match.empty()) {
    auto pattern = Pattern::Compile(match);
    if (!pattern.ok()) return pattern.status().WithContext("match");
    filter.match = std::move(pattern.value());
  }
  return filter;
}

// Which of the run's tensors pass; they keep their places. A pattern may take its time, in which
// reading has to go on.
std::vector<size_t> PlacesOf(const view::RunSeries& run, const HeatmapFilter& filter) {
  std::vector<std::pair<size_t, std::string>> names;
  run.With([&](const view::Table& table) {
    for (size_t i = 0; i < table.tensors().size(); ++i) {
      const view::TensorEntry& tensor = table.tensors()[i];
      if (table.IsIn(tensor, filter.collection)) names.emplace_back(i, tensor.name);
    }
  });
  std::vector<size_t> places;
  for (const auto& [place, name] : names) {
    if (!filter.match || filter.match->Search(name)) places.push_back(place);
  }
  return places;
}

Result<view::HeatmapWanted> HeatmapFrom(const Query& query) {
  view::HeatmapWanted wanted;
  const auto statistic = StatisticFrom(query.Text("statistic"));
  if (!statistic.ok()) return statistic.status();
  wanted.statistic = statistic.value();
  wanted.worker = query.Text("worker");
  const auto range = RangeFrom(query);
  if (!range.ok()) return range.status();
  wanted.range = range.value();
  const auto columns = query.Int("columns", 1, kMostColumns, kUsualColumns);
  if (!columns.ok()) return columns.status();
  wanted.columns = static_cast<size_t>(columns.value());
  return wanted;
}

}  // namespace

http::Response HeatmapAnswer(const RunRequest& request) {
  auto wanted = HeatmapFrom(request.query);
  if (!wanted.ok()) return ErrorAnswer(wanted.status());
  const auto filter = FilterFrom(request.query);
  if (!filter.ok()) return ErrorAnswer(filter.status());
  const auto run = SeriesWithShape(*request.run);
  if (!run.ok()) return ErrorAnswer(run.status());
  const std::vector<size_t> places = PlacesOf(*run.value(), filter.value());
  const view::Heatmap map = run.value()->With([&](const view::Table& table) {
    for (const size_t place : places) wanted.value().tensors.push_back(&table.tensors()[place]);
    return view::MakeHeatmap(table, wanted.value());
  });
  return HeatmapColumns(map);
}

http::Response HeatmapColumns(const view::Heatmap& map) {
  view::Columns columns;
  columns.Add("x", map.x);
  columns.Add("values", map.values);
  columns.Add("nans", map.nans);
  Json steps = {{"first", nullptr}, {"last", nullptr}};
  if (!map.x.empty()) steps = {{"first", map.x.front()}, {"last", map.last}};
  return ColumnsAnswer(columns.Encode(
      {{"rows", map.rows}, {"steps", std::move(steps)}, {"left_out", map.left_out}}));
}

}  // namespace warden::dashboard
