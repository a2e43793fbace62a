#ifndef WARDEN_DASHBOARD_TENSORS_SERIES_VIEW_H_
#define WARDEN_DASHBOARD_TENSORS_SERIES_VIEW_H_

#include <memory>

#include "warden/base/status.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/view/series/run_series.h"

namespace warden::dashboard {

// The run's series, which are read in the background from the first call on. kNotFound for a run
// without tensors.
Result<std::shared_ptr<view::RunSeries>> SeriesOf(OpenRun& run);

// The same, when there is something to see of them: within a fraction of a second, however long the
// run is.
Result<std::shared_ptr<view::RunSeries>> SeriesWithShape(OpenRun& run);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TENSORS_SERIES_VIEW_H_
