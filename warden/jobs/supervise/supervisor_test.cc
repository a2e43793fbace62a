#include "warden/jobs/supervise/supervisor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "warden/actions/actions_for_test.h"
#include "warden/format/layout.h"
#include "warden/jobs/record/job.h"
#include "warden/jobs/supervise/service_for_test.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

using Secondary = SecondaryStatus;

volatile std::sig_atomic_t asked_to_end = 0;

void WriteFinding(const std::string& folder, const std::string& rule_class) {
  actions::Firing firing = actions::SomeFiring();
  firing.finding.step = 7;
  firing.rule_class = rule_class;
  std::ofstream(FindingsIn(folder)) << DumpLikePython(actions::ToJson(firing)) << "\n"
                                    << std::flush;
}

// What this program does as a rule's agent: what the rule's name says.
int RunTestRule(const std::string& folder) {
  signal(SIGTERM, [](int) { asked_to_end = 1; });
  const auto self = AgentSelf::Claim(folder);
  if (!self.ok()) return 0;
  const Json& spec = self.value()->spec();
  const auto does = spec["rule"]["RuleConfigurationName"].get<std::string>();
  const auto end = [&](const char* status, const char* details) {
    return self.value()->Say({{"status", status}, {"details", details}, {"ended", true}}).ok() ? 0
                                                                                               : 1;
  };
  (void)self.value()->Say({{"status", "InProgress"}, {"ended", false}});
  const bool first = access((folder + "/ran").c_str(), F_OK) != 0;
  std::ofstream(folder + "/ran", std::ios::app) << "x" << std::flush;
  if (does == "crashes" || (does == "crashes-once" && first)) raise(SIGKILL);
  if (does == "is-silent") return 0;
  if (does == "writes-nothing") return end("IssuesFound", "RuleEvaluationConditionMet: x\n");
  if (does.starts_with("finds")) {
    // "finds-DeadRelu" is such a rule.
    const size_t name = does.find('-');
    WriteFinding(folder, name == does.npos ? "VanishingGradient" : does.substr(name + 1));
    return end("IssuesFound", "RuleEvaluationConditionMet: x\n");
  }
  const std::string run = spec["run"].get<std::string>() + "/" + std::string(format::kEndMarker);
  while (asked_to_end == 0 || does == "is-deaf") {
    if (access(folder.c_str(), F_OK) != 0) return 0;  // The test is over.
    if (does != "is-deaf" && access(run.c_str(), F_OK) == 0) return end("NoIssuesFound", "");
    usleep(5000);
  }
  return end("Stopped", "");
}

std::vector<std::string> Told(const TrainingJob& job) {
  std::vector<std::string> told;
  for (const Transition& transition : job.transitions) {
    told.push_back(std::string(NameOf(transition.status)) + ": " + transition.message);
  }
  return told;
}

TEST_F(SuperviseTest, BringsAJobToItsEnd) {
  launcher_.EndAtOnce();
  Start();
  Create(Job("job", {"judges"}));
  ASSERT_TRUE(WaitUntilOver("job"));
  const TrainingJob job = Get("job");
  EXPECT_EQ(
      Told(job),
      (std::vector<std::string>{
          "Starting: Starting the training job", "Downloading: Downloading input data",
          "Training: Training image download completed. Training in progress.",
          "Uploading: Uploading generated training model", "Completed: Training job completed"}));
  EXPECT_EQ(job.status, JobStatus::kCompleted);
  EXPECT_TRUE(job.started && job.ended && *job.started <= *job.ended);
  EXPECT_TRUE(job.rules[0].launched);
  EXPECT_EQ(job.rules[0].status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(launcher_.runs("job"), 2) << "one for each host";
}

TEST_F(SuperviseTest, WhatCannotBePreparedIsTheClientsFault) {
  launcher_.FailToPrepare(Status(Code::kInvalid, "there is no s3://a/b"));
  Start();
  Create(Job("job", {"judges"}));
  ASSERT_TRUE(WaitUntilOver("job"));
  const TrainingJob job = Get("job");
  EXPECT_EQ(job.status, JobStatus::kFailed);
  EXPECT_EQ(job.failure_reason, "ClientError: there is no s3://a/b");
  EXPECT_FALSE(job.started);
  EXPECT_EQ(job.rules[0].status, RuleStatus::kStopped);
  EXPECT_FALSE(job.rules[0].launched);
  EXPECT_EQ(launcher_.runs("job"), 0);
}

TEST_F(SuperviseTest, AHostThatFailsEndsTheOthers) {
  Start();
  Create(Job("job", {"judges"}));
  ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("job"); }));
  launcher_.End("job", 1, 3, "ValueError: x");
  ASSERT_TRUE(WaitUntilOver("job"));
  const TrainingJob job = Get("job");
  EXPECT_EQ(job.status, JobStatus::kFailed);
  EXPECT_EQ(job.failure_reason, "AlgorithmError: ValueError: x, exit code: 3");
  EXPECT_GE(launcher_.stops("job"), 1);
  EXPECT_EQ(job.rules[0].status, RuleStatus::kNoIssuesFound) << "it judges what there is";
}

TEST_F(SuperviseTest, AHostThatIsLostIsOurFault) {
  Start();
  Create(Job("job"));
  ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("job"); }));
  launcher_.Lose("job", 0);
  ASSERT_TRUE(WaitUntilOver("job"));
  EXPECT_EQ(Get("job").failure_reason.substr(0, 39), "InternalServerError: host algo-1 was lo");
}

TEST_F(SuperviseTest, AJobInAQueueIsStarting) {
  launcher_.QueueFor("Resources");
  Start();
  TrainingJob limited = Job("job");
  limited.request["StoppingCondition"]["MaxRuntimeInSeconds"] = 1;
  Create(limited);
  ASSERT_TRUE(WaitFor([&] {
    const TrainingJob job = Get("job");
    return job.transitions.back().message == "Waiting for nodes: Resources";
  }));
  EXPECT_EQ(Get("job").secondary, Secondary::kStarting);
  // The next service finds it there.
  Kill();
  Start();
  // It has its time from its start on.
  ASSERT_TRUE(WaitFor([&] { return Now() - *Get("job").started > std::chrono::seconds(1); }));
  EXPECT_EQ(Get("job").secondary, Secondary::kStarting);
  for (size_t host = 0; host < limited.Hosts().size(); ++host) launcher_.LeaveQueue("job", host);
  ASSERT_TRUE(WaitUntilOver("job"));
  const TrainingJob job = Get("job");
  EXPECT_EQ(job.secondary, Secondary::kMaxRuntimeExceeded);
  EXPECT_GE(*job.ended - *job.started, std::chrono::seconds(1));
}

TEST_F(SuperviseTest, StopsAJobForAUser) {
  Start();
  Create(Job("job", {"judges"}));
  ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("job"); }));
  Change("job", [](TrainingJob* job) { RequestStop(job, StopCause::kUser, Now()); });
  ASSERT_TRUE(WaitUntilOver("job"));
  EXPECT_EQ(Get("job").secondary, Secondary::kStopped);
  EXPECT_EQ(Get("job").failure_reason, "") << "a program that was stopped has not failed";
}

TEST_F(SuperviseTest, StopsAJobWhoseTimeIsOver) {
  TrainingJob job = Job("job");
  job.request["StoppingCondition"]["MaxRuntimeInSeconds"] = 1;
  Start();
  Create(job);
  ASSERT_TRUE(WaitUntilOver("job"));
  EXPECT_EQ(Get("job").secondary, Secondary::kMaxRuntimeExceeded);
  EXPECT_EQ(Get("job").status, JobStatus::kStopped);
}

TEST_F(SuperviseTest, OutputsAreGatheredAgainWhenThatFails) {
  launcher_.EndAtOnce();
  launcher_.FailToCollect(1);
  Start();
  Create(Job("once"));
  ASSERT_TRUE(WaitUntilOver("once"));
  EXPECT_EQ(Get("once").status, JobStatus::kCompleted);
  launcher_.FailToCollect(100);
  Create(Job("always"));
  ASSERT_TRUE(WaitUntilOver("always"));
  EXPECT_EQ(Get("always").failure_reason,
            "InternalServerError: cannot collect the outputs: the disk is full");
}

TEST_F(SuperviseTest, JobsWaitForTheirTurn) {
  options_.jobs_at_once = 1;
  Start();
  Create(Job("first"));
  ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("first"); }));
  Create(Job("second"));
  Create(Job("third"));
  ASSERT_TRUE(WaitFor([&] {
    return Told(Get("third")) ==
           std::vector<std::string>{"Starting: Waiting for 1 running jobs to end"};
  }));
  Change("second", [](TrainingJob* job) { RequestStop(job, StopCause::kUser, Now()); });
  ASSERT_TRUE(WaitUntil("second", Secondary::kStopped)) << "it needs no turn to end";
  EXPECT_EQ(launcher_.runs("second"), 0);
  EXPECT_EQ(launcher_.runs("third"), 0);
  for (size_t host : {0, 1}) launcher_.End("first", host, 0);
  ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("third"); }));
}

// ---- Whatever is killed.

TEST_F(SuperviseTest, AJobThatEndedMeanwhileHasItsTrueEnd) {
  for (const bool in_time : {true, false}) {
    const std::string name = in_time ? "done" : "late";
    Start();
    Create(Job(name));
    ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning(name); }));
    Kill();
    for (const size_t host : {0, 1}) {
      in_time ? launcher_.End(name, host, 0) : launcher_.TimeOut(name, host);
    }
    const Time after_end = Now();
    while (Now() <= after_end) std::this_thread::yield();
    Start();
    ASSERT_TRUE(WaitUntilOver(name));
    const TrainingJob job = Get(name);
    EXPECT_EQ(job.secondary, in_time ? Secondary::kCompleted : Secondary::kMaxRuntimeExceeded);
    EXPECT_EQ(job.failure_reason, "");
    ASSERT_TRUE(job.ended);
    EXPECT_GE(*job.ended, *job.started);
    EXPECT_LE(*job.ended, after_end);
    EXPECT_GT(job.modified, after_end);
    Kill();
  }
}

TEST_F(SuperviseTest, AnotherGoesOnWhereTheFirstWas) {
  // Often enough that every state is hit.
  launcher_.EndAtOnce();
  Create(Job("job", {"judges"}));
  for (int round = 0; !IsOver(Get("job").status); ++round) {
    Start();
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 8));
    Kill();
  }
  EXPECT_EQ(Get("job").status, JobStatus::kCompleted);
  EXPECT_EQ(Told(Get("job")).size(), 5u) << "no status was entered twice";
  EXPECT_EQ(launcher_.runs("job"), 2) << "no host ran twice";
  Start();
  ASSERT_TRUE(WaitUntilOver("job"));
  EXPECT_EQ(
      os::ReadWholeFile(service::DataLayout(options_.data).Rule("job", "job-judges") + "/ran"), "x")
      << "nor did the rule";
}

class KilledAt : public SuperviseTest, public testing::WithParamInterface<Secondary> {
 protected:
  // As far as that status, by hand, as a service that was killed then leaves it.
  TrainingJob JobAt(Secondary status) {
    TrainingJob job = Job("job", {"judges"});
    const auto enter = [&](Secondary next) {
      if (job.secondary != status) Enter(&job, next, "x", Now());
      if (job.secondary == Secondary::kTraining && !job.started) job.started = Now();
    };
    if (status == Secondary::kStopping) {
      job.started = Now();
      RequestStop(&job, StopCause::kUser, Now());
      return job;
    }
    for (const Secondary next :
         {Secondary::kDownloading, Secondary::kTraining, Secondary::kUploading}) {
      enter(next);
    }
    return job;
  }
};

TEST_P(KilledAt, IsTakenUp) {
  const TrainingJob job = JobAt(GetParam());
  const bool ended = GetParam() == Secondary::kUploading;
  if (ended) {
    launcher_.EndAtOnce();
    ASSERT_TRUE(launcher_.Start(job).ok());
  }
  Create(job);
  Start();
  if (GetParam() != Secondary::kStopping && !ended) {
    ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("job"); }));
    for (size_t host : {0, 1}) launcher_.End("job", host, 0);
  }
  ASSERT_TRUE(WaitUntilOver("job"));
  const bool stopped = GetParam() == Secondary::kStopping;
  EXPECT_EQ(Get("job").status, stopped ? JobStatus::kStopped : JobStatus::kCompleted);
  EXPECT_EQ(launcher_.runs("job"), stopped ? 0 : 2);
}

INSTANTIATE_TEST_SUITE_P(EachStatus, KilledAt,
                         testing::Values(Secondary::kStarting, Secondary::kDownloading,
                                         Secondary::kTraining, Secondary::kUploading,
                                         Secondary::kStopping));

TEST_F(SuperviseTest, AFailureSurvivesTheSupervisor) {
  TrainingJob job = Job("job");
  job.started = Now();
  Enter(&job, Secondary::kTraining, "x", Now());
  job.failure_reason = "AlgorithmError: exit code: 1";
  ASSERT_TRUE(launcher_.Start(job).ok());
  Create(job);
  Start();
  ASSERT_TRUE(WaitUntilOver("job"));
  EXPECT_EQ(Get("job").status, JobStatus::kFailed);
  EXPECT_EQ(Get("job").failure_reason, "AlgorithmError: exit code: 1");
}

TEST_F(SuperviseTest, AStoreThatFailsLosesNothing) {
  launcher_.EndAtOnce();
  faulty_.FailEvery(3);
  Start();
  Create(Job("job", {"judges", "finds"}));
  ASSERT_TRUE(WaitUntilOver("job"));
  EXPECT_EQ(Get("job").status, JobStatus::kCompleted);
  EXPECT_EQ(Told(Get("job")).size(), 5u);
  EXPECT_EQ(launcher_.runs("job"), 2);
}

TEST_F(SuperviseTest, AJobThatIsDeletedIsLetGo) {
  Start();
  Create(Job("job"));
  ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("job"); }));
  ASSERT_TRUE(store_->Delete("job").ok());
  crew_->Wake("job");
  Create(Job("other"));
  ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("other"); }));
}

// Messages are tried again for hours where nobody takes them.
TEST_F(SuperviseTest, MessagesOfADeletedJobKeepNoOtherOfItsNameWaiting) {
  launcher_.EndAtOnce();
  Start();
  TrainingJob job = Job("job", {"finds"});
  job.rules[0].config["RuleParameters"]["action_json"] =
      R"([{"name": "exec", "command": "sleep 1000", "timeout": 600}])";
  Create(job);
  ASSERT_TRUE(WaitUntilOver("job"));
  ASSERT_TRUE(JobActions::AreLeft(service::DataLayout(options_.data).Job("job")));
  // Its record may be written at this moment.
  EXPECT_TRUE(WaitFor([&] {
    std::error_code error;
    std::filesystem::remove_all(service::DataLayout(options_.data).Job("job"), error);
    return !error;
  }));
  ASSERT_TRUE(store_->Delete("job").ok());
  Create(Job("job"));
  EXPECT_TRUE(WaitUntilOver("job"));
}

// ---- Rules.

TEST_F(SuperviseTest, AFindingIsToldWhileTheJobRuns) {
  Start();
  Create(Job("job", {"finds"}));
  ASSERT_TRUE(WaitFor([&] { return IsOver(Get("job").rules[0].status); }));
  const TrainingJob job = Get("job");
  EXPECT_EQ(job.rules[0].status, RuleStatus::kIssuesFound);
  EXPECT_EQ(job.rules[0].details, "RuleEvaluationConditionMet: x\n");
  EXPECT_EQ(job.status, JobStatus::kInProgress) << "nobody asked to stop it";
}

TEST_F(SuperviseTest, FindingsOfAllRulesAreOneIncident) {
  // Longer than the test may take: the rules that are over are not waited for.
  patience_.together = std::chrono::hours(1);
  launcher_.EndAtOnce();
  Start();
  Create(Job("job", {"finds-LossNotDecreasing", "finds-VanishingGradient", "finds-AllZero"}));
  ASSERT_TRUE(WaitUntilOver("job"));
  const TrainingJob job = Get("job");
  ASSERT_EQ(job.incidents.size(), 1u);
  EXPECT_EQ(job.incidents[0].json["rule"], "finds-AllZero");
  EXPECT_EQ(job.incidents[0].json["effects"].size(), 2u);
  EXPECT_EQ(Incidents(), 1u);
  for (const RuleJob& rule : job.rules) {
    EXPECT_EQ(rule.status, RuleStatus::kIssuesFound);
    EXPECT_EQ(rule.details, "RuleEvaluationConditionMet: x\n");
  }
}

TEST_F(SuperviseTest, AnIncidentDoesNotWaitForRulesForEver) {
  Start();
  Create(Job("job", {"judges", "finds-AllZero"}));
  ASSERT_TRUE(WaitFor([&] { return Get("job").incidents.size() == 1; }));
  EXPECT_EQ(Get("job").rules[0].status, RuleStatus::kInProgress);
}

TEST_F(SuperviseTest, AnIncidentIsToldOnceWhateverIsKilled) {
  patience_.together = std::chrono::milliseconds(0);
  Create(Job("job", {"judges", "finds-AllZero", "finds-EvaluationMode", "finds-DeadRelu"}));
  for (int round = 0; Get("job").incidents.size() < 2; ++round) {
    Start();
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 16));
    Kill();
  }
  // Rules that are over are read again, and so are those that are not.
  Start();
  ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("job"); }));
  for (size_t host : {0, 1}) launcher_.End("job", host, 0);
  ASSERT_TRUE(WaitUntilOver("job"));
  EXPECT_EQ(Get("job").incidents.size(), 2u);
  EXPECT_EQ(Incidents(), 2u);
}

TEST_F(SuperviseTest, ARuleWhoseFindingsWereNotWrittenIsAnIncidentToo) {
  launcher_.EndAtOnce();
  Start();
  Create(Job("job", {"writes-nothing"}));
  ASSERT_TRUE(WaitUntilOver("job"));
  ASSERT_EQ(Get("job").incidents.size(), 1u);
  EXPECT_EQ(Get("job").incidents[0].json["headline"], "RuleEvaluationConditionMet: x");
}

TEST_F(SuperviseTest, ARulesActionStopsTheJob) {
  TrainingJob job = Job("Job-With-Capitals", {"finds"});
  // As the SDK sends it: the name in lower case, a backslash before each quote.
  job.rules[0].config["RuleParameters"]["action_json"] =
      R"({\"name\": \"stoptraining\", \"training_job_prefix\": \"job-with-capitals\"})";
  Start();
  Create(job);
  ASSERT_TRUE(WaitUntilOver("Job-With-Capitals"));
  EXPECT_EQ(Get("Job-With-Capitals").secondary, Secondary::kStopped);
  EXPECT_TRUE(WaitFor([&] {
    return !JobActions::AreLeft(service::DataLayout(options_.data).Job("Job-With-Capitals"));
  }));
}

TEST_F(SuperviseTest, ARuleThatCrashesIsStartedAgain) {
  Start();
  Create(Job("job", {"crashes-once", "crashes"}));
  ASSERT_TRUE(WaitFor([&] { return IsOver(Get("job").rules[1].status); }));
  EXPECT_EQ(Get("job").rules[1].status, RuleStatus::kError);
  EXPECT_TRUE(Get("job").rules[1].details.starts_with(
      "InternalServerError: the rule's process was killed 4 times, "))
      << Get("job").rules[1].details;
  EXPECT_EQ(Get("job").rules[1].restarts, 3);
  for (size_t host : {0, 1}) launcher_.End("job", host, 0);
  ASSERT_TRUE(WaitUntilOver("job"));
  EXPECT_EQ(Get("job").rules[0].status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(Get("job").rules[0].restarts, 1);
}

TEST_F(SuperviseTest, ARuleIsStopped) {
  patience_.stop = std::chrono::milliseconds(100);
  Start();
  Create(Job("job", {"judges", "is-deaf"}));
  ASSERT_TRUE(WaitFor([&] {
    return LookAtAgent(service::DataLayout(options_.data).Rule("job", "job-is-deaf")).phase ==
           AgentState::Phase::kRunning;
  }));
  Change("job", [](TrainingJob* job) {
    for (RuleJob& rule : job->rules) rule.stop_requested = true;
  });
  ASSERT_TRUE(WaitFor([&] { return JobRules::AreOver(Get("job")); }));
  EXPECT_EQ(Get("job").rules[0].status, RuleStatus::kStopped);
  EXPECT_EQ(Get("job").rules[1].status, RuleStatus::kStopped) << "it was killed";
}

TEST_F(SuperviseTest, ARuleThatDoesNotEndIsGivenUp) {
  patience_.after_job = std::chrono::milliseconds(200);
  launcher_.EndAtOnce();
  Start();
  Create(Job("job", {"is-deaf"}));
  ASSERT_TRUE(WaitUntilOver("job"));
  EXPECT_EQ(Get("job").rules[0].status, RuleStatus::kError);
  ASSERT_TRUE(WaitFor([&] {
    return LookAtAgent(service::DataLayout(options_.data).Rule("job", "job-is-deaf")).phase !=
           AgentState::Phase::kRunning;
  })) << "and its process is gone";
}

TEST_F(SuperviseTest, ProfilingIsChangedWhileTheJobRuns) {
  TrainingJob job = Job("job", {"judges"});
  job.rules.push_back(SomeRule("profiles", RuleJob::Kind::kProfiler, "job-profiles"));
  Start();
  Create(job);
  ASSERT_TRUE(WaitFor([&] { return launcher_.IsRunning("job"); }));
  EXPECT_TRUE(launcher_.configurations().empty()) << "it began with it";
  Change("job", [](TrainingJob* now) {
    now->request["ProfilerConfig"]["ProfilingIntervalInMilliseconds"] = 100;
    now->rules.push_back(SomeRule("added", RuleJob::Kind::kProfiler, "job-added"));
  });
  ASSERT_TRUE(WaitFor([&] { return Get("job").rules[2].launched.has_value(); }));
  ASSERT_TRUE(WaitFor([&] { return launcher_.configurations().size() == 1; }));
  EXPECT_EQ(launcher_.configurations()[0]["ProfilingIntervalInMilliseconds"], 100);
  Change("job", [](TrainingJob* now) { now->request["ProfilerConfig"]["DisableProfiler"] = true; });
  ASSERT_TRUE(WaitFor([&] {
    const TrainingJob now = Get("job");
    return now.rules[1].status == RuleStatus::kStopped &&
           now.rules[2].status == RuleStatus::kStopped;
  }));
  EXPECT_EQ(Get("job").rules[0].status, RuleStatus::kInProgress);
  ASSERT_TRUE(WaitFor([&] { return launcher_.configurations().size() == 2; }));
}

TEST_F(SuperviseTest, StartsWithTheSettingsOfActions) {
  options_.actions_file = folder_.folder() + "/actions.json";
  std::ofstream(options_.actions_file) << "[]";
  EXPECT_EQ(StartSupervisor(options_, store_.get(), &launcher_).status().message(),
            "action settings: " + options_.actions_file + ": is not a JSON object");
  std::ofstream(options_.actions_file) << "{}";
  launcher_.EndAtOnce();
  auto supervisor = StartSupervisor(options_, store_.get(), &launcher_);
  ASSERT_TRUE(supervisor.ok()) << supervisor.status().message();
  Create(Job("job"));
  supervisor.value()->Wake("job");
  ASSERT_TRUE(WaitUntilOver("job"));
}

}  // namespace
}  // namespace warden::jobs

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "agent") == 0) {
    return warden::jobs::RunTestRule(argv[3]);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
