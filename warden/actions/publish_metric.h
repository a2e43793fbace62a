#ifndef WARDEN_ACTIONS_PUBLISH_METRIC_H_
#define WARDEN_ACTIONS_PUBLISH_METRIC_H_

// The two actions that say "this rule fired" to a monitoring system. Made by ActionMaker.

#include <memory>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"
#include "warden/actions/firing_metrics.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// Counts the firing for Prometheus; never fails. Does not own metrics, which outlives it. Somebody
// else serves them: see MetricsServer.
std::unique_ptr<Action> NewPrometheusMetric(FiringMetrics* metrics);

// Sends the value 1 of the metric RuleFired with the dimensions Job and Rule to Amazon's CloudWatch
// or a service with the same interface, with the time of the firing. Dimensions are cut to 1024
// bytes, which is what the service accepts. kInvalid if the settings name no service or no keys;
// errors of Run as those of Post (http_post.h).
Result<std::unique_ptr<Action>> NewCloudWatchMetric(PublishMetricConfig config, AwsSettings aws);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_PUBLISH_METRIC_H_
