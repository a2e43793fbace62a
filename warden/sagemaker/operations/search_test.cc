#include <gtest/gtest.h>

#include <set>
#include <string>

#include "warden/sagemaker/operations/api_for_test.h"
#include "warden/sagemaker/operations/search_expression.h"

namespace warden::sagemaker {
namespace {

class SearchTest : public ApiTest {
 protected:
  SearchTest() {
    for (const char* name : {"a", "b", "c"}) {
      Json request = Request(name);
      request["HyperParameters"] = {{"lr.start", name[0] == 'a' ? "0.5" : "10"}};
      request["Tags"] = Json::array({{{"Key", "my.team"}, {"Value", std::string("team-") + name}}});
      request["InputDataConfig"] = Json::array();
      for (const char* channel : {"train", "test"}) {
        request["InputDataConfig"].push_back(
            {{"ChannelName", channel},
             {"DataSource",
              {{"S3DataSource",
                {{"S3DataType", "S3Prefix"},
                 {"S3Uri", std::string("s3://in/") + name + "/" + channel}}}}}});
      }
      Done("CreateTrainingJob", request);
    }
    Enter(jobs::SecondaryStatus::kCompleted, "c");
  }

  static Json Filter(const char* name, const char* by, const char* value = nullptr) {
    Json filter = {{"Name", name}, {"Operator", by}};
    if (value != nullptr) filter["Value"] = value;
    return filter;
  }
  std::string Found(const Json& expression) {
    const Json answer = Done("Search", {{"Resource", "TrainingJob"},
                                        {"SearchExpression", expression},
                                        {"SortBy", "TrainingJobName"},
                                        {"SortOrder", "Ascending"}});
    std::string names;
    for (const Json& each : answer["Results"]) {
      names += each["TrainingJob"]["TrainingJobName"].get<std::string>();
    }
    return names;
  }
  std::string Found(const char* name, const char* by, const char* value = nullptr) {
    return Found({{"Filters", Json::array({Filter(name, by, value)})}});
  }
};

TEST_F(SearchTest, KnowsAllOperators) {
  EXPECT_EQ(Found("TrainingJobName", "Equals", "b"), "b");
  EXPECT_EQ(Found({{"Filters", Json::array({{{"Name", "TrainingJobName"}, {"Value", "b"}}})}}),
            "b");
  EXPECT_EQ(Found("TrainingJobStatus", "NotEquals", "InProgress"), "c");
  EXPECT_EQ(Found("HyperParameters.lr.start", "GreaterThan", "9"), "bc");
  EXPECT_EQ(Found("HyperParameters.lr.start", "LessThanOrEqualTo", "0.50"), "a");
  EXPECT_EQ(Found("ResourceConfig.InstanceCount", "GreaterThanOrEqualTo", "1"), "abc");
  EXPECT_EQ(Found("ResourceConfig.InstanceCount", "LessThan", "1"), "");
  EXPECT_EQ(Found("Tags.my.team", "Contains", "TEAM-B"), "b");
  EXPECT_EQ(Found("Tags.my.team", "Exists"), "abc");
  EXPECT_EQ(Found("FailureReason", "NotExists"), "abc");
  EXPECT_EQ(Found("TrainingJobName", "In", "a, c, x"), "ac");
  EXPECT_EQ(Found("CreationTime", "GreaterThan", "2020-01-02T03:04:05Z"), "abc");
  EXPECT_EQ(Found("CreationTime", "LessThan", "2020-01-02"), "");
  EXPECT_EQ(Found("InputDataConfig.DataSource.S3DataSource.S3Uri", "Contains", "in/b/test"), "b");
  EXPECT_EQ(Found("No.Such.Thing", "Equals", "x"), "");
}

TEST_F(SearchTest, CombinesExpressions) {
  const Json a = Filter("TrainingJobName", "Equals", "a");
  const Json done = Filter("TrainingJobStatus", "Equals", "Completed");
  EXPECT_EQ(Found({{"Filters", Json::array({a, done})}}), "");
  EXPECT_EQ(Found({{"Filters", Json::array({a, done})}, {"Operator", "Or"}}), "ac");
  EXPECT_EQ(Found({{"SubExpressions",
                    Json::array({{{"Filters", Json::array({a, done})}, {"Operator", "Or"}},
                                 {{"Filters", Json::array({done})}}})}}),
            "c");
  EXPECT_EQ(Found(Json::object()), "abc");
  const auto nested = [&](const char* channel, const char* uri) {
    return Found(
        {{"NestedFilters",
          Json::array(
              {{{"NestedPropertyName", "InputDataConfig"},
                {"Filters", Json::array({Filter("InputDataConfig.ChannelName", "Equals", channel),
                                         Filter("InputDataConfig.DataSource.S3DataSource."
                                                "S3Uri",
                                                "Contains", uri)})}}})}});
  };
  EXPECT_EQ(nested("train", "in/a/train"), "a");
  EXPECT_EQ(nested("train", "in/a/test"), "") << "of one and the same channel";
}

TEST_F(SearchTest, PagesAndSorts) {
  std::string names;
  Json query = {{"Resource", "TrainingJob"}, {"MaxResults", 1}, {"SortBy", "TrainingJobName"}};
  for (int pages = 0; pages < 5; ++pages) {
    const Json answer = Done("Search", query);
    EXPECT_EQ(answer["TotalHits"]["Value"], 3);
    for (const Json& each : answer["Results"]) {
      names += each["TrainingJob"]["TrainingJobName"].get<std::string>();
    }
    if (!answer.contains("NextToken")) break;
    query["NextToken"] = answer["NextToken"];
  }
  EXPECT_EQ(names, "cba");
  query["NextToken"] = "nonsense";
  EXPECT_EQ(Do("Search", query).code, "ValidationException");
  const Json last = Done("Search", {{"Resource", "TrainingJob"}, {"MaxResults", 1}});
  EXPECT_EQ(last["Results"][0]["TrainingJob"]["TrainingJobName"], "c") << "changed last";
}

TEST_F(SearchTest, PagesHaveEveryJobWhoseNamesAreTheSameNumber) {
  for (const char* name : {"1", "01", "001"}) Done("CreateTrainingJob", Request(name));
  Json query = {{"Resource", "TrainingJob"}, {"MaxResults", 1}, {"SortBy", "TrainingJobName"}};
  std::set<std::string> names;
  for (int pages = 0; pages < 10; ++pages) {
    const Json answer = Done("Search", query);
    for (const Json& each : answer["Results"]) {
      names.insert(each["TrainingJob"]["TrainingJobName"].get<std::string>());
    }
    if (!answer.contains("NextToken")) break;
    query["NextToken"] = answer["NextToken"];
  }
  EXPECT_EQ(names, (std::set<std::string>{"001", "01", "1", "a", "b", "c"}));
}

TEST_F(SearchTest, TellsTheMembersOfItsOwnModel) {
  const Json answer = Done("Search", {{"Resource", "TrainingJob"}});
  const Json& job = answer["Results"][0]["TrainingJob"];
  EXPECT_TRUE(job["Tags"].is_array());
  EXPECT_FALSE(job.contains("ProfilingStatus"));
  EXPECT_FALSE(job.contains("ProfilerRuleConfigurations"));
  EXPECT_EQ(Done("Search", {{"Resource", "Experiment"}})["Results"].size(), 0u);
}

TEST_F(SearchTest, RefusesWhatMakesNoSense) {
  const auto refused = [&](const Json& filter) {
    return Refused("Search", {{"Resource", "TrainingJob"},
                              {"SearchExpression", {{"Filters", Json::array({filter})}}}});
  };
  EXPECT_NE(refused(Filter("TrainingJobName", "Exists", "x")).find("cannot have a Value"),
            std::string::npos);
  EXPECT_NE(refused(Filter("TrainingJobName", "Equals")).find("needs a Value"), std::string::npos);
  Json expression = {{"Filters", Json::array({Filter("TrainingJobName", "Equals", "a")})}};
  for (int i = 0; i < 2; ++i) {
    Json wide = Json::array();
    for (int j = 0; j < 20; ++j) wide.push_back(expression);
    expression = {{"SubExpressions", wide}};
  }
  EXPECT_NE(Refused("Search", {{"Resource", "TrainingJob"}, {"SearchExpression", expression}})
                .find("at most 200"),
            std::string::npos);
}

TEST(CompareTest, NumbersTimesAndTexts) {
  EXPECT_LT(operations::Compare(Json("9"), std::string("10")), 0);
  EXPECT_GT(operations::Compare(Json("b"), std::string("a")), 0);
  EXPECT_EQ(operations::Compare(Json(86400.5), std::string("1970-01-02T00:00:00.5Z")), 0);
  EXPECT_EQ(operations::Compare(Json(true), std::string("true")), 0);
  for (const char* text : {"1970-", "1970-13-40", "1970-01-02Tx", "1970-01-02T00:00:00+05:00"}) {
    EXPECT_NE(operations::Compare(Json(0), std::string(text)), 0) << text;
  }
  EXPECT_GT(operations::Compare(Json("nan"), std::string("0.5")), 0);
  EXPECT_LT(operations::Compare(Json(0.5), std::string("NaN")), 0);
}

// Sorting values without such an order reads beyond their end.
TEST(CompareTest, AllValuesHaveAnOrder) {
  const Json values = {"2",  "10",  "1a", "nan",   "NaN",      3,
                       -1.5, "inf", "",   nullptr, true,       "01",
                       "1",  "b",   "a",  "[1]",   {{"a", 1}}, Json::array({"2"})};
  const auto before = [](const Json& a, const Json& b) { return operations::Compare(a, b) < 0; };
  const auto same = [](const Json& a, const Json& b) { return operations::Compare(a, b) == 0; };
  for (const Json& a : values) {
    EXPECT_FALSE(before(a, a)) << a;
    for (const Json& b : values) {
      EXPECT_FALSE(before(a, b) && before(b, a)) << a << b;
      for (const Json& c : values) {
        EXPECT_FALSE(before(a, b) && before(b, c) && !before(a, c)) << a << b << c;
        EXPECT_FALSE(same(a, b) && same(b, c) && !same(a, c)) << a << b << c;
      }
    }
  }
}

}  // namespace
}  // namespace warden::sagemaker
