#ifndef WARDEN_DASHBOARD_TENSORS_SERIES_ANSWERS_H_
#define WARDEN_DASHBOARD_TENSORS_SERIES_ANSWERS_H_

#include <optional>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/dashboard/core/part.h"
#include "warden/dashboard/core/query.h"
#include "warden/view/series/curve.h"
#include "warden/view/series/run_series.h"

namespace warden::dashboard {

// What questions about series have in common.

// None if the name is empty; kInvalid names those that there are.
Result<std::optional<view::Statistic>> StatisticFrom(const std::string& name);
// mode, from and to.
Result<view::StepRange> RangeFrom(const Query& query);
Json ProgressJson(const view::SeriesProgress& progress);

// GET heatmap and compare.
http::Response HeatmapAnswer(const RunRequest& request);
http::Response CompareAnswer(const RunRequest& request);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_SERIES_ANSWERS_H_
