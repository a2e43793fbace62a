#ifndef WARDEN_ACTIONS_ACTION_MAKER_H_
#define WARDEN_ACTIONS_ACTION_MAKER_H_

#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "warden/actions/action.h"
#include "warden/actions/action_config.h"
#include "warden/actions/exec.h"
#include "warden/actions/firing_metrics.h"
#include "warden/actions/metrics_server.h"
#include "warden/actions/settings.h"

namespace warden::actions {

// Makes actions from their configurations, with the settings of the machine. One per process or per
// command; used by the supervisor of the service and by the command line, mostly as the
// Dispatcher::MakeAction. Safe for many threads; outlives its actions.
//
//   ActionMaker maker(settings, &jobs);
//   if (Status status = maker.Check(configs); !status.ok()) return status;
//   auto dispatcher = Dispatcher::Open(
//       options, [&](const ActionConfig& config) { return maker.Make(config); });
class ActionMaker {
 public:
  // control may be null: nothing can be stopped then, and making such an action is kInvalid. It
  // outlives this, which does not own it.
  ActionMaker(Settings settings, JobControl* control);

  // Errors begin with Describe(config), and say what to set: kInvalid if the settings do not
  // suffice for the action; kNotFound or kIo if the file with a webhook's secret cannot be read.
  // The first metric for Prometheus starts the server that it is fetched from: kInvalid for a bad
  // prometheus_listen, kIo if the port is taken. The caller owns the action; nothing is sent yet.
  Result<std::unique_ptr<Action>> Make(const ActionConfig& config);
  // The same, with commands run at a place. It is asked for only if the action is a command; its
  // errors are those of Make.
  Result<std::unique_ptr<Action>> Make(const ActionConfig& config,
                                       const std::function<Result<ExecPlace>()>& place);

  // Whether all could be made: to be checked at the start, while the user is watching. Returns the
  // first error of Make. Starts the metrics server if one of them needs it.
  Status Check(std::span<const ActionConfig> configs);

  // Why a mail or a text message among these would not be sent: the first error of Make. Empty if
  // all would be. Other actions are not looked at: they need nothing of this machine, or are
  // checked when they are made.
  std::string WhyNotSent(std::span<const ActionConfig> configs);

  // The port on which metrics are served; 0 if they are not (yet).
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
