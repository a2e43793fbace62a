#ifndef WARDEN_DASHBOARD_TENSORS_SERIES_ANSWERS_H_
#define WARDEN_DASHBOARD_TENSORS_SERIES_ANSWERS_H_

// What questions about tensors over steps have in common, and the answers that have their own
// files. Only for this folder. Safe for many threads.

#include <optional>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/dashboard/core/query.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/view/series/curve.h"
#include "warden/view/series/heatmap.h"
#include "warden/view/series/run_series.h"

namespace warden::dashboard {

// Nothing if the name is empty: the tensor's usual one. kInvalid lists those that there are.
Result<std::optional<view::Statistic>> StatisticFrom(const std::string& name);
// "mode", "from", "to" and "x" of the request; all steps by their global numbers where they are
// missing. kInvalid for a mode, a number or a kind of x that is not accepted.
Result<view::StepRange> RangeFrom(const Query& query);
// {"steps", "total", "done"}: how much of the run was read, so that a page knows whether to ask
// again.
Json ProgressJson(const view::SeriesProgress& progress);

// The answer that all heatmaps of steps have: header `rows`, `steps` and `left_out`; columns `x`,
// `values` and `nans`.
http::Response HeatmapColumns(const view::Heatmap& map);

// GET heatmap, compare, ranks and ranks/map. The second run of a comparison comes from
// request.other. Errors are answers with a status, as by ErrorAnswer.
http::Response HeatmapAnswer(const RunRequest& request);
http::Response CompareAnswer(const RunRequest& request);
http::Response RanksAnswer(const RunRequest& request);
http::Response RankMapAnswer(const RunRequest& request);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_SERIES_ANSWERS_H_
