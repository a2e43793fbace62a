#include "warden/jobs/launch/program_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "warden/jobs/launch/launch_for_test.h"

namespace warden::jobs {
namespace {

constexpr char kObserve[] = "TENSORWARDEN_OBSERVE=";

// Whether the program of a job with this rule observes its training loop: "", "0" or "1".
std::string ObserveOf(const std::string& rule, const Json& more = Json::object()) {
  Json request = {{"HyperParameters", {{"sagemaker_program", "\"/code/train.py\""}}}};
  request.update(more);
  TrainingJob job = JobOf(request);
  job.rules.emplace_back().config = {{"RuleConfigurationName", "mine"},
                                     {"RuleEvaluatorImage", "rules:1"},
                                     {"VolumeSizeInGB", 0},
                                     {"RuleParameters", {{"rule_to_invoke", rule}}}};
  service::ServiceOptions options;
  options.python = "/usr/bin/python3";
  options.python_site = "/packages/tensorwarden/auto/site";
  const auto environment = EnvironmentOf(job, Environments(), options);
  const HostLayout layout("/jobs/h", HostLayout::View::kHere);
  const std::vector<OutputFolder> outputs;
  const auto spec = PlanHost(
      {options, environment.value(), job, "algo-1", layout, outputs, LocalMachine(4711), {}, {}});
  if (!spec.ok()) return spec.status().message();
  const auto& variables = spec.value().environment;
  const auto found = std::ranges::find_if(
      variables, [](const std::string& variable) { return variable.starts_with(kObserve); });
  return found == variables.end() ? "" : found->substr(sizeof kObserve - 1);
}

TEST(ProgramPlanTest, TheTrainingLoopIsObservedForRulesThatCheckIt) {
  EXPECT_EQ(ObserveOf("StragglerRank"), "1");
  EXPECT_EQ(ObserveOf("loss_inputs"), "1");
  EXPECT_EQ(ObserveOf("VanishingGradient"), "");
  EXPECT_EQ(ObserveOf("OfTheUser"), "");
}

TEST(ProgramPlanTest, TheJobMayDecideWhetherItIsObserved) {
  const Json off = {{"Environment", {{"TENSORWARDEN_OBSERVE", "0"}}}};
  EXPECT_EQ(ObserveOf("StragglerRank", off), "0");
  const Json on = {{"Environment", {{"TENSORWARDEN_OBSERVE", "1"}}}};
  EXPECT_EQ(ObserveOf("VanishingGradient", on), "1");
}

}  // namespace
}  // namespace warden::jobs
