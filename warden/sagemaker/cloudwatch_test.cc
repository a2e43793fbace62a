#include "warden/sagemaker/cloudwatch.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "warden/jobs/logs/log_file.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/sagemaker/cloudwatch_wire.h"
#include "warden/sagemaker/operations/api_for_test.h"

namespace warden::sagemaker {
namespace {

// A job that has printed a loss of 0.5 at second 100 and one of 0.25 at second 130.
class CloudWatchTest : public ApiTest {
 protected:
  CloudWatchTest() {
    options.data = data_.path();
    Json request = Request();
    request["AlgorithmSpecification"]["MetricDefinitions"] =
        Json::array({{{"Name", "loss"}, {"Regex", "loss=([0-9.]+)"}}});
    Done("CreateTrainingJob", request);
    auto log = jobs::LogWriter::Open(
        service::DataLayout::Log(service::DataLayout(options.data).Host("demo-001", "algo-1")),
        1 << 20, 5);
    log.value()->Append("loss=0.5\n", Time(std::chrono::seconds(100)));
    log.value()->Append("loss=0.25\n", Time(std::chrono::seconds(130)));
    log.value()->Close(Time(std::chrono::seconds(130)));
  }

  static Json Statistics(const Json& start = 0, const Json& end = 1000) {
    return {{"Namespace", "/aws/sagemaker/TrainingJobs"},
            {"MetricName", "loss"},
            {"Dimensions", Json::array({{{"Name", "TrainingJobName"}, {"Value", "demo-001"}}})},
            {"StartTime", start},
            {"EndTime", end},
            {"Period", 60},
            {"Statistics", Json::array({"Average"})}};
  }

  http::Response Raw(const http::RequestHead& head, const std::string& body) {
    auto exchange = api->Begin(head);
    exchange->Take(body);
    return exchange->Answer();
  }

  const os::TempFolder data_;
};

TEST_F(CloudWatchTest, LimitedKeysSeeTheirJobsOnly) {
  const auto points = [&] {
    const auto head = Head("GraniteServiceVersion20100801.GetMetricStatistics");
    return Send(head, DumpLikePython(Statistics())).body["Datapoints"].size();
  };
  key.limits = {.jobs = {"demo-"}, .buckets = {"demo-"}};
  EXPECT_EQ(points(), 2u);
  key.limits.jobs = {"demo-002", "Demo"};
  EXPECT_EQ(points(), 0u);
}

TEST_F(CloudWatchTest, AnswersInJson) {
  const Answer answer =
      Send(Head("GraniteServiceVersion20100801.GetMetricStatistics"), DumpLikePython(Statistics()));
  ASSERT_EQ(answer.status, 200) << answer.message;
  EXPECT_EQ(answer.body["Label"], "loss");
  ASSERT_EQ(answer.body["Datapoints"].size(), 2u);
  EXPECT_EQ(answer.body["Datapoints"][0]["Timestamp"], 60);
  EXPECT_EQ(answer.body["Datapoints"][0]["Average"], 0.5);
  EXPECT_EQ(answer.body["Datapoints"][1]["Average"], 0.25);
}

TEST_F(CloudWatchTest, AnswersInCbor) {
  http::RequestHead head = Head("");
  head.path = "/service/GraniteServiceVersion20100801/operation/GetMetricStatistics";
  head.headers = {{"Content-Type", "application/cbor"}, {"smithy-protocol", "rpc-v2-cbor"}};
  EXPECT_TRUE(IsCloudWatchCall(head));
  const std::vector<uint8_t> bytes = Json::to_cbor(Statistics(0.5, 110.0));
  const http::Response response = Raw(head, std::string(bytes.begin(), bytes.end()));
  EXPECT_EQ(response.status, 200);
  const auto answer = FromCbor(response.body);
  ASSERT_TRUE(answer);
  ASSERT_EQ((*answer)["Datapoints"].size(), 1u);
  EXPECT_EQ((*answer)["Datapoints"][0]["Average"], 0.5);
  EXPECT_EQ(Raw(head, "nonsense").status, 400);
}

TEST_F(CloudWatchTest, AnswersFormsInXml) {
  http::RequestHead head = Head("");
  head.headers = {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}};
  const http::Response response =
      Raw(head,
          "Action=GetMetricStatistics&Version=2010-08-01&Namespace=%2Faws%2Fsagemaker%2F"
          "TrainingJobs&MetricName=loss&Dimensions.member.1.Name=TrainingJobName&"
          "Dimensions.member.1.Value=demo-001&StartTime=1970-01-01T00%3A00%3A00Z&"
          "EndTime=1970-01-01T01%3A00%3A00Z&Period=3600&Statistics.member.1=Sum");
  EXPECT_EQ(response.status, 200);
  EXPECT_NE(response.body.find("<Datapoints><member><Timestamp>1970-01-01T00:00:00Z</Timestamp>"
                               "<Unit>None</Unit><Sum>0.75</Sum></member></Datapoints>"),
            std::string::npos)
      << response.body;
}

TEST_F(CloudWatchTest, AnswersSeveralQueries) {
  const Json& one = Statistics();
  const Json metric = {
      {"Namespace", one["Namespace"]}, {"MetricName", "loss"}, {"Dimensions", one["Dimensions"]}};
  const Json stat = {{"Metric", metric}, {"Period", 60}, {"Stat", "Maximum"}};
  const Answer answer = Send(
      Head("GraniteServiceVersion20100801.GetMetricData"),
      DumpLikePython({{"MetricDataQueries", Json::array({{{"Id", "a"}, {"MetricStat", stat}}})},
                      {"StartTime", 0},
                      {"EndTime", 1000}}));
  ASSERT_EQ(answer.status, 200) << answer.message;
  EXPECT_EQ(answer.body["MetricDataResults"][0]["Values"], Json::array({0.25, 0.5}));
}

TEST_F(CloudWatchTest, RefusesWhatMakesNoSense) {
  const auto refused = [&](const Json& body) {
    return Send(Head("GraniteServiceVersion20100801.GetMetricStatistics"), DumpLikePython(body))
        .code;
  };
  EXPECT_EQ(refused(Statistics(10, 10)), "InvalidParameterValue");
  EXPECT_EQ(refused(Statistics("then", "now")), "InvalidParameterValue");
  EXPECT_EQ(refused(Json::object()), "InvalidParameterValue");
  const Answer unknown = Send(Head("GraniteServiceVersion20100801.PutMetricData"), "{}");
  EXPECT_EQ(unknown.code, "UnknownOperationException");
}

TEST(FromQueryForm, ReadsNestedLists) {
  const Json form = FromQueryForm(
      "MetricDataQueries.member.1.MetricStat.Metric.Dimensions.member.2.Name=a%20b&x=1&"
      "MetricDataQueries.member.0.Id=none&=&junk");
  EXPECT_EQ(form["MetricDataQueries"][0]["MetricStat"]["Metric"]["Dimensions"][1]["Name"], "a b");
  EXPECT_EQ(form["x"], "1");
}

TEST(IsoSecond, ReadsTimes) {
  EXPECT_EQ(IsoSecond("1970-01-02T00:00:01Z"), 86'401);
  EXPECT_EQ(IsoSecond("1970-01-01T01:00:00.500+01:00"), 0.5);
  EXPECT_EQ(IsoSecond("1970-13-01T00:00:00Z"), std::nullopt);
  EXPECT_EQ(IsoSecond("yesterday"), std::nullopt);
}

TEST(FromCborTest, TakesWhatClientsSend) {
  // {"a": [1, -1, "x", h'00', 1(1.5)], "b": {_ "c": null}, "d": (_ "e", "f")}
  const std::string body(
      "\xA3\x61"
      "a\x85\x01\x20\x61x\x41\x00\xC1\xF9\x3E\x00\x61"
      "b\xBF\x61"
      "c\xF6\xFF\x61"
      "d\x7F\x61"
      "e\x61"
      "f\xFF",
      29);
  const auto json = FromCbor(body);
  ASSERT_TRUE(json.has_value());
  EXPECT_EQ((*json)["a"][4], 1.5);
  EXPECT_TRUE((*json)["b"]["c"].is_null());
  EXPECT_EQ((*json)["d"], "ef");
}

TEST(FromCborTest, RefusesWhatWouldBreakTheParser) {
  EXPECT_EQ(FromCbor(std::string(1'000'000, '\x81')), std::nullopt);  // Lists in lists.
  EXPECT_EQ(FromCbor("\xA1\x61x" + std::string(1'000'000, '\xC1')), std::nullopt);  // Tags of tags.
  EXPECT_EQ(FromCbor("\xBB\xB3RROR ?"), std::nullopt);  // A map of 10^19 members.
  EXPECT_EQ(FromCbor("\xA1\x61x\x7B\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), std::nullopt);
  EXPECT_EQ(FromCbor("\xFF"), std::nullopt);
  EXPECT_EQ(FromCbor("\xA1"), std::nullopt);
}

}  // namespace
}  // namespace warden::sagemaker
