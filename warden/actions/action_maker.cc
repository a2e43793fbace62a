#include "warden/actions/action_maker.h"

#include <fmt/format.h>

#include <variant>

#include "warden/actions/email.h"
#include "warden/actions/exec.h"
#include "warden/actions/publish_metric.h"
#include "warden/actions/sms.h"
#include "warden/actions/stop_training.h"
#include "warden/actions/webhook.h"

namespace warden::actions {

ActionMaker::ActionMaker(Settings settings, JobControl* control)
    : settings_(std::move(settings)), control_(control) {}

Result<std::unique_ptr<Action>> ActionMaker::Make(const ActionConfig& config) {
  auto action = std::visit([this](const auto& known) { return MakeOf(known); }, config);
  if (!action.ok()) return action.status().WithContext(Describe(config));
  return action;
}

Result<std::unique_ptr<Action>> ActionMaker::Make(const ActionConfig& config,
                                                  const std::function<Result<ExecPlace>()>& place) {
  const auto* exec = std::get_if<ExecConfig>(&config);
  if (exec == nullptr) return Make(config);
  auto found = place();
  if (!found.ok()) return found.status().WithContext(Describe(config));
  Origin origin;
  origin.region = settings_.aws.region;
  return NewExec(*exec, std::move(origin), std::move(found.value()));
}

Status ActionMaker::Check(std::span<const ActionConfig> configs) {
  for (const ActionConfig& config : configs) {
    if (const auto action = Make(config); !action.ok()) return action.status();
  }
  return Status();
}

std::string ActionMaker::WhyNotSent(std::span<const ActionConfig> configs) {
  for (const ActionConfig& config : configs) {
    if (!std::holds_alternative<EmailConfig>(config) &&
        !std::holds_alternative<SmsConfig>(config)) {
      continue;
    }
    if (const auto message = Make(config); !message.ok()) return message.status().message();
  }
  return "";
}

uint16_t ActionMaker::metrics_port() const {
  const std::lock_guard lock(mutex_);
  return server_ ? server_->port() : 0;
}

Result<std::unique_ptr<Action>> ActionMaker::MakeOf(const StopTrainingConfig& config) {
  if (control_ == nullptr) {
    return Status(Code::kInvalid, "cannot stop the job: it was not started by this process");
  }
  return NewStopTraining(config, control_);
}

Result<std::unique_ptr<Action>> ActionMaker::MakeOf(const EmailConfig& config) {
  return NewEmail(config, settings_.smtp);
}

Result<std::unique_ptr<Action>> ActionMaker::MakeOf(const SmsConfig& config) {
  return NewSms(config, settings_.aws);
}

Result<std::unique_ptr<Action>> ActionMaker::MakeOf(const WebhookConfig& config) {
  return NewWebhook(config, settings_);
}

Result<std::unique_ptr<Action>> ActionMaker::MakeOf(const ExecConfig& config) {
  Origin origin;
  origin.region = settings_.aws.region;
  return NewExec(config, std::move(origin));
}

Result<std::unique_ptr<Action>> ActionMaker::MakeOf(const PublishMetricConfig& config) {
  if (config.target == PublishMetricConfig::Target::kCloudWatch) {
    return NewCloudWatchMetric(config, settings_.aws);
  }
  if (Status status = ServeMetrics(); !status.ok()) return status;
  return NewPrometheusMetric(&metrics_);
}

Status ActionMaker::ServeMetrics() {
  const std::lock_guard lock(mutex_);
  if (server_) return Status();
  auto server =
      MetricsServer::Start(settings_.prometheus_listen, [this] { return metrics_.Text(); });
  if (!server.ok()) return server.status();
  server_ = std::move(server).value();
  return Status();
}

}  // namespace warden::actions
