#ifndef WARDEN_ACTIONS_ACTION_MAKER_H_
#define WARDEN_ACTIONS_ACTION_MAKER_H_

#include <memory>
#include <mutex>
#include <span>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"
#include "warden/actions/firing_metrics.h"
#include "warden/actions/metrics_server.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// Makes actions from their configurations. Safe for many threads; outlives its actions.
class ActionMaker {
 public:
  // control may be null: nothing can be stopped then. It outlives this.
  ActionMaker(Settings settings, JobControl* control);

  // kInvalid, with the action and what to set, if the settings do not suffice for it. The first
  // metric for Prometheus starts the server that it is fetched from.
  Result<std::unique_ptr<Action>> Make(const ActionConfig& config);

  // Whether all could be made: to be checked at the start, while the user is watching.
  Status Check(std::span<const ActionConfig> configs);

  // Where metrics are served; 0 if they are not.
  uint16_t metrics_port() const;

 private:
  Result<std::unique_ptr<Action>> MakeOf(const StopTrainingConfig& config);
  Result<std::unique_ptr<Action>> MakeOf(const EmailConfig& config);
  Result<std::unique_ptr<Action>> MakeOf(const SmsConfig& config);
  Result<std::unique_ptr<Action>> MakeOf(const WebhookConfig& config);
  Result<std::unique_ptr<Action>> MakeOf(const ExecConfig& config);
  Result<std::unique_ptr<Action>> MakeOf(const PublishMetricConfig& config);
  Status ServeMetrics();

  const Settings settings_;
  JobControl* const control_;
  FiringMetrics metrics_;
  mutable std::mutex mutex_;
  std::unique_ptr<MetricsServer> server_;  // Under mutex_. Ends before what it serves.
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_ACTION_MAKER_H_
