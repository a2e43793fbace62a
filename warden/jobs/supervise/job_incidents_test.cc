#include "warden/jobs/supervise/job_incidents.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"
#include "warden/format/metric_line.h"
#include "warden/format/profiler_layout.h"
#include "warden/jobs/record/job_for_test.h"
#include "warden/timeline/timeline_for_test.h"

namespace warden::jobs {
namespace {

using actions::Firing;

Firing IncidentFiring(const std::string& rule_class, Step step, int64_t id = 1,
                      const std::string& advice = "Fix it.") {
  Firing firing;
  firing.rule_class = rule_class;
  firing.finding.id = id;
  firing.finding.step = firing.finding.last_step = step;
  firing.finding.message = "it is broken";
  firing.finding.advice = advice;
  return firing;
}

// "DeadUnits: VanishingGradient, LossSpike" of each incident that the job has.
std::vector<std::string> IncidentsIn(const TrainingJob& job) {
  std::vector<std::string> told;
  for (const JobIncident& incident : job.incidents) {
    std::string text = incident.json["rule"].get<std::string>() + ":";
    for (const Json& effect : incident.json["effects"]) {
      text += " " + effect["rule"].get<std::string>();
    }
    told.push_back(std::move(text));
  }
  return told;
}

class JobIncidentsTest : public testing::Test {
 protected:
  void Add(const std::string& rule, Step step) {
    incidents_.Add(rule, {IncidentFiring(rule, step)});
  }
  // As the store has it afterwards.
  std::vector<std::string> Write() {
    incidents_.WriteTo(&job_, At(++now_));
    job_ = TrainingJobFromJson(ToJson(job_)).value();
    incidents_.Kept();
    return IncidentsIn(job_);
  }

  using Told = std::vector<std::string>;
  JobIncidents incidents_;
  TrainingJob job_ = SomeJob();
  int64_t now_ = 0;
};

TEST_F(JobIncidentsTest, FindingsOfSeveralRulesAreOne) {
  EXPECT_EQ(Write(), Told{});
  Add("LossNotDecreasing", 20);
  incidents_.Add("Mine", {IncidentFiring("VanishingGradient", 12)});
  Add("UnchangedTensor", 14);
  EXPECT_TRUE(incidents_.Has("Mine"));
  EXPECT_FALSE(incidents_.Has("VanishingGradient"));
  EXPECT_EQ(Write(), Told{"Mine: UnchangedTensor LossNotDecreasing"});
  EXPECT_EQ(job_.incidents[0].begun, At(2));
  EXPECT_EQ(job_.incidents[0].json["findings"], 3);
  EXPECT_EQ(job_.incidents[0].json["doc"].get<std::string>().empty(), false);
}

TEST_F(JobIncidentsTest, TheySayWhatTheMachineDid) {
  constexpr int64_t kThen = 1'700'000'040;
  timeline::ProfilerFolderForTest profile;
  std::string line;
  format::AppendMetricLine({"memory", "MemoryUsedPercent", "", 97, "algo-1", double{kThen}}, &line);
  profile.Write(format::MetricFileKey(kThen / 60 * 60, "algo-1"), line);
  incidents_.SetProfile(profile.path());
  incidents_.SetProfile("elsewhere");
  Firing firing = IncidentFiring("DeadUnits", 10);
  firing.finding.wall_time = kThen;
  incidents_.Add("DeadUnits", {firing});
  Write();
  ASSERT_EQ(job_.incidents.size(), 1u);
  EXPECT_EQ(job_.incidents[0].json["machine"][0]["text"], "host memory 97 % full");
}

TEST_F(JobIncidentsTest, WhatJoinsBeginsNothing) {
  Add("LossNotDecreasing", 20);
  EXPECT_EQ(Write(), Told{"LossNotDecreasing:"});
  const std::string id = job_.incidents[0].id;
  Add("UnchangedTensor", 25);
  EXPECT_EQ(Write(), Told{"LossNotDecreasing: UnchangedTensor"});
  // Even if it is the cause.
  Add("DeadUnits", 18);
  EXPECT_EQ(Write(), Told{"DeadUnits: LossNotDecreasing UnchangedTensor"});
  EXPECT_EQ(job_.incidents[0].id, id);
  EXPECT_EQ(job_.incidents[0].begun, At(1));
}

TEST_F(JobIncidentsTest, SomethingElseBeginsAnother) {
  Add("LossNotDecreasing", 20);
  Write();
  Add("EvaluationMode", 30);
  EXPECT_EQ(Write(), (Told{"LossNotDecreasing:", "EvaluationMode:"}));
  EXPECT_NE(job_.incidents[0].id, job_.incidents[1].id);
  // A mistake that takes over the effects of another one is told too.
  Add("OptimizerCoverage", 50);
  Add("GradientsNotCleared", 10);
  EXPECT_EQ(Write(), (Told{"GradientsNotCleared: LossNotDecreasing",
                           "EvaluationMode:", "OptimizerCoverage:"}));
}

TEST_F(JobIncidentsTest, TwoThatHaveOneCauseBecomeOne) {
  Add("VanishingGradient", 500);
  Add("DeadUnits", 900);
  EXPECT_EQ(Write(), (Told{"DeadUnits:", "VanishingGradient:"}));
  Add("FrozenLayer", 100);
  EXPECT_EQ(Write(), Told{"FrozenLayer: VanishingGradient DeadUnits"});
  EXPECT_EQ(job_.incidents[0].begun, At(1));
}

TEST_F(JobIncidentsTest, AfterARestartNothingBeginsAgain) {
  const auto find_all = [&] {
    Add("LossNotDecreasing", 20);
    Add("DeadUnits", 18);
    Add("EvaluationMode", 30);
  };
  find_all();
  Write();
  const Json before = ToJson(job_);
  incidents_ = JobIncidents();
  find_all();
  Write();
  EXPECT_EQ(ToJson(job_), before);
  // In another order, and some are missing.
  incidents_ = JobIncidents();
  Add("EvaluationMode", 30);
  Write();
  EXPECT_EQ(ToJson(job_), before);
}

TEST_F(JobIncidentsTest, KnowsWhatIsNew) {
  EXPECT_FALSE(incidents_.news());
  Add("LossNotDecreasing", 20);
  Add("DeadUnits", 18);
  ASSERT_TRUE(incidents_.news());
  EXPECT_EQ(incidents_.news()->step, 20);
  Firing of_machine = IncidentFiring("LowGPUUtilization", 0);
  of_machine.finding.time_s = 1e9;
  incidents_.Add("LowGPUUtilization", {of_machine});
  EXPECT_FALSE(incidents_.news()->step);
  Write();
  EXPECT_FALSE(incidents_.news());
  Add("DeadUnits", 18);
  EXPECT_FALSE(incidents_.news()) << "a process that was restarted finds it again";
}

TEST_F(JobIncidentsTest, IsBounded) {
  // A program of the user's finds what it likes.
  std::vector<Firing> wild;
  for (int64_t id = 1; id <= 300; ++id) {
    wild.push_back(IncidentFiring("OwnRule", id, id, "advice " + std::to_string(id)));
    wild.back().finding.message = wild.back().finding.tensor = std::string(5000, 'x');
    wild.back().finding.spread.assign(30, std::string(5000, 'x'));
  }
  incidents_.Add("OwnRule", wild);
  EXPECT_EQ(Write().size(), 50u);
  EXPECT_LT(ToJson(job_).dump().size(), 1u << 20);
  std::vector<Firing> many;
  for (int64_t id = 1; id <= 1000; ++id) many.push_back(IncidentFiring("DeadRelu", 5, id));
  JobIncidents of_many;
  of_many.Add("DeadRelu", many);
  TrainingJob job = SomeJob();
  of_many.WriteTo(&job, At(1));
  ASSERT_EQ(job.incidents.size(), 1u);
  EXPECT_EQ(job.incidents[0].json["findings"], 200);
}

TEST_F(JobIncidentsTest, RecordsMayHoldAnything) {
  job_.incidents = {{"a", At(1), Json::object()}, {"b", At(1), {{"rule", 5}, {"finding", "x"}}}};
  Add("DeadUnits", 18);
  incidents_.WriteTo(&job_, At(2));
  EXPECT_EQ(job_.incidents.size(), 3u);
}

}  // namespace
}  // namespace warden::jobs
