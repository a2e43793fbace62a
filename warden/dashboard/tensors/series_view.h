#ifndef WARDEN_DASHBOARD_TENSORS_SERIES_VIEW_H_
#define WARDEN_DASHBOARD_TENSORS_SERIES_VIEW_H_

// The series of an open run: one view::RunSeries per run, shared by all questions about it, which
// reads in the background from the first call on and belongs to the OpenRun. Safe for many threads.

#include <memory>

#include "warden/base/status.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/view/series/run_series.h"

namespace warden::dashboard {

// Returns at once, perhaps before anything was read. kNotFound for a run without tensors; other
// errors are those of storage::OpenStore.
Result<std::shared_ptr<view::RunSeries>> SeriesOf(OpenRun& run);

// The same, when there is something to see: waits up to 250 ms until every curve has its shape,
// which does not depend on the length of the run. Returns what there is even if it has not come by
// then.
Result<std::shared_ptr<view::RunSeries>> SeriesWithShape(OpenRun& run);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_SERIES_VIEW_H_
