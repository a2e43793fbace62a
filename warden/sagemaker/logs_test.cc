#include "warden/sagemaker/logs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "warden/base/json.h"
#include "warden/jobs/db/store_for_test.h"
#include "warden/jobs/logs/log_file.h"

namespace warden::sagemaker {
namespace {

constexpr char kTraining[] = "/aws/sagemaker/TrainingJobs";
constexpr char kProcessing[] = "/aws/sagemaker/ProcessingJobs";

class LogsApiTest : public ::testing::Test {
 protected:
  LogsApiTest() {
    options_.data = folder_.folder();
    store_ = folder_.Open();
    for (const char* name : {"demo-001", "demo-002"}) {
      EXPECT_TRUE(store_->Create(jobs::SomeJob(name), {"owner", name}).ok());
    }
  }

  void Write(const std::string& agent, const std::string& text, int64_t milliseconds) {
    const auto writer = jobs::LogWriter::Open(service::DataLayout::Log(agent), 1 << 20, 3);
    ASSERT_TRUE(writer.ok());
    writer.value()->Append(text, jobs::At(milliseconds));
  }
  void WriteHost(const std::string& host, const std::string& text, int64_t milliseconds) {
    Write(service::DataLayout(options_.data).Host("demo-001", host), text, milliseconds);
  }

  Json Ask(const char* operation, const Json& body) {
    http::RequestHead head;
    head.id = "request-1";
    ApiParts parts;
    parts.options = &options_;
    parts.store = store_.get();
    const http::Response response = AnswerLogs(operation, body, identity_, parts, head);
    Result<Json> json = ParseJson(response.body);
    EXPECT_TRUE(json.ok());
    EXPECT_EQ(response.status == 200, !json.value().contains("__type"));
    return std::move(json).value();
  }

  // The messages of an answer, with '|' between.
  static std::string Messages(const Json& answer) {
    std::string text;
    for (const Json& event : answer["events"]) {
      text += (text.empty() ? "" : "|") + event["message"].get<std::string>();
    }
    return text;
  }

  std::string Names(const Json& answer) {
    std::string text;
    for (const Json& stream : answer["logStreams"]) {
      text += (text.empty() ? "" : "|") + stream["logStreamName"].get<std::string>();
    }
    return text;
  }

  const std::string first_ = "demo-001/algo-1-1767323000";
  const std::string second_ = "demo-001/algo-2-1767323000";
  jobs::StoreFolder folder_;
  service::ServiceOptions options_;
  auth::Identity identity_{"key", "000000000000", "us-east-1", 1};
  std::unique_ptr<jobs::JobStore> store_;
};

TEST_F(LogsApiTest, StreamsAppearWithTheirFirstLine) {
  const Json ask = {{"logGroupName", kTraining},
                    {"logStreamNamePrefix", "demo-001/"},
                    {"orderBy", "LogStreamName"},
                    {"limit", 2}};
  EXPECT_EQ(Ask("DescribeLogStreams", ask)["logStreams"], Json::array());
  WriteHost("algo-2", "two\n", 2000);
  WriteHost("algo-1", "one\n", 1000);
  const Json answer = Ask("DescribeLogStreams", ask);
  EXPECT_EQ(Names(answer), first_ + "|" + second_);
  EXPECT_FALSE(answer.contains("nextToken"));
  EXPECT_EQ(answer["logStreams"][0]["creationTime"], 1767323000123);
  EXPECT_EQ(answer["logStreams"][0]["firstEventTimestamp"], 1000);
  EXPECT_EQ(Names(Ask("DescribeLogStreams", {{"logGroupName", kTraining}, {"limit", 1}})), first_);
  EXPECT_EQ(
      Names(Ask("DescribeLogStreams",
                {{"logGroupName", kTraining}, {"orderBy", "LastEventTime"}, {"descending", true}})),
      second_ + "|" + first_);
  EXPECT_EQ(Ask("DescribeLogStreams", {{"logGroupName", "/other"}})["__type"],
            "ResourceNotFoundException");
  EXPECT_EQ(Ask("DescribeLogStreams", {{"logGroupName", 1}})["__type"], "SerializationException");
  EXPECT_EQ(Ask("DescribeLogStreams", {{"logGroupName", kTraining}, {"orderBy", "x"}})["__type"],
            "InvalidParameterException");
}

TEST_F(LogsApiTest, ArnsAreInTheRegionOfTheSender) {
  WriteHost("algo-1", "one\n", 1000);
  identity_.account = "123456789012";
  identity_.region = "us-west-2";
  const std::string group =
      "arn:aws:logs:us-west-2:123456789012:log-group:/aws/sagemaker/TrainingJobs";
  EXPECT_EQ(Ask("DescribeLogGroups", {{"logGroupNamePrefix", kTraining}})["logGroups"][0]["arn"],
            group + ":*");
  EXPECT_EQ(Ask("DescribeLogStreams", {{"logGroupName", kTraining}})["logStreams"][0]["arn"],
            group + ":log-stream:" + first_);
}

TEST_F(LogsApiTest, ListsStreamsInPages) {
  constexpr int kJobs = 72;
  for (int i = 0; i < kJobs; ++i) {
    const std::string name = fmt::format("many-{:02}", i);
    ASSERT_TRUE(store_->Create(jobs::SomeJob(name), {}).ok());
    // The times are in another order than the names.
    Write(service::DataLayout(options_.data).Host(name, "algo-1"), "x\n", 1000 + 7 * i % kJobs);
  }
  for (const char* order : {"LogStreamName", "LastEventTime"}) {
    for (const bool descending : {false, true}) {
      Json ask = {{"logGroupName", kTraining},
                  {"logStreamNamePrefix", "many-"},
                  {"orderBy", order},
                  {"descending", descending}};
      std::vector<std::pair<int64_t, std::string>> seen;
      std::vector<size_t> pages;
      do {
        const Json page = Ask("DescribeLogStreams", ask);
        pages.push_back(page["logStreams"].size());
        for (const Json& stream : page["logStreams"]) {
          const bool by_time = std::string_view(order) == "LastEventTime";
          seen.emplace_back(by_time ? stream["lastEventTimestamp"].get<int64_t>() : 0,
                            stream["logStreamName"].get<std::string>());
        }
        ask["nextToken"] = page.value("nextToken", "");
      } while (ask["nextToken"] != "");
      EXPECT_EQ(pages, (std::vector<size_t>{50, 22}));
      if (descending) std::reverse(seen.begin(), seen.end());
      EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end())) << order << descending;
      EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), size_t{kJobs});
    }
  }
  EXPECT_EQ(Ask("DescribeLogStreams", {{"logGroupName", kTraining}, {"nextToken", "x"}})["__type"],
            "InvalidParameterException");
}

TEST_F(LogsApiTest, RulesHaveStreamsToo) {
  Write(service::DataLayout(options_.data).Rule("demo-001", "demo-001-vg-1a2b3c4d"), "judged\n", 5);
  const std::string name = "demo-001-vg-1a2b3c4d/algo-1-1767323000";
  EXPECT_EQ(Names(Ask("DescribeLogStreams", {{"logGroupName", kProcessing}})), name);
  EXPECT_EQ(Messages(Ask("GetLogEvents", {{"logGroupName", kProcessing}, {"logStreamName", name}})),
            "judged");
}

TEST_F(LogsApiTest, GivesPagesUntilTheEnd) {
  WriteHost("algo-1", "a\nb\nc\n", 1000);
  Json ask = {{"logGroupName", kTraining},
              {"logStreamName", first_},
              {"startFromHead", true},
              {"limit", 2},
              {"startTime", 0}};
  Json page = Ask("GetLogEvents", ask);
  EXPECT_EQ(Messages(page), "a|b");
  EXPECT_EQ(page["events"][0]["timestamp"], 1000);
  ask["nextToken"] = page["nextForwardToken"];
  page = Ask("GetLogEvents", ask);
  EXPECT_EQ(Messages(page), "c");
  ask["nextToken"] = page["nextForwardToken"];
  page = Ask("GetLogEvents", ask);
  EXPECT_EQ(Messages(page), "");
  EXPECT_EQ(page["nextForwardToken"], ask["nextToken"]) << "the same again: this is the end";
  WriteHost("algo-1", "d\n", 2000);
  EXPECT_EQ(Messages(Ask("GetLogEvents", ask)), "d");
}

TEST_F(LogsApiTest, GoesBackwards) {
  WriteHost("algo-1", "a\nb\nc\nd\n", 1000);
  Json ask = {{"logGroupName", kTraining}, {"logStreamName", first_}, {"limit", 2}};
  Json page = Ask("GetLogEvents", ask);
  EXPECT_EQ(Messages(page), "c|d");
  ask["nextToken"] = page["nextBackwardToken"];
  EXPECT_EQ(Messages(Ask("GetLogEvents", ask)), "a|b");
  ask["nextToken"] = page["nextForwardToken"];
  EXPECT_EQ(Messages(Ask("GetLogEvents", ask)), "");
}

TEST_F(LogsApiTest, KeepsToTimes) {
  for (int i = 1; i <= 5; ++i) WriteHost("algo-1", "at " + std::to_string(i) + "\n", i * 1000);
  const auto between = [&](int64_t start, int64_t end, int limit = 100) {
    return Messages(Ask("GetLogEvents", {{"logGroupName", kTraining},
                                         {"logStreamName", first_},
                                         {"startFromHead", true},
                                         {"startTime", start},
                                         {"endTime", end},
                                         {"limit", limit}}));
  };
  EXPECT_EQ(between(2000, 4000), "at 2|at 3");
  EXPECT_EQ(between(5000, 9000, 1), "at 5") << "pages without any are passed over";
  EXPECT_EQ(between(6000, 9000), "");
}

TEST_F(LogsApiTest, FiltersAndInterleaves) {
  for (int i = 0; i < 3; ++i) {
    WriteHost("algo-1", "loss " + std::to_string(i) + "\nnoise\n", 1000 + 20 * i);
    WriteHost("algo-2", "loss b" + std::to_string(i) + "\n", 1010 + 20 * i);
  }
  Json ask = {{"logGroupName", kTraining},
              {"filterPattern", "loss"},
              {"limit", 4},
              {"logStreamNamePrefix", "demo-001"}};
  Json page = Ask("FilterLogEvents", ask);
  EXPECT_EQ(Messages(page), "loss 0|loss b0|loss 1|loss b1");
  EXPECT_EQ(page["events"][1]["logStreamName"], second_);
  ask["nextToken"] = page["nextToken"];
  page = Ask("FilterLogEvents", ask);
  EXPECT_EQ(Messages(page), "loss 2|loss b2");
  EXPECT_FALSE(page.contains("nextToken"));
  EXPECT_EQ(Messages(Ask("FilterLogEvents", {{"logGroupName", kTraining},
                                             {"logStreamNames", {second_}},
                                             {"filterPattern", "\"loss b\""}})),
            "loss b0|loss b1|loss b2");
  const auto filtered = [&](const char* pattern) {
    return Messages(Ask(
        "FilterLogEvents",
        {{"logGroupName", kTraining}, {"logStreamNames", {first_}}, {"filterPattern", pattern}}));
  };
  EXPECT_EQ(filtered("loss -1"), "loss 0|loss 2");
  EXPECT_EQ(filtered("?0 ?2"), "loss 0|loss 2");
  EXPECT_EQ(filtered("%s [12]$%"), "loss 1|loss 2");
  ask["nextToken"] = "rubbish";
  EXPECT_EQ(Ask("FilterLogEvents", ask)["__type"], "InvalidParameterException");
  EXPECT_EQ(
      Ask("FilterLogEvents", {{"logGroupName", kTraining}, {"filterPattern", "{$.a=1}"}})["__type"],
      "InvalidParameterException");
}

TEST_F(LogsApiTest, RefusesWhatIsNotThere) {
  WriteHost("algo-1", "a\n", 1);
  for (const char* name : {"", "demo-001", "demo-001/algo-1", "demo-001/algo-1-1",
                           "none/algo-1-1767323000", "../../etc/algo-1-1767323000"}) {
    EXPECT_EQ(Ask("GetLogEvents", {{"logGroupName", kTraining}, {"logStreamName", name}})["__type"],
              "ResourceNotFoundException")
        << name;
  }
  for (const char* token : {"x", "f/", "f/-1", "f/x", "g/1"}) {
    EXPECT_EQ(Ask("GetLogEvents", {{"logGroupName", kTraining},
                                   {"logStreamName", first_},
                                   {"nextToken", token}})["__type"],
              "InvalidParameterException")
        << token;
  }
  EXPECT_EQ(Ask("PutLogEvents", Json::object())["__type"], "UnknownOperationException");
  EXPECT_EQ(Ask("DescribeLogGroups", Json::object())["logGroups"].size(), 2u);
  EXPECT_EQ(Ask("DescribeLogGroups",
                {{"logGroupNamePrefix", "/aws/sagemaker/T"}})["logGroups"][0]["logGroupName"],
            kTraining);
}

}  // namespace
}  // namespace warden::sagemaker
