#include "warden/jobs/events/mail_text.h"

#include <gtest/gtest.h>

#include "warden/jobs/record/describe.h"
#include "warden/jobs/record/job_for_test.h"

namespace warden::jobs {
namespace {

Time At(int64_t ms) { return Time(std::chrono::milliseconds(ms)); }

constexpr const char* kFound =
    "RuleEvaluationConditionMet: Evaluation of the rule VanishingGradient at step 500 resulted in "
    "the condition being met\n";

TrainingJob JobWithRule() {
  TrainingJob job = SomeJob("demo-001");
  job.rules = {SomeRule("Gradients", RuleJob::Kind::kDebug, "demo-001-gradients-1a2b3c4d")};
  job.rules[0].launched = At(1000);
  return job;
}

// As the store keeps them: with the time of the change, a moment later.
Json JobEvent(TrainingJob* job, int64_t ms) {
  job->modified = At(ms);
  return TrainingJobEvent(*job, At(ms));
}

TEST(MailText, PeopleHearOfTheEndOfAJobOnce) {
  TrainingJob job = JobWithRule();
  Enter(&job, SecondaryStatus::kTraining, "", At(2000));
  EXPECT_FALSE(IsForPeople(JobEvent(&job, 2001)));
  SetRuleStatus(&job, 0, RuleStatus::kIssuesFound, kFound, At(3000));
  EXPECT_FALSE(IsForPeople(JobEvent(&job, 3001))) << "the rule's own event tells it";
  for (const auto status : {SecondaryStatus::kCompleted, SecondaryStatus::kFailed,
                            SecondaryStatus::kStopped, SecondaryStatus::kMaxRuntimeExceeded}) {
    TrainingJob ended = job;
    Enter(&ended, status, "", At(4000));
    EXPECT_TRUE(IsForPeople(JobEvent(&ended, 4002))) << NameOf(status);
    SetRuleStatus(&ended, 0, RuleStatus::kNoIssuesFound, "", At(9000));
    EXPECT_FALSE(IsForPeople(JobEvent(&ended, 9002))) << NameOf(status);
  }
  // The clock was set back between the two.
  Enter(&job, SecondaryStatus::kFailed, "", At(500));
  EXPECT_TRUE(IsForPeople(JobEvent(&job, 501)));
}

TEST(MailText, PeopleHearOfIncidentsAndOfRulesThatFail) {
  TrainingJob job = JobWithRule();
  const auto wanted = [&](RuleStatus status, const char* details) {
    SetRuleStatus(&job, 0, status, details, At(3000));
    return IsForPeople(RuleJobEvent(job, job.rules[0], At(3000)));
  };
  EXPECT_FALSE(wanted(RuleStatus::kInProgress, ""));
  EXPECT_FALSE(wanted(RuleStatus::kStopped, ""));
  EXPECT_FALSE(wanted(RuleStatus::kNoIssuesFound, ""));
  EXPECT_FALSE(wanted(RuleStatus::kNoIssuesFound, "There were no gradients."));
  EXPECT_FALSE(wanted(RuleStatus::kIssuesFound, kFound)) << "the incident tells it";
  EXPECT_TRUE(wanted(RuleStatus::kError, "ClientError: no such rule"));
  EXPECT_TRUE(IsForPeople(IncidentEvent(job, {"id", At(3000), Json::object()}, At(3000))));
}

TEST(MailText, TellsTheCauseOfAnIncidentAndWhatFollowed) {
  const TrainingJob job = JobWithRule();
  Json incident = {
      {"severity", "problem"},
      {"confidence", "medium"},
      {"rule", "Gradients"},
      {"headline", "fc1: mean |g| 1e-09 is below 1e-07"},
      {"since", "step 12 (optimizer step 6)"},
      {"advice", "Use ReLU."},
      {"findings", 4},
      {"spread", {"fc1 (step 12)", "fc2"}},
      {"effects", Json::array({{{"rule", "LossNotDecreasing"}, {"since", "step 20"}}})}};
  const auto text_of = [&] {
    return MailTextOf(IncidentEvent(job, {"id", At(3000), incident}, At(3000)), {});
  };
  EXPECT_EQ(text_of().subject,
            "Training job demo-001: problem since step 12 (optimizer step 6): fc1: mean |g| 1e-09 "
            "is below 1e-07");
  EXPECT_EQ(text_of().body,
            "Training job demo-001: problem since step 12 (optimizer step 6).\n\nJob:     "
            "demo-001\nRule:    Gradients\nTime:    1970-01-01T00:00:03Z\n"
            "Confidence: medium\n\nfc1: mean |g| 1e-09 is below 1e-07.\n"
            "Then: LossNotDecreasing (since step 20).\nSpread: fc1 (step 12) -> fc2.\n"
            "3 more findings with this cause.\nTry: Use ReLU.\n");
  incident["headline"] = std::string(500, 'x');
  EXPECT_TRUE(text_of().subject.ends_with("xx..."));
  EXPECT_LT(text_of().subject.size(), 250u);
}

TEST(MailText, TellsWhatARuleFound) {
  TrainingJob job = JobWithRule();
  SetRuleStatus(&job, 0, RuleStatus::kIssuesFound, kFound, At(3000));
  RuleNews news{"Gradients", {"fc1 vanishes", "fc2 vanishes"}};
  const Json event = RuleJobEvent(job, job.rules[0], At(3000));
  EXPECT_EQ(MailTextOf(event, news).subject,
            "Training job demo-001: rule Gradients found problems");
  EXPECT_EQ(
      MailTextOf(event, news).body,
      "Training job demo-001: rule Gradients found problems.\n\nJob:     demo-001\nRule:    "
      "Gradients\nTime:    1970-01-01T00:00:03Z\nStatus:  "
      "IssuesFound\n\nRuleEvaluationConditionMet: Evaluation of the rule VanishingGradient at step "
      "500 resulted in the condition being met\n\nFindings:\n- fc1 vanishes\n- fc2 vanishes\n");
  news.findings.assign(7, "x");
  EXPECT_TRUE(MailTextOf(event, news).body.ends_with("- x\n- 2 more\n"));
}

TEST(MailText, TellsWhyAJobFailed) {
  TrainingJob job = JobWithRule();
  SetRuleStatus(&job, 0, RuleStatus::kIssuesFound, kFound, At(3000));
  job.failure_reason = "AlgorithmError: exit code 3\n\x1b[31mNo memory\n";
  Enter(&job, SecondaryStatus::kFailed, "Training job failed", At(4000));
  const MailText text = MailTextOf(JobEvent(&job, 4000), {});
  EXPECT_EQ(text.subject, "Training job demo-001 failed");
  EXPECT_EQ(text.body,
            "Training job demo-001 failed.\n\nJob:     demo-001\nTime:    "
            "1970-01-01T00:00:04Z\nStatus:  Failed (Failed)\nMessage: Training job "
            "failed\n\nFailure reason:\n  AlgorithmError: exit code 3\n   [31mNo "
            "memory\n\nRules:\n- Gradients: IssuesFound\n  RuleEvaluationConditionMet: Evaluation "
            "of the rule VanishingGradient at step 500 resulted in the condition being met\n");
}

TEST(MailText, EventsMayBeAnything) {
  for (const char* text : {"null", "5", "{}", R"({"detail": 5})", R"({"detail": {}})",
                           R"({"detail": {"Incident": 5}})",
                           R"({"detail": {"Incident": {"effects": 5, "spread": [[]]}}})",
                           R"({"detail": {"TrainingJobStatus": 5, "ProcessingJobStatus": []}})",
                           R"({"detail": {"TrainingJobStatus": "Failed",
                               "SecondaryStatusTransitions": [5],
                               "DebugRuleEvaluationStatuses": {"a": 1}}})"}) {
    const Json event = ParseJson(text).value();
    (void)IsForPeople(event);
    EXPECT_NE(MailTextOf(event, {}).subject, "") << text;
  }
}

}  // namespace
}  // namespace warden::jobs
