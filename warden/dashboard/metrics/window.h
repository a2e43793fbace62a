#ifndef WARDEN_DASHBOARD_METRICS_WINDOW_H_
#define WARDEN_DASHBOARD_METRICS_WINDOW_H_

// What the answers about metrics have in common: which nodes, and which time. The pointers are into
// `nodes`, so that they are valid only inside of view::RunMetrics::Look. Times are seconds since
// 1970.

#include <optional>
#include <vector>

#include "warden/base/status.h"
#include "warden/dashboard/core/query.h"
#include "warden/view/metrics/run_metrics.h"

namespace warden::dashboard {

// Nodes in the order in which people count: algo-2 before algo-10.
std::vector<const view::NodeTable*> InOrder(const view::RunMetrics::Nodes& nodes);

// From the first moment of any node to the last; nothing before there is any data.
std::optional<view::TimeWindow> WholeWindow(const view::RunMetrics::Nodes& nodes);

// "from" and "to" of a request; those of `whole` where they are missing. kInvalid if one is not a
// finite number, or if both are given and from is after to. With only one given, the window may be
// empty or reversed.
Result<view::TimeWindow> WindowOf(const Query& query, const view::TimeWindow& whole);

// The "node" of a request; the first where it is missing, null if there is none at all. kNotFound
// lists those that there are.
Result<const view::NodeTable*> NodeOf(const Query& query, const view::RunMetrics::Nodes& nodes);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_METRICS_WINDOW_H_
