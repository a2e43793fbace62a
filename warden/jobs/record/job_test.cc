#include "warden/jobs/record/job.h"

#include <gtest/gtest.h>

#include <set>

#include "warden/jobs/record/job_for_test.h"
#include "warden/jobs/record/short_text.h"
#include "warden/os/random.h"

namespace warden::jobs {
namespace {

TEST(JobTest, StatusesHaveTheNamesOfTheApi) {
  EXPECT_EQ(NameOf(JobStatus::kInProgress), "InProgress");
  EXPECT_EQ(NameOf(SecondaryStatus::kMaxRuntimeExceeded), "MaxRuntimeExceeded");
  EXPECT_EQ(NameOf(RuleStatus::kNoIssuesFound), "NoIssuesFound");
  for (int i = 0; i <= static_cast<int>(JobStatus::kStopped); ++i) {
    const auto status = static_cast<JobStatus>(i);
    EXPECT_EQ(JobStatusFrom(NameOf(status)), status);
  }
  for (int i = 0; i <= static_cast<int>(SecondaryStatus::kFailed); ++i) {
    const auto status = static_cast<SecondaryStatus>(i);
    EXPECT_EQ(SecondaryStatusFrom(NameOf(status)), status);
  }
  for (int i = 0; i <= static_cast<int>(RuleStatus::kStopped); ++i) {
    const auto status = static_cast<RuleStatus>(i);
    EXPECT_EQ(RuleStatusFrom(NameOf(status)), status);
  }
  EXPECT_FALSE(JobStatusFrom("Deleting"));
  EXPECT_FALSE(RuleStatusFrom(""));
}

TEST(JobTest, StoppingIsNotOver) {
  EXPECT_FALSE(IsOver(JobStatus::kInProgress));
  EXPECT_FALSE(IsOver(JobStatus::kStopping));
  EXPECT_TRUE(IsOver(JobStatus::kStopped));
  EXPECT_FALSE(IsOver(RuleStatus::kStopping));
  EXPECT_TRUE(IsOver(RuleStatus::kError));
}

TEST(JobTest, EnteringEndsTheStayBefore) {
  TrainingJob job = SomeJob();
  Enter(&job, SecondaryStatus::kTraining, "Downloading the training image", At(2000));
  Enter(&job, SecondaryStatus::kTraining, "Training in progress.", At(3000));
  ASSERT_EQ(job.transitions.size(), 2u);
  EXPECT_EQ(job.transitions[0].end, At(2000));
  EXPECT_EQ(job.transitions[1].start, At(2000));
  EXPECT_EQ(job.transitions[1].message, "Training in progress.");
  EXPECT_FALSE(job.transitions[1].end);
  EXPECT_EQ(job.status, JobStatus::kInProgress);
  Enter(&job, SecondaryStatus::kMaxRuntimeExceeded, "", At(4000));
  EXPECT_EQ(job.status, JobStatus::kStopped);
  EXPECT_EQ(job.secondary, SecondaryStatus::kMaxRuntimeExceeded);
}

TEST(JobTest, ARuleKeepsItsTimeWhenOthersChange) {
  TrainingJob job = SomeJob();
  const Time before = job.rules[1].modified;
  SetRuleStatus(&job, 0, RuleStatus::kIssuesFound, std::string(2000, 'x'), At(5000));
  EXPECT_EQ(job.rules[0].details.size(), 1024u);
  EXPECT_EQ(job.rules[0].ended, At(5000));
  EXPECT_EQ(job.rules[0].modified, At(5000));
  EXPECT_EQ(job.rules[1].modified, before);
  EXPECT_EQ(job.modified, At(5000));
  EXPECT_FALSE(job.rules[1].ended);
}

TEST(JobTest, TextIsCutBetweenCharacters) {
  EXPECT_EQ(ShortText("a\xc3\xa4z", 2), "a");
  EXPECT_EQ(ShortText("a\xc3\xa4z", 3), "a\xc3\xa4");
  EXPECT_EQ(ShortText("abc", 3), "abc");
}

TEST(JobTest, TellsWhereOutputsGo) {
  TrainingJob job = SomeJob();
  EXPECT_EQ(job.Arn(), "arn:aws:sagemaker:us-east-1:123456789012:training-job/demo-001");
  EXPECT_EQ(job.DebugOutput(), "s3://demo-bucket/debug/demo-001/debug-output");
  EXPECT_EQ(job.ProfilerOutput(), "s3://demo-bucket/profile/demo-001/profiler-output");
  EXPECT_EQ(job.TensorBoardOutput(), "");
  EXPECT_EQ(job.ModelArtifacts(), "s3://demo-bucket/out/demo-001/output/model.tar.gz");
  TrainingJob plain = job;
  plain.request["OutputDataConfig"]["CompressionType"] = "NONE";
  EXPECT_EQ(plain.ModelArtifacts(), "s3://demo-bucket/out/demo-001/output/model");
  EXPECT_EQ(job.RuleOutput(job.rules[0]),
            "s3://demo-bucket/out/demo-001/rule-output/VanishingGradient");
  job.rules[0].config["S3OutputPath"] = "s3://mine/rules/";
  EXPECT_EQ(job.RuleOutput(job.rules[0]), "s3://mine/rules");
}

TEST(JobTest, CountsHosts) {
  TrainingJob job = SomeJob();
  EXPECT_EQ(job.Hosts(), (std::vector<std::string>{"algo-1", "algo-2"}));
  job.request["ResourceConfig"] = {
      {"InstanceGroups", Json::array({{{"InstanceCount", 2}}, {{"InstanceCount", 1}}})}};
  EXPECT_EQ(job.Hosts().size(), 3u);
  job.request["ResourceConfig"] = {{"InstanceCount", INT64_MAX}};
  EXPECT_EQ(job.Hosts().size(), 1000u);
  job.request["ResourceConfig"] = {{"InstanceCount", "two"}};
  EXPECT_EQ(job.Hosts().size(), 1u);
}

TEST(JobTest, ProfilingIsOnUntilSwitchedOff) {
  TrainingJob job = SomeJob();
  EXPECT_TRUE(job.IsProfiled());
  job.request["ProfilerConfig"]["DisableProfiler"] = true;
  EXPECT_FALSE(job.IsProfiled());
  job.request.erase("ProfilerConfig");
  EXPECT_FALSE(job.IsProfiled());
}

TEST(JobTest, NothingIsLostInTheRecord) {
  TrainingJob job = SomeJob();
  Enter(&job, SecondaryStatus::kFailed, "Training job failed", At(9000));
  job.started = At(5);
  job.ended = At(6);
  job.failure_reason = "AlgorithmError: \xe2\x82\xac";
  job.stop_cause = StopCause::kMaxRuntime;
  job.rules[1].launched = At(7);
  job.rules[1].restarts = 2;
  job.rules[1].stop_requested = true;
  SetRuleStatus(&job, 1, RuleStatus::kStopped, "why", At(8));
  job.incidents = {{"1-2-3", At(9), {{"rule", "VanishingGradient"}, {"finding", 1}}}};
  const Json json = ToJson(job);
  auto read = TrainingJobFromJson(json);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(ToJson(read.value()), json);
  EXPECT_EQ(DumpLikePython(read.value().request), DumpLikePython(job.request));
  EXPECT_EQ(read.value().tags, job.tags);
  EXPECT_EQ(read.value().rules[1].ended, At(8));
}

TEST(JobTest, RecordsOfEarlierVersionsHaveNoIncidents) {
  Json json = ToJson(SomeJob());
  json.erase("incidents");
  const auto read = TrainingJobFromJson(json);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_TRUE(read.value().incidents.empty());
}

TEST(JobTest, EveryDamageToTheRecordIsTold) {
  const Json whole = ToJson(SomeJob());
  for (const auto& item : whole.items()) {
    Json damaged = whole;
    damaged[item.key()] = 1.5;
    auto read = TrainingJobFromJson(damaged);
    ASSERT_FALSE(read.ok()) << item.key();
    EXPECT_EQ(read.status().code(), Code::kCorrupt);
    EXPECT_NE(read.status().message().find(item.key()), std::string::npos)
        << read.status().message();
  }
  Json damaged = whole;
  damaged["rules"][1]["status"] = "Dancing";
  EXPECT_NE(TrainingJobFromJson(damaged).status().message().find("rules[1].status"),
            std::string::npos);
  EXPECT_FALSE(TrainingJobFromJson(Json::array()).ok());
}

TEST(RandomTest, GivesDigitsThatDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(os::RandomHex(8));
  EXPECT_GT(seen.size(), 95u);
  for (const std::string& text : seen) {
    EXPECT_EQ(text.size(), 8u);
    EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos);
  }
  const std::string uuid = os::RandomUuid();
  EXPECT_EQ(uuid.size(), 36u);
  EXPECT_EQ(uuid[14], '4');
  EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
}

}  // namespace
}  // namespace warden::jobs
