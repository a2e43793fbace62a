#include <algorithm>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/dashboard/tensors/series_answers.h"
#include "warden/dashboard/tensors/series_view.h"
#include "warden/view/series/rank_list.h"
#include "warden/view/series/rank_map.h"
#include "warden/view/wire/columns.h"

namespace warden::dashboard {
namespace {

constexpr int64_t kMostRankColumns = 4000;
constexpr int64_t kUsualRankColumns = 500;

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json RankJson(const view::Rank& rank) {
  Json clock;
  if (rank.clock) {
    clock = {{"offset", rank.clock->seconds},
             {"error", rank.clock->error},
             {"exchanges", rank.clock->exchanges}};
  }
  return {{"worker", rank.worker},
          {"steps", rank.steps},
          {"step_seconds", OrNull(rank.step)},
          {"own_seconds", OrNull(rank.own)},
          {"exchange_seconds", OrNull(rank.exchange)},
          {"loader_seconds", OrNull(rank.loader)},
          {"clock", std::move(clock)},
          {"slow", rank.slow}};
}

Result<view::RankMapWanted> RankMapFrom(const Query& query) {
  view::RankMapWanted wanted;
  auto of = query.Needed("of");
  if (!of.ok()) return of.status();
  wanted.of = std::move(of.value());
  const auto range = RangeFrom(query);
  if (!range.ok()) return range.status();
  wanted.range = range.value();
  const auto columns = query.Int("columns", 1, kMostRankColumns, kUsualRankColumns);
  if (!columns.ok()) return columns.status();
  wanted.columns = static_cast<size_t>(columns.value());
  return wanted;
}

}  // namespace

http::Response RanksAnswer(const RunRequest& request) {
  const auto run = SeriesWithShape(*request.run);
  if (!run.ok()) return ErrorAnswer(run.status());
  Json ranks = Json::array();
  std::vector<std::string> measures;
  run.value()->With([&](const view::Table& table) {
    for (const view::Rank& rank : view::ListRanks(table)) ranks.push_back(RankJson(rank));
    measures = view::RankMeasures(table);
  });
  return JsonAnswer({{"ranks", std::move(ranks)},
                     {"measures", measures},
                     {"ingested", ProgressJson(run.value()->progress())}});
}

http::Response RankMapAnswer(const RunRequest& request) {
  const auto wanted = RankMapFrom(request.query);
  if (!wanted.ok()) return ErrorAnswer(wanted.status());
  const auto run = SeriesWithShape(*request.run);
  if (!run.ok()) return ErrorAnswer(run.status());
  return HeatmapColumns(run.value()->With(
      [&](const view::Table& table) { return view::MakeRankMap(table, wanted.value()); }));
}

}  // namespace warden::dashboard
