#include <gtest/gtest.h>

#include "warden/sagemaker/operations/api_for_test.h"

namespace warden::sagemaker {
namespace {

class ListOperationsTest : public ApiTest {
 protected:
  std::vector<std::string> Names(const Json& body) {
    std::vector<std::string> names;
    const Json page = Done("ListTrainingJobs", body);
    for (const Json& each : page["TrainingJobSummaries"]) {
      names.push_back(each["TrainingJobName"].get<std::string>());
    }
    return names;
  }
  using Found = std::vector<std::string>;
};

TEST_F(ListOperationsTest, ListsPageByPage) {
  for (int i = 0; i < 12; ++i) Done("CreateTrainingJob", Request("job-" + std::to_string(i)));
  const Json first = Done("ListTrainingJobs", Json::object());
  EXPECT_EQ(first["TrainingJobSummaries"].size(), 10u);
  const Json second = Done("ListTrainingJobs", {{"NextToken", first["NextToken"]}});
  EXPECT_EQ(second["TrainingJobSummaries"].size(), 2u);
  EXPECT_FALSE(second.contains("NextToken"));
  EXPECT_EQ(second["TrainingJobSummaries"][1]["SecondaryStatus"], "Starting");
  EXPECT_EQ(Do("ListTrainingJobs", {{"NextToken", "x"}}).code, "ValidationException");
  EXPECT_EQ(Do("ListTrainingJobs", {{"MaxResults", 101}}).code, "ValidationException");
}

TEST_F(ListOperationsTest, AsTheStopTrainingActionAsks) {
  Done("CreateTrainingJob", Request("Demo-One"));
  Done("CreateTrainingJob", Request("other"));
  EXPECT_EQ(Names({{"NameContains", "demo-one"},
                   {"SortBy", "CreationTime"},
                   {"SortOrder", "Descending"},
                   {"StatusEquals", "InProgress"}}),
            Found{"Demo-One"});
  EXPECT_EQ(Names({{"StatusEquals", "Completed"}}), Found{});
  EXPECT_EQ(Names({{"StatusEquals", "Deleting"}}), Found{});
}

TEST_F(ListOperationsTest, SortsByNameFromTheFront) {
  for (const char* name : {"b", "a", "c"}) Done("CreateTrainingJob", Request(name));
  EXPECT_EQ(Names({{"SortBy", "Name"}}), (Found{"a", "b", "c"}));
  EXPECT_EQ(Names({{"SortBy", "Name"}, {"SortOrder", "Descending"}}), (Found{"c", "b", "a"}));
}

TEST_F(ListOperationsTest, TimesAreSecondsOfAnyKind) {
  Done("CreateTrainingJob", Request("a"));
  EXPECT_EQ(Names({{"CreationTimeAfter", 0}}), Found{"a"});
  EXPECT_EQ(Names({{"CreationTimeAfter", -5.5}}), Found{"a"});
  EXPECT_EQ(Names({{"CreationTimeAfter", 9e300}}), Found{});
  EXPECT_EQ(Names({{"LastModifiedTimeBefore", 1704164645}}), Found{});
}

TEST_F(ListOperationsTest, WarmPoolsAreGone) {
  Json request = Request("warm");
  request["ResourceConfig"]["KeepAlivePeriodInSeconds"] = 600;
  Done("CreateTrainingJob", request);
  Done("CreateTrainingJob", Request("cold"));
  Enter(jobs::SecondaryStatus::kCompleted, "warm");
  EXPECT_EQ(Names({{"WarmPoolStatusEquals", "Terminated"}}), Found{"warm"});
  EXPECT_EQ(Names({{"WarmPoolStatusEquals", "Available"}}), Found{});
}

TEST_F(ListOperationsTest, Tags) {
  const std::string arn = Done("CreateTrainingJob", Request())["TrainingJobArn"];
  const Json which = {{"ResourceArn", arn}};
  EXPECT_EQ(DumpLikePython(Done("ListTags", which)),
            R"({"Tags": [{"Key": "team", "Value": "ml"}]})");
  const Json tags =
      Json::array({{{"Key", "a"}, {"Value", "b"}}, {{"Key", "team"}, {"Value", "x"}}});
  EXPECT_EQ(Done("AddTags", {{"ResourceArn", arn}, {"Tags", tags}})["Tags"], tags);
  EXPECT_EQ(DumpLikePython(Done("ListTags", which)["Tags"]),
            R"([{"Key": "team", "Value": "x"}, {"Key": "a", "Value": "b"}])");
  EXPECT_EQ(DumpLikePython(Done(
                "DeleteTags", {{"ResourceArn", arn}, {"TagKeys", Json::array({"team", "none"})}})),
            "{}");
  EXPECT_EQ(Done("ListTags", which)["Tags"].size(), 1u);
  Json many = Json::array();
  for (int i = 0; i < 50; ++i) many.push_back({{"Key", std::to_string(i)}, {"Value", ""}});
  EXPECT_NE(Refused("AddTags", {{"ResourceArn", arn}, {"Tags", many}}).find("at most 50"),
            std::string::npos);
  Json untagged = Request("untagged");
  untagged.erase("Tags");
  const Json other = Done("CreateTrainingJob", untagged)["TrainingJobArn"];
  EXPECT_EQ(DumpLikePython(Done("ListTags", {{"ResourceArn", other}})), R"({"Tags": []})");
}

TEST_F(ListOperationsTest, TagsOfOtherThings) {
  Done("CreateTrainingJob", Request());
  const jobs::TrainingJob job = store->Get("demo-001").value();
  const Json rule = {{"ResourceArn", job.RuleArn(job.rules[0])}};
  EXPECT_EQ(DumpLikePython(Done("ListTags", rule)), R"({"Tags": []})");
  for (const char* arn : {"arn:aws:sagemaker:us-east-1:123456789012:training-job/none",
                          "arn:aws:sagemaker:eu-west-1:123456789012:training-job/demo-001",
                          "arn:aws:sagemaker:us-east-1:123456789012:model/demo-001",
                          "arn:aws:sagemaker:us-east-1:123456789012:x"}) {
    EXPECT_EQ(Refused("ListTags", {{"ResourceArn", arn}}),
              "ValidationException: Requested resource not found.")
        << arn;
  }
}

}  // namespace
}  // namespace warden::sagemaker
