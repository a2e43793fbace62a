#include "warden/actions/publish_metric.h"

#include <fmt/format.h>

#include "warden/actions/aws_query.h"
#include "warden/base/text/utf8.h"
#include "warden/base/time.h"

namespace warden::actions {
namespace {

// The service takes no longer ones.
constexpr size_t kMaxDimension = 1024;

class PrometheusMetric : public Action {
 public:
  explicit PrometheusMetric(FiringMetrics* metrics) : metrics_(metrics) {}

  Attempt Run(const Firing& firing, const std::stop_token&) override {
    metrics_->Count(firing);
    return Status();
  }

 private:
  FiringMetrics* const metrics_;
};

std::string Dimension(std::string_view value) {
  return std::string(CutUtf8(ValidUtf8(OneLine(value)), kMaxDimension));
}

class CloudWatchMetric : public Action {
 public:
  CloudWatchMetric(std::string metric_namespace, AwsSettings aws)
      : namespace_(std::move(metric_namespace)), aws_(std::move(aws)) {}

  Attempt Run(const Firing& firing, const std::stop_token& stop) override {
    const std::string time = IsoSeconds(firing.time);
    const std::string datum = "MetricData.member.1.";
    return PostAwsQuery(aws_, "monitoring", aws_.cloudwatch_endpoint,
                        {{"Action", "PutMetricData"},
                         {"Version", "2010-08-01"},
                         {"Namespace", namespace_},
                         {datum + "MetricName", "RuleFired"},
                         {datum + "Dimensions.member.1.Name", "Job"},
                         {datum + "Dimensions.member.1.Value", Dimension(firing.job)},
                         {datum + "Dimensions.member.2.Name", "Rule"},
                         {datum + "Dimensions.member.2.Value", Dimension(firing.rule)},
                         {datum + "Timestamp", time},
                         {datum + "Value", "1"},
                         {datum + "Unit", "Count"}},
                        stop);
  }

 private:
  const std::string namespace_;
  const AwsSettings aws_;
};

}  // namespace

std::unique_ptr<Action> NewPrometheusMetric(FiringMetrics* metrics) {
  return std::make_unique<PrometheusMetric>(metrics);
}

Result<std::unique_ptr<Action>> NewCloudWatchMetric(PublishMetricConfig config, AwsSettings aws) {
  const Status status = CheckAws(aws, aws.cloudwatch_endpoint, "WARDEN_CLOUDWATCH_ENDPOINT");
  if (!status.ok()) return status;
  std::string metric_namespace = config.metric_namespace.empty()
                                     ? aws.cloudwatch_namespace
                                     : std::move(config.metric_namespace);
  return std::unique_ptr<Action>(
      std::make_unique<CloudWatchMetric>(std::move(metric_namespace), std::move(aws)));
}

}  // namespace warden::actions
