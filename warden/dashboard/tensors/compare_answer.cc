#include <chrono>
#include <cmath>
#include <utility>

#include "warden/base/json.h"
#include "warden/dashboard/tensors/series_answers.h"
#include "warden/dashboard/tensors/series_view.h"
#include "warden/view/series/compare.h"

namespace warden::dashboard {
namespace {

// A difference may be at any step, so that all are waited for, if it is not for long; pages ask
// again after that.
constexpr std::chrono::milliseconds kCompareWait{1000};

Json NumberOrNull(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Result<view::CompareWanted> CompareFrom(const Query& query) {
  view::CompareWanted wanted;
  const auto statistic = StatisticFrom(query.Text("statistic"));
  if (!statistic.ok()) return statistic.status();
  wanted.statistic = statistic.value();
  const auto mode = query.ModeOf("mode");
  if (!mode.ok()) return mode.status();
  wanted.mode = mode.value();
  wanted.collection = query.Text("collection");
  return wanted;
}

Json DifferenceJson(const view::Difference& difference) {
  Json json = {{"tensor", difference.tensor},
               {"statistic", view::StatisticName(difference.statistic)},
               {"steps", difference.steps},
               {"last_step", difference.last_step},
               {"step", difference.step ? Json(*difference.step) : Json(nullptr)},
               {"a", nullptr},
               {"b", nullptr},
               {"difference", nullptr},
               {"first_step", difference.first ? Json(*difference.first) : Json(nullptr)}};
  if (!difference.step) return json;
  json["a"] = NumberOrNull(difference.a);
  json["b"] = NumberOrNull(difference.b);
  json["difference"] = NumberOrNull(difference.difference);
  return json;
}

}  // namespace

http::Response CompareAnswer(const RunRequest& request) {
  const auto wanted = CompareFrom(request.query);
  if (!wanted.ok()) return ErrorAnswer(wanted.status());
  const auto name = request.query.Needed("b");
  if (!name.ok()) return ErrorAnswer(name.status());
  const auto other = request.other(name.value());
  if (!other.ok()) return ErrorAnswer(other.status());
  // Both begin to be read before either is waited for.
  if (const auto begun = SeriesOf(*other.value()); !begun.ok()) return ErrorAnswer(begun.status());
  const auto a = SeriesOf(*request.run);
  if (!a.ok()) return ErrorAnswer(a.status());
  const auto b = SeriesOf(*other.value());
  if (!b.ok()) return ErrorAnswer(b.status());
  for (const auto& run : {a.value(), b.value()}) run->WaitUntilRead(kCompareWait);
  const view::Comparison comparison = view::Compare(*a.value(), *b.value(), wanted.value());
  Json tensors = Json::array();
  for (const auto& difference : comparison.tensors) tensors.push_back(DifferenceJson(difference));
  return JsonAnswer(
      {{"only_a", comparison.only_a},
       {"only_b", comparison.only_b},
       {"tensors", std::move(tensors)},
       {"ingested",
        {{"a", ProgressJson(a.value()->progress())}, {"b", ProgressJson(b.value()->progress())}}}});
}

}  // namespace warden::dashboard
