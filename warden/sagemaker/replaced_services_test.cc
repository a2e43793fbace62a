#include "warden/sagemaker/replaced_services.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"

namespace warden::sagemaker {
namespace {

std::string MessageOf(const std::optional<ApiError>& error) { return error ? error->message : ""; }

TEST(ReplacedServices, ASessionIsAShellOfTheJob) {
  const auto message = [](const Json& body) {
    return MessageOf(ReplacedTarget("AmazonSSM", "StartSession", body));
  };
  EXPECT_NE(message({{"Target", "sagemaker-training-job:my-job_algo-1"}})
                .find("'warden exec my-job --host algo-1'"),
            std::string::npos);
  EXPECT_NE(message({{"Target", "sagemaker-training-job:my-job"}}).find("'warden exec my-job'"),
            std::string::npos);
  for (const Json& body : {Json::object(), Json{{"Target", 5}}, Json{{"Target", "i-0123"}}}) {
    EXPECT_NE(message(body).find("'warden exec JOB'"), std::string::npos) << body;
  }
}

TEST(ReplacedServices, EventsAndTopicsAreReceivers) {
  EXPECT_NE(MessageOf(ReplacedTarget("AWSEvents", "PutRule", {})).find("--events FILE"),
            std::string::npos);
  EXPECT_NE(
      MessageOf(ReplacedForm("Action=CreateTopic&Name=a&Version=2010-03-31")).find("no Amazon SNS"),
      std::string::npos);
}

TEST(ReplacedServices, OthersAreNotMeant) {
  EXPECT_FALSE(ReplacedTarget("SageMaker", "StartSession", {}));
  EXPECT_FALSE(ReplacedTarget("Logs_20140328", "GetLogEvents", {}));
  EXPECT_FALSE(ReplacedForm("Action=GetCallerIdentity&Version=2011-06-15"));
}

TEST(ReplacedServices, MetricsComeFromLogsAndHooks) {
  EXPECT_NE(ReplacedMetricOperation("PutMetricData").message.find("sm_metric=True"),
            std::string::npos);
  EXPECT_NE(ReplacedMetricOperation("PutMetricAlarm").message.find("rules with actions"),
            std::string::npos);
  EXPECT_NE(ReplacedMetricOperation("PutDashboard").message.find("/-/"), std::string::npos);
  EXPECT_NE(ReplacedMetricOperation("Nonsense").message.find("GetMetricData"), std::string::npos);
}

}  // namespace
}  // namespace warden::sagemaker
