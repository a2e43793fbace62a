#include "warden/jobs/slurm/slurm_config.h"

#include <gtest/gtest.h>

#include "warden/jobs/launch/launch_for_test.h"

namespace warden::jobs {
namespace {

TrainingJob JobOn(const char* type) {
  return JobOf({{"ResourceConfig", {{"InstanceType", type}, {"InstanceCount", 1}}}});
}

TEST(SlurmConfigTest, TheFirstQueueThatTakesTheInstanceTypeGetsTheJob) {
  const auto config = SlurmConfig::Parse(R"({"queues": [
      {"instance_types": ["ml.p4d.*"], "partition": "gpu", "gres": "gpu:a100:8", "cpus": 96},
      {"instance_types": ["ml.m5.*", "ml.c5.*"], "partition": "cpu", "options": ["--nice"]}]})");
  ASSERT_TRUE(config.ok()) << config.status().message();
  const auto gpu = config.value().QueueOf(JobOn("ml.p4d.24xlarge"));
  ASSERT_TRUE(gpu.ok());
  EXPECT_EQ(gpu.value().partition, "gpu");
  EXPECT_EQ(gpu.value().Gpus(), 8);
  EXPECT_EQ(gpu.value().cpus, 96);
  EXPECT_EQ(config.value().QueueOf(JobOn("ml.c5.xlarge")).value().partition, "cpu");
  EXPECT_EQ(config.value().QueueOf(JobOn("ml.g5.xlarge")).status().message(),
            "InstanceType is 'ml.g5.xlarge'; expected one that a queue of slurm.json takes: "
            "ml.p4d.*, ml.m5.*, ml.c5.*");
  const TrainingJob mixed = JobOf(
      {{"ResourceConfig",
        {{"InstanceGroups",
          {{{"InstanceGroupName", "a"}, {"InstanceType", "ml.p4d.24xlarge"}, {"InstanceCount", 1}},
           {{"InstanceGroupName", "b"},
            {"InstanceType", "ml.m5.large"},
            {"InstanceCount", 1}}}}}}});
  EXPECT_EQ(config.value().QueueOf(mixed).status().code(), Code::kInvalid);
}

TEST(SlurmConfigTest, SomeJobsRunOnTheMachineOfTheService) {
  const auto config = SlurmConfig::Parse(R"({"queues": [
      {"instance_types": ["ml.t3.*"], "launcher": "local", "jobs_at_once": 2},
      {"launcher": "slurm"}]})");
  ASSERT_TRUE(config.ok()) << config.status().message();
  const auto local = config.value().QueueOf(JobOn("ml.t3.medium"));
  ASSERT_TRUE(local.ok());
  EXPECT_TRUE(local.value().local);
  EXPECT_EQ(local.value().jobs_at_once, 2);
  EXPECT_FALSE(config.value().QueueOf(JobOn("ml.m5.large")).value().local);
}

TEST(SlurmConfigTest, RulesRunInSlurmOnlyIfTheFileSaysSo) {
  EXPECT_FALSE(SlurmConfig::Parse(R"({"queues": [{}]})").value().rules().has_value());
  const auto config =
      SlurmConfig::Parse(R"({"queues": [{}], "rules": {"partition": "cpu", "memory": "2G"}})");
  ASSERT_TRUE(config.ok()) << config.status().message();
  ASSERT_TRUE(config.value().rules().has_value());
  EXPECT_EQ(config.value().rules()->partition, "cpu");
  EXPECT_EQ(config.value().rules()->memory, "2G");
}

TEST(SlurmConfigTest, WithoutAFileAllJobsGoToTheDefaultPartition) {
  const auto config = SlurmConfig::Load("/none/slurm.json", false);
  ASSERT_TRUE(config.ok());
  const auto queue = config.value().QueueOf(JobOn("ml.anything"));
  ASSERT_TRUE(queue.ok());
  EXPECT_EQ(queue.value().partition, "");
  EXPECT_EQ(queue.value().Gpus(), 0);
  EXPECT_EQ(SlurmConfig::Load("/none/slurm.json", true).status().message(),
            "cannot read /none/slurm.json");
}

TEST(SlurmConfigTest, CountsGpus) {
  SlurmQueueOptions queue;
  for (const auto& [gres, gpus] : {std::pair("gpu", 1),
                                   {"gpu:4", 4},
                                   {"gpu:a100", 1},
                                   {"gpu:a100:2,nvme:1", 2},
                                   {"nvme:3", 0}}) {
    queue.gres = gres;
    EXPECT_EQ(queue.Gpus(), gpus) << gres;
  }
}

TEST(SlurmConfigTest, SaysWhatIsWrong) {
  const auto told = [](const char* text) { return SlurmConfig::Parse(text).status().message(); };
  EXPECT_EQ(told(R"({"queues": []})"),
            "expected {\"queues\": [...], \"rules\": {...}} with at least one queue");
  EXPECT_EQ(told(R"({"queues": [{"cpus": 0}]})"),
            "queues[0]: cpus: expected an integer from 1 to 100000");
  EXPECT_EQ(told(R"({"queues": [{}, {"options": ["nice"]}]})"),
            "queues[1]: options: 'nice' is not an option; expected --NAME or --NAME=VALUE");
  EXPECT_EQ(told(R"({"queues": [{"queue": "x"}]})"),
            "queues[0]: unknown member 'queue'; expected one of: instance_types, launcher, "
            "jobs_at_once, partition, account, qos, gres, cpus, memory, network_interface, "
            "options, srun_options");
  EXPECT_EQ(told(R"({"queues": [{"launcher": "here"}]})"),
            "queues[0]: launcher: expected 'local' or 'slurm'");
  EXPECT_EQ(told(R"({"queues": [{"launcher": "local", "partition": "cpu"}]})"),
            "queues[0]: partition: expected only with the launcher 'slurm'");
  EXPECT_EQ(told(R"({"queues": [{"jobs_at_once": 3}]})"),
            "queues[0]: jobs_at_once: expected only with the launcher 'local'");
  EXPECT_EQ(told(R"({"queues": [{}], "rules": []})"), "rules: expected an object");
  EXPECT_EQ(told(R"({"queues": [{}], "rules": {"launcher": "local"}})"),
            "rules: 'launcher' is a member of queues only");
  EXPECT_EQ(told(R"({"queues": [{}], "rules": {"cpus": "2"}})"),
            "rules: cpus: expected an integer from 1 to 100000");
}

TEST(SlurmConfigTest, ReadsTimesOfSlurm) {
  EXPECT_EQ(MinutesOf("1:00:00"), 60);
  EXPECT_EQ(MinutesOf("2-12:30:00"), (2 * 24 + 12) * 60 + 30);
  EXPECT_EQ(MinutesOf("30:00"), 30);
  EXPECT_EQ(MinutesOf("0:30"), 1);
  EXPECT_EQ(MinutesOf("infinite"), std::nullopt);
}

}  // namespace
}  // namespace warden::jobs
