#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "warden/base/json.h"
#include "warden/dashboard/tensors/series_answers.h"
#include "warden/dashboard/tensors/series_view.h"
#include "warden/dashboard/tensors/tensor_endpoints.h"
#include "warden/view/series/curve.h"
#include "warden/view/series/tensor_list.h"
#include "warden/view/wire/columns.h"

namespace warden::dashboard {
namespace {

constexpr size_t kMostSeries = 64;
constexpr int64_t kMostPoints = 4000;
constexpr int64_t kUsualPoints = 1000;

Json ModeNames(const std::vector<Mode>& modes) {
  Json names = Json::array();
  for (const Mode mode : modes) names.push_back(ModeName(mode));
  return names;
}

// ---- tensors, steps.

Json TensorJson(const view::TensorSummary& tensor) {
  Json statistics = Json::array();
  for (const view::Statistic s : tensor.statistics) statistics.push_back(view::StatisticName(s));
  return {{"name", tensor.name},
          {"dtype", tensor.dtype},
          {"shape", tensor.shape ? Json(*tensor.shape) : Json(nullptr)},
          {"collections", tensor.collections},
          {"modes", ModeNames(tensor.modes)},
          {"steps", tensor.steps},
          {"first", tensor.first},
          {"last", tensor.last},
          {"values", !tensor.dtype.empty()},
          {"statistics", std::move(statistics)}};
}

// A run that saves none has an empty list: pages ask for it before they know.
http::Response NoTensors() {
  const Json none = Json::array();
  view::SeriesProgress all_read;
  all_read.done = true;
  return JsonAnswer({{"modes", none},
                     {"workers", none},
                     {"collections", none},
                     {"tensors", none},
                     {"ingested", ProgressJson(all_read)},
                     {"problems", none}});
}

http::Response Tensors(const RunRequest& request) {
  if (request.run->places().tensors.empty()) return NoTensors();
  const auto run = SeriesWithShape(*request.run);
  if (!run.ok()) return ErrorAnswer(run.status());
  const view::RunSeries& series = *run.value();
  Json tensors = Json::array();
  for (const auto& tensor : view::ListTensors(series)) tensors.push_back(TensorJson(tensor));
  return JsonAnswer({{"modes", ModeNames(view::ModesOf(series))},
                     {"workers", view::WorkersOf(series)},
                     {"collections", series.collections()},
                     {"tensors", std::move(tensors)},
                     {"ingested", ProgressJson(series.progress())},
                     {"problems", series.problems()}});
}

http::Response Steps(const RunRequest& request) {
  const auto mode = request.query.ModeOf("mode");
  if (!mode.ok()) return ErrorAnswer(mode.status());
  const auto run = SeriesWithShape(*request.run);
  if (!run.ok()) return ErrorAnswer(run.status());
  const view::SavedTimes times = view::TimesOf(*run.value(), mode.value());
  view::Columns columns;
  columns.Add("step", times.steps);
  columns.Add("time", times.times);
  return ColumnsAnswer(columns.Encode(Json::object()));
}

// ---- series.

struct SeriesWanted {
  std::vector<std::string> tensors;
  std::vector<std::optional<view::Statistic>> statistics;  // One for each tensor.
  std::string worker;
  view::StepRange range;
  size_t points = 0;
};

Result<std::vector<std::optional<view::Statistic>>> StatisticsFrom(const Query& query,
                                                                   size_t count) {
  std::vector<std::string> names = query.All("statistic");
  if (names.empty()) names = {""};
  if (names.size() != 1 && names.size() != count) {
    return Status(
        Code::kInvalid,
        fmt::format("statistic is given {} times for {} tensors; expected once, or once per tensor",
                    names.size(), count));
  }
  std::vector<std::optional<view::Statistic>> statistics;
  for (size_t i = 0; i < count; ++i) {
    auto statistic = StatisticFrom(names[names.size() == 1 ? 0 : i]);
    if (!statistic.ok()) return statistic.status();
    statistics.push_back(statistic.value());
  }
  return statistics;
}

Result<SeriesWanted> SeriesFrom(const Query& query) {
  SeriesWanted wanted;
  wanted.tensors = query.All("tensor");
  if (wanted.tensors.empty() || wanted.tensors.size() > kMostSeries) {
    return Status(Code::kInvalid, fmt::format("tensor is given {} times; expected 1 to {}",
                                              wanted.tensors.size(), kMostSeries));
  }
  auto statistics = StatisticsFrom(query, wanted.tensors.size());
  if (!statistics.ok()) return statistics.status();
  wanted.statistics = std::move(statistics.value());
  wanted.worker = query.Text("worker");
  const auto range = RangeFrom(query);
  if (!range.ok()) return range.status();
  wanted.range = range.value();
  const auto points = query.Int("points", 2, kMostPoints, kUsualPoints);
  if (!points.ok()) return points.status();
  wanted.points = static_cast<size_t>(points.value());
  return wanted;
}

// Adds the columns and returns what the header says of them.
Json AddSeries(const view::Table& table, const SeriesWanted& wanted, size_t i,
               const view::SlotAxis& axis, view::Columns* columns) {
  const view::TensorEntry* tensor = table.Find(wanted.tensors[i]);
  view::Wanted what{view::kValue, wanted.worker};
  if (wanted.statistics[i]) {
    what.statistic = *wanted.statistics[i];
  } else if (tensor != nullptr) {
    what.statistic = view::UsualStatistic(*tensor);
  }
  const auto worker = tensor != nullptr ? view::WorkerFor(table, *tensor, what) : std::nullopt;
  view::Curve curve;
  if (worker) {
    curve = view::MakeCurve(table, view::PointsOf(table, *tensor, what, axis), wanted.points);
  }
  columns->Add(fmt::format("x{}", i), curve.x);
  columns->Add(fmt::format("low{}", i), curve.low);
  columns->Add(fmt::format("high{}", i), curve.high);
  return {{"tensor", wanted.tensors[i]},
          {"statistic", view::StatisticName(what.statistic)},
          {"worker", worker ? table.workers()[*worker] : wanted.worker},
          {"mode", ModeName(wanted.range.mode)},
          {"found", worker.has_value()},
          {"steps_per_point", curve.steps_per_point},
          {"nans", curve.nans},
          {"first_nan", curve.first_nan ? Json(*curve.first_nan) : Json()}};
}

http::Response Series(const RunRequest& request) {
  const auto wanted = SeriesFrom(request.query);
  if (!wanted.ok()) return ErrorAnswer(wanted.status());
  const auto run = SeriesWithShape(*request.run);
  if (!run.ok()) return ErrorAnswer(run.status());
  view::Columns columns;
  Json series = run.value()->With([&](const view::Table& table) {
    const view::SlotAxis axis(table, wanted.value().range);
    Json told = Json::array();
    for (size_t i = 0; i < wanted.value().tensors.size(); ++i) {
      told.push_back(AddSeries(table, wanted.value(), i, axis, &columns));
    }
    return told;
  });
  return ColumnsAnswer(columns.Encode(
      {{"series", std::move(series)}, {"ingested", ProgressJson(run.value()->progress())}}));
}

}  // namespace

std::vector<RunEndpoint> SeriesEndpoints() {
  return {{"tensors", Tensors},        {"steps", Steps},           {"series", Series},
          {"heatmap", HeatmapAnswer},  {"compare", CompareAnswer}, {"ranks", RanksAnswer},
          {"ranks/map", RankMapAnswer}};
}

}  // namespace warden::dashboard
