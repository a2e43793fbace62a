#include "warden/jobs/launch/builtin_algorithm.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "warden/base/json_members.h"
#include "warden/base/number_pattern.h"
#include "warden/jobs/launch/launch_for_test.h"
#include "warden/jobs/launch/program_plan.h"

namespace warden::jobs {
namespace {

TrainingJob JobOfImage(const std::string& image, Json more = Json::object()) {
  Json request = {{"AlgorithmSpecification", {{"TrainingImage", image}}}};
  request.update(more);
  return JobOf(request);
}

TEST(BuiltinAlgorithmTest, IsNamedByTheImage) {
  for (const char* image :
       {"246618743249.dkr.ecr.example/sagemaker-xgboost:1.2-1", "registry:5000/xgboost:latest",
        "xgboost", "a/b/sagemaker-xgboost@sha256:0"}) {
    EXPECT_EQ(BuiltinAlgorithmOf(JobOfImage(image)), "xgboost") << image;
  }
  for (const char* image : {"some:1", "my-xgboost:1", "xgboost/other:1", "other:xgboost"}) {
    EXPECT_EQ(BuiltinAlgorithmOf(JobOfImage(image)), "") << image;
  }
  const Json named = {{"AlgorithmSpecification", {{"AlgorithmName", "xgboost"}}}};
  EXPECT_EQ(BuiltinAlgorithmOf(JobOf(named)), "xgboost");
}

TEST(BuiltinAlgorithmTest, AProgramOfTheJobIsRunInstead) {
  const Json script = {{"HyperParameters", {{"sagemaker_program", "/x/train.py"}}}};
  EXPECT_EQ(BuiltinAlgorithmOf(JobOfImage("xgboost:1", script)), "");
  const Json entry = {{"AlgorithmSpecification",
                       {{"TrainingImage", "xgboost:1"}, {"ContainerEntrypoint", {"train"}}}}};
  EXPECT_EQ(BuiltinAlgorithmOf(JobOf(entry)), "");
}

TEST(BuiltinAlgorithmTest, RunsWithThePythonOfTheImage) {
  service::ServiceOptions options;
  options.python = "/usr/bin/python3";
  options.python_site = "/packages/tensorwarden/auto/site";
  const TrainingJob job = JobOfImage("sagemaker-xgboost:1.7-1");
  const auto plain = EnvironmentOf(job, Environments(), options);
  ASSERT_TRUE(plain.ok()) << plain.status().message();
  EXPECT_EQ(plain.value().python, "/usr/bin/python3");
  const auto registry = Environments::Parse(
      R"({"environments": [{"name": "x", "images": ["*xgboost*"], "python": "/opt/x/python"}]})");
  EXPECT_EQ(EnvironmentOf(job, registry.value(), options).value().python, "/opt/x/python");
  EXPECT_EQ(
      BuiltinAlgorithmWords("xgboost", "python3", options),
      (std::vector<std::string>{
          "python3", "/packages/tensorwarden/auto/site/_tensorwarden_algorithm.py", "xgboost"}));
}

TEST(BuiltinAlgorithmTest, SaysWhyItCannotRun) {
  service::ServiceOptions options;
  const auto refused = [&](const TrainingJob& job, const Environments& registry) {
    return EnvironmentOf(job, registry, options).status().message();
  };
  EXPECT_NE(refused(JobOfImage("xgboost:1"), {}).find("set TENSORWARDEN_PYTHON"),
            std::string::npos);
  options.python_site = "/site";
  const TrainingJob two =
      JobOfImage("xgboost:1", {{"ResourceConfig", {{"InstanceCount", 2}, {"VolumeSizeInGB", 1}}}});
  EXPECT_EQ(refused(two, {}), "the job has 2 hosts; the built-in algorithm xgboost expects 1");
  // The image itself may do more.
  const auto registry = Environments::Parse(
      R"({"environments": [{"name": "x", "images": ["*"],
          "container": {"runtime": "podman", "image": "xgboost"}}]})");
  EXPECT_EQ(refused(two, registry.value()), "");
}

TEST(BuiltinAlgorithmTest, ItsMetricsAreDefined) {
  TrainingJob job = JobOfImage("xgboost:1", {{"HyperParameters", {{"eval_metric", "error@0.7"}}}});
  Json& algorithm = job.request["AlgorithmSpecification"];
  algorithm["MetricDefinitions"] = Json::array({{{"Name", "train:rmse"}, {"Regex", "mine"}}});
  AddBuiltinMetrics(&job);
  const std::string line =
      "[12]#011train-rmse:0.25000#011train-error@0.7:1.5e-05#011validation-rmse:-0.50000";
  std::map<std::string, double> found;
  std::set<std::string> names;
  for (const Json& each : algorithm["MetricDefinitions"]) {
    const std::string name = TextOf(MemberOf(each, "Name"));
    EXPECT_TRUE(names.insert(name).second) << name;
    const auto pattern = NumberPattern::Compile(TextOf(MemberOf(each, "Regex")));
    ASSERT_TRUE(pattern.ok()) << name;
    if (const auto value = pattern.value().Find(line)) found[name] = *value;
  }
  const std::map<std::string, double> expected = {{"train:error@0.7", 1.5e-05},
                                                  {"validation:rmse", -0.5}};
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(names.contains("validation:auc"));
  TrainingJob other = JobOfImage("some:1");
  AddBuiltinMetrics(&other);
  EXPECT_FALSE(other.request["AlgorithmSpecification"].contains("MetricDefinitions"));
}

}  // namespace
}  // namespace warden::jobs
