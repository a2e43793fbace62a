#include "warden/jobs/launch/job_variables.h"

#include <gtest/gtest.h>

#include "warden/jobs/launch/container.h"
#include "warden/jobs/launch/launch_for_test.h"

namespace warden::jobs {
namespace {

Variables VariablesFor(const TrainingJob& job, const std::string& host, const HostLayout& layout) {
  const Json& parameters = job.request["HyperParameters"];
  return VariablesOfJob(job, host, layout, DecodeHyperParameters(&parameters),
                        {"src/train.py", "s3://bucket/code.tar.gz"}, LocalMachine(4711));
}

TEST(JobVariablesTest, TellWhatTheToolkitTells) {
  const TrainingJob job =
      JobOf({{"HyperParameters",
              {{"lr", "0.1"},
               {"name", "x y"},
               {"flag", "true"},
               {"sagemaker_mpi_enabled", "false"},
               {"sagemaker_program", "src/train.py"},
               {"sagemaker_container_log_level", "10"}}},
             {"ResourceConfig", {{"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", 2}}},
             {"InputDataConfig",
              {{{"ChannelName", "train-1"}, {"DataSource", Json::object()}},
               {{"ChannelName", "eval"}, {"DataSource", Json::object()}}}}});
  const Variables told =
      VariablesFor(job, "algo-2", HostLayout("/jobs/h", HostLayout::View::kHere));
  const std::vector<std::pair<std::string, std::string>> table = {
      {"TRAINING_JOB_NAME", "demo"},
      {"TRAINING_JOB_ARN", "arn:aws:sagemaker:us-east-1:123456789012:training-job/demo"},
      {"AWS_REGION", "us-east-1"},
      {"SM_HOSTS", "[\"algo-1\", \"algo-2\"]"},
      {"SM_CURRENT_HOST", "algo-2"},
      {"SM_NUM_NEURONS", "0"},
      {"SM_HPS", "{\"lr\": 0.1, \"name\": \"x y\", \"flag\": true}"},
      {"SM_HP_LR", "0.1"},
      {"SM_HP_NAME", "x y"},
      {"SM_HP_FLAG", "true"},
      {"SM_CHANNELS", "[\"eval\", \"train-1\"]"},
      {"SM_CHANNEL_TRAIN-1", "/jobs/h/opt/ml/input/data/train-1"},
      {"SM_MODEL_DIR", "/jobs/h/opt/ml/model"},
      {"SM_MODULE_DIR", "s3://bucket/code.tar.gz"},
      {"SM_MODULE_NAME", "train"},
      {"SM_USER_ENTRY_POINT", "src/train.py"},
      {"SM_USER_ARGS", "[\"--flag\", \"True\", \"--lr\", \"0.1\", \"--name\", \"x y\"]"},
      {"SM_INPUT_DIR", "/jobs/h/opt/ml/input"},
      {"SM_INPUT_CONFIG_DIR", "/jobs/h/opt/ml/input/config"},
      {"SM_OUTPUT_DIR", "/jobs/h/opt/ml/output"},
      {"SM_OUTPUT_DATA_DIR", "/jobs/h/opt/ml/output/data"},
      {"SM_OUTPUT_INTERMEDIATE_DIR", "/jobs/h/opt/ml/output/intermediate"},
      {"SM_FRAMEWORK_MODULE", ""},
      {"SM_FRAMEWORK_PARAMS", "{\"sagemaker_mpi_enabled\": false}"},
      {"SM_LOG_LEVEL", "10"},
      {"SM_NETWORK_INTERFACE_NAME", "lo"},
      {"SM_CURRENT_INSTANCE_TYPE", "ml.m5.xlarge"},
      {"SM_CURRENT_INSTANCE_GROUP", "homogeneousCluster"},
      {"SM_CURRENT_INSTANCE_GROUP_HOSTS", "[\"algo-1\", \"algo-2\"]"},
      {"SM_INSTANCE_GROUPS", "[\"homogeneousCluster\"]"},
      {"SM_DISTRIBUTION_INSTANCE_GROUPS", "[]"},
      {"SM_IS_HETERO", "false"},
      {"SMDEBUG_CONFIG_FILE_PATH", "/jobs/h/opt/ml/input/config/debughookconfig.json"},
      {"SMPROFILER_CONFIG_PATH", "/jobs/h/opt/ml/input/config/profilerconfig.json"},
      {"TENSORBOARD_CONFIG_FILE_PATH", "/jobs/h/opt/ml/input/config/tensorboardoutputconfig.json"},
      {"CHECKPOINT_CONFIG_FILE_PATH", "/jobs/h/opt/ml/input/config/checkpointconfig.json"},
      {"SAGEMAKER_METRICS_DIRECTORY", "/jobs/h/opt/ml/output/metrics/sagemaker"},
      {"MASTER_ADDR", "127.0.0.1"},
      {"MASTER_PORT", "4711"}};
  for (const auto& [name, value] : table) {
    ASSERT_TRUE(told.contains(name)) << name;
    EXPECT_EQ(told.at(name), value) << name;
  }
  const Json all = ParseJson(told.at("SM_TRAINING_ENV")).value();
  EXPECT_EQ(all["hyperparameters"]["lr"], 0.1);
  EXPECT_EQ(all["is_master"], false);
  EXPECT_EQ(all["channel_input_dirs"]["eval"], "/jobs/h/opt/ml/input/data/eval");
  EXPECT_EQ(ParseJson(told.at("SM_RESOURCE_CONFIG")).value()["current_host"], "algo-2");
  EXPECT_TRUE(told.contains("SM_INPUT_DATA_CONFIG"));
  EXPECT_TRUE(told.contains("SM_INSTANCE_GROUPS_DICT"));
  EXPECT_TRUE(told.contains("SM_NUM_GPUS"));
  EXPECT_TRUE(told.contains("SM_NUM_CPUS"));
}

TEST(JobVariablesTest, WhatNoProgramCanBeToldIsLeftOut) {
  EXPECT_EQ(AsEnvironment({{"A", "1"}, {"B=", "2"}, {"", "3"}, {"C", std::string("x\0y", 3)}}),
            std::vector<std::string>{"A=1"});
}

TEST(JobVariablesTest, AContainerGetsNamesOnItsCommandLineAndValuesByItsEnvironment) {
  const HostLayout layout("/jobs/h", HostLayout::View::kContainer);
  const Variables variables = {{"PATH", "/bin"}, {"SECRET", "s"}, {"SM_HOSTS", "[]"}};
  const ContainerRun run{
      {"podman", "image:1", {"--gpus", "all"}}, "demo-algo-1", {}, {}, variables};
  const std::vector<OutputFolder> outputs = {
      {"DebugHookConfig", {"/jobs/h/x", "/opt/ml/output/tensors"}, "/s3/b/debug-output", "/s3"}};
  EXPECT_EQ(
      ContainerWords(run, layout, outputs),
      (std::vector<std::string>{"podman",
                                "run",
                                "--rm",
                                "--name",
                                "warden-demo-algo-1",
                                "--network",
                                "host",
                                "--workdir",
                                "/opt/ml/code",
                                "--mount",
                                "type=bind,source=/jobs/h/opt/ml,target=/opt/ml",
                                "--mount",
                                "type=bind,source=/s3/b/debug-output,target=/opt/ml/output/tensors",
                                "--env",
                                "SECRET",
                                "--env",
                                "SM_HOSTS",
                                "--gpus",
                                "all",
                                "image:1",
                                "train"}));
  const ContainerRun own{{"docker", "image:1", {}}, "d", {"python", "a.py"}, {"--x"}, variables};
  const auto words = ContainerWords(own, layout, {});
  EXPECT_EQ(std::vector<std::string>(words.end() - 5, words.end()),
            (std::vector<std::string>{"--entrypoint", "python", "image:1", "a.py", "--x"}));
  EXPECT_EQ(ContainerCleaning(own),
            (std::vector<std::string>{"docker", "rm", "--force", "warden-d"}));
}

}  // namespace
}  // namespace warden::jobs
