#ifndef WARDEN_ACTIONS_PUBLISH_METRIC_H_
#define WARDEN_ACTIONS_PUBLISH_METRIC_H_

#include <memory>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"
#include "warden/actions/firing_metrics.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// Counts the firing for Prometheus. metrics outlives it.
std::unique_ptr<Action> NewPrometheusMetric(FiringMetrics* metrics);

// Sends the value 1 of the metric RuleFired with the dimensions Job and Rule to Amazon's CloudWatch
// or a service with the same interface. kInvalid if the settings name no service.
Result<std::unique_ptr<Action>> NewCloudWatchMetric(PublishMetricConfig config, AwsSettings aws);

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_PUBLISH_METRIC_H_
