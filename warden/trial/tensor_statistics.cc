#include "warden/trial/tensor_statistics.h"

#include <string>
#include <utility>

#include "warden/base/json.h"
#include "warden/stats/quantile.h"
#include "warden/stats/reductions.h"
#include "warden/stats/summary.h"

namespace warden::trial {
namespace {

static_assert(kFirstReduction + Reduction::kCount == kMedian);

void FillFromSummary(const stats::Summary& summary, Statistics* statistics) {
  (*statistics)[kCount] = static_cast<double>(summary.count);
  (*statistics)[kZeros] = static_cast<double>(summary.zero_count);
  (*statistics)[kNan] = static_cast<double>(summary.nan_count);
  (*statistics)[kPosInf] = static_cast<double>(summary.pos_inf_count);
  (*statistics)[kNegInf] = static_cast<double>(summary.neg_inf_count);
  for (int i = 0; i < Reduction::kCount; ++i) {
    const Reduction reduction = Reduction::FromIndex(i);
    (*statistics)[StatisticOf(reduction)] =
        stats::Reduce(summary, reduction, stats::Flavor::kComputed);
  }
}

void FillQuantiles(const stats::TensorRef& tensor, Statistics* statistics) {
  constexpr std::pair<size_t, double> kQuantiles[] = {{kMedian, 0.5}, {kP5, 0.05}, {kP95, 0.95}};
  for (const auto& [statistic, q] : kQuantiles) {
    const auto value = stats::Quantile(tensor, q);
    if (value.ok()) (*statistics)[statistic] = value.value();
  }
}

Status FillFromValue(const TensorValue& value, StatisticsDetail detail, Statistics* statistics) {
  (*statistics)[kCount] = static_cast<double>(value.ref().count());
  if (IsComplex(value.dtype) || value.dtype == DType::kString) return Status();
  const auto summary = stats::Summarize(value.ref());
  if (!summary.ok()) return summary.status();
  FillFromSummary(summary.value(), statistics);
  if (detail == StatisticsDetail::kAll) FillQuantiles(value.ref(), statistics);
  return Status();
}

Status FillFromReductions(const Trial& trial, std::string_view tensor, Step step,
                          std::string_view worker, Statistics* statistics) {
  const auto reductions = trial.SavedReductions(tensor, step, Mode::kGlobal, worker);
  if (!reductions.ok()) return reductions.status();
  for (const Reduction reduction : reductions.value()) {
    const auto value = trial.ReductionValue(tensor, step, reduction, Mode::kGlobal, worker);
    if (!value.ok()) return value.status();
    (*statistics)[StatisticOf(reduction)] = value.value();
  }
  return Status();
}

}  // namespace

Result<TensorStatistics> StatisticsOf(const Trial& trial, std::string_view tensor, Step global_step,
                                      std::string_view worker, StatisticsDetail detail) {
  TensorStatistics result;
  auto value = trial.Value(tensor, global_step, Mode::kGlobal, worker);
  if (value.ok()) {
    Status status = FillFromValue(value.value(), detail, &result.numbers);
    if (!status.ok()) return status;
    result.shape = value.value().shape;
    result.value = std::move(value.value());
    return result;
  }
  const auto saved = trial.SavedReductions(tensor, global_step, Mode::kGlobal, worker);
  auto shape = trial.Shape(tensor, global_step, Mode::kGlobal, worker);
  // Nothing else was saved: report why there is no value.
  if (!shape.ok() && (!saved.ok() || saved.value().empty())) return value.status();
  if (shape.ok()) result.shape = std::move(shape.value());
  Status status = FillFromReductions(trial, tensor, global_step, worker, &result.numbers);
  if (!status.ok()) return status;
  return result;
}

Json ToJson(const Statistics& statistics) {
  Json json = Json::object();
  for (size_t i = 0; i < statistics.size(); ++i) {
    if (!statistics[i]) continue;
    json[std::string(kStatisticNames[i])] =
        IsCount(i) ? Json(static_cast<uint64_t>(*statistics[i])) : JsonNumber(*statistics[i]);
  }
  return json;
}

}  // namespace warden::trial
