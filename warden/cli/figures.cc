#include "warden/cli/figures.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "warden/base/json.h"
#include "warden/cli/text.h"
#include "warden/stats/quantile.h"
#include "warden/stats/reductions.h"
#include "warden/stats/summary.h"

namespace warden::cli {
namespace {

static_assert(kFirstReduction + Reduction::kCount == kMedian);

void FillFromSummary(const stats::Summary& summary, Figures* figures) {
  (*figures)[kCount] = static_cast<double>(summary.count);
  (*figures)[kZeros] = static_cast<double>(summary.zero_count);
  (*figures)[kNan] = static_cast<double>(summary.nan_count);
  (*figures)[kPosInf] = static_cast<double>(summary.pos_inf_count);
  (*figures)[kNegInf] = static_cast<double>(summary.neg_inf_count);
  for (int i = 0; i < Reduction::kCount; ++i) {
    const Reduction reduction = Reduction::FromIndex(i);
    (*figures)[FigureOf(reduction)] = stats::Reduce(summary, reduction, stats::Flavor::kComputed);
  }
}

void FillQuantiles(const stats::TensorRef& tensor, Figures* figures) {
  constexpr std::pair<size_t, double> kQuantiles[] = {{kMedian, 0.5}, {kP5, 0.05}, {kP95, 0.95}};
  for (const auto& [figure, q] : kQuantiles) {
    const auto value = stats::Quantile(tensor, q);
    if (value.ok()) (*figures)[figure] = value.value();
  }
}

Status FillFromValue(const trial::TensorValue& value, Detail detail, Figures* figures) {
  (*figures)[kCount] = static_cast<double>(value.ref().count());
  if (IsComplex(value.dtype) || value.dtype == DType::kString) return Status();
  const auto summary = stats::Summarize(value.ref());
  if (!summary.ok()) return summary.status();
  FillFromSummary(summary.value(), figures);
  if (detail == Detail::kAll) FillQuantiles(value.ref(), figures);
  return Status();
}

Status FillFromReductions(const trial::Trial& trial, std::string_view tensor, Step step,
                          std::string_view worker, Figures* figures) {
  const auto reductions = trial.SavedReductions(tensor, step, Mode::kGlobal, worker);
  if (!reductions.ok()) return reductions.status();
  for (const Reduction reduction : reductions.value()) {
    const auto value = trial.ReductionValue(tensor, step, reduction, Mode::kGlobal, worker);
    if (!value.ok()) return value.status();
    (*figures)[FigureOf(reduction)] = value.value();
  }
  return Status();
}

}  // namespace

Result<TensorFigures> FiguresOf(const trial::Trial& trial, std::string_view tensor,
                                Step global_step, std::string_view worker, Detail detail) {
  TensorFigures result;
  auto value = trial.Value(tensor, global_step, Mode::kGlobal, worker);
  if (value.ok()) {
    Status status = FillFromValue(value.value(), detail, &result.figures);
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
  Status status = FillFromReductions(trial, tensor, global_step, worker, &result.figures);
  if (!status.ok()) return status;
  return result;
}

Json FiguresToJson(const Figures& figures) {
  Json json = Json::object();
  for (size_t i = 0; i < figures.size(); ++i) {
    if (!figures[i]) continue;
    json[std::string(kFigureNames[i])] =
        IsCount(i) ? Json(static_cast<uint64_t>(*figures[i])) : JsonNumber(*figures[i]);
  }
  return json;
}

std::string FigureText(const Figures& figures, size_t figure) {
  if (!figures[figure]) return "";
  return IsCount(figure) ? fmt::format("{:.0f}", *figures[figure]) : FormatNumber(*figures[figure]);
}

}  // namespace warden::cli
