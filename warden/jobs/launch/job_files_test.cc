#include "warden/jobs/launch/job_files.h"

#include <gtest/gtest.h>

#include "warden/jobs/launch/launch_for_test.h"
#include "warden/jobs/launch/outputs.h"

namespace warden::jobs {
namespace {

class JobFilesTest : public LaunchTest {
 protected:
  JobFilesTest() : layout_(Host(), HostLayout::View::kHere) {}

  void Write(const TrainingJob& job, const std::string& host = "algo-1") {
    const auto outputs = OutputFoldersOf(job, layout_, temp_.path() / "s3");
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    Status status = MakeHostFolders(layout_, outputs.value());
    ASSERT_TRUE(status.ok()) << status.message();
    status = WriteJobFiles(job, host, layout_);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  std::string File(const std::string& name) const { return ReadText(Ml() / "input/config" / name); }

  const HostLayout layout_;
};

TEST_F(JobFilesTest, EveryFileIsAsTheSpecificationHasIt) {
  const std::string ml = Ml();
  const Json channel = {
      {"ChannelName", "train"},
      {"ContentType", "text/csv"},
      {"InputMode", "FastFile"},
      {"DataSource",
       {{"S3DataSource",
         {{"S3Uri", "s3://bucket/x"}, {"S3DataDistributionType", "ShardedByS3Key"}}}}}};
  Write(JobOf(
      {{"HyperParameters", {{"epochs", "3"}, {"lr", "\"0.1\""}}},
       {"ResourceConfig", {{"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", 2}}},
       {"InputDataConfig", {channel, {{"ChannelName", "test"}, {"DataSource", Json::object()}}}},
       {"DebugHookConfig",
        {{"S3OutputPath", "s3://bucket/prefix"},
         {"HookParameters", {{"save_interval", "100"}, {"train.save_steps", "0,5,10"}}},
         {"CollectionConfigurations",
          {{{"CollectionName", "losses"},
            {"CollectionParameters", {{"train.save_interval", "50"}}}},
           {{"CollectionName", "losses"}}}}}},
       {"ProfilerConfig",
        {{"S3OutputPath", "s3://bucket/Prefix"},
         {"ProfilingIntervalInMilliseconds", 500},
         {"DisableProfiler", false},
         {"ProfilingParameters",
          {{"LocalPath", "/opt/ml/output/profiler/"},
           {"DetailedProfilingConfig", "{\"StartStep\": 5, \"NumSteps\": 1, }"}}}}},
       {"TensorBoardOutputConfig",
        {{"LocalPath", "/tmp/board"}, {"S3OutputPath", "s3://bucket/tb"}}},
       {"CheckpointConfig", {{"S3Uri", "s3://bucket/c"}}}}));
  EXPECT_EQ(File("hyperparameters.json"), "{\"epochs\": \"3\", \"lr\": \"\\\"0.1\\\"\"}\n");
  EXPECT_EQ(File("resourceconfig.json"),
            "{\"current_host\": \"algo-1\", \"hosts\": [\"algo-1\", \"algo-2\"], "
            "\"network_interface_name\": \"lo\", \"current_instance_type\": \"ml.m5.xlarge\", "
            "\"current_group_name\": \"homogeneousCluster\", \"instance_groups\": "
            "[{\"instance_group_name\": \"homogeneousCluster\", \"instance_type\": "
            "\"ml.m5.xlarge\", \"hosts\": [\"algo-1\", \"algo-2\"]}]}\n");
  EXPECT_EQ(File("inputdataconfig.json"),
            "{\"train\": {\"TrainingInputMode\": \"FastFile\", \"S3DistributionType\": "
            "\"ShardedByS3Key\", \"RecordWrapperType\": \"None\", \"ContentType\": \"text/csv\"}, "
            "\"test\": {\"TrainingInputMode\": \"File\", \"S3DistributionType\": "
            "\"FullyReplicated\", \"RecordWrapperType\": \"None\"}}\n");
  EXPECT_EQ(File("debughookconfig.json"),
            "{\"S3OutputPath\": \"s3://bucket/prefix\", \"HookParameters\": {\"save_interval\": "
            "\"100\", \"train.save_steps\": \"0,5,10\"}, \"CollectionConfigurations\": "
            "[{\"CollectionName\": \"losses\", \"CollectionParameters\": "
            "{\"train.save_interval\": \"50\"}}, {\"CollectionName\": \"losses\"}], "
            "\"LocalPath\": \"" +
                ml + "/output/tensors\"}\n");
  EXPECT_EQ(File("profilerconfig.json"),
            "{\"S3OutputPath\": \"s3://bucket/Prefix\", \"ProfilingIntervalInMilliseconds\": 500, "
            "\"DisableProfiler\": false, \"ProfilingParameters\": {\"LocalPath\": \"" +
                ml +
                "/output/profiler\", \"DetailedProfilingConfig\": "
                "\"{\\\"StartStep\\\": 5, \\\"NumSteps\\\": 1, }\"}}\n");
  EXPECT_EQ(File("tensorboardoutputconfig.json"),
            "{\"LocalPath\": \"" + Host().string() +
                "/other/tmp/board\", \"S3OutputPath\": \"s3://bucket/tb\"}\n");
  EXPECT_EQ(File("checkpointconfig.json"), "{\"LocalPath\": \"" + ml + "/checkpoints\"}\n");
  EXPECT_EQ(std::filesystem::read_symlink(Host() / "other/tmp/board"),
            Bucket() / "tb/demo/tensorboard-output");
}

TEST_F(JobFilesTest, WhatTheJobDoesNotAskForIsNotThere) {
  Write(JobOf({{"ProfilerConfig", {{"DisableProfiler", true}}}}));
  EXPECT_EQ(File("hyperparameters.json"), "{}\n");
  EXPECT_EQ(File("inputdataconfig.json"), "{}\n");
  EXPECT_EQ(File("debughookconfig.json"), "(none)");
  EXPECT_EQ(File("tensorboardoutputconfig.json"), "(none)");
  EXPECT_EQ(File("checkpointconfig.json"), "(none)");
  EXPECT_EQ(File("profilerconfig.json"), "{\"DisableProfiler\": true}\n");
  for (const char* folder : {"model", "code", "input/data", "output/data", "output/tensors"}) {
    EXPECT_TRUE(std::filesystem::is_directory(Ml() / folder)) << folder;
  }
}

TEST_F(JobFilesTest, EmptyParametersStayEmpty) {
  const Json config = {{"S3OutputPath", "s3://bucket/p"}, {"ProfilingParameters", Json::object()}};
  Write(JobOf({{"ProfilerConfig", config}}));
  EXPECT_EQ(File("profilerconfig.json"),
            "{\"S3OutputPath\": \"s3://bucket/p\", \"ProfilingParameters\": {}}\n");
}

TEST_F(JobFilesTest, GroupsGetTheirHostsInOrder) {
  const Json groups = {
      {{"InstanceGroupName", "a"}, {"InstanceType", "ml.x"}, {"InstanceCount", 2}},
      {{"InstanceGroupName", "b"}, {"InstanceType", "ml.y"}, {"InstanceCount", 1}}};
  const TrainingJob job = JobOf({{"ResourceConfig", {{"InstanceGroups", groups}}}});
  const Json config = ResourceConfigOf(job, "algo-3");
  EXPECT_EQ(config["current_group_name"], "b");
  EXPECT_EQ(config["current_instance_type"], "ml.y");
  EXPECT_EQ(config["instance_groups"][0]["hosts"], Json({"algo-1", "algo-2"}));
  EXPECT_EQ(config["instance_groups"][1]["hosts"], Json::array({"algo-3"}));
}

TEST_F(JobFilesTest, AContainerSeesThePathsOfItsImage) {
  const HostLayout inside(Host(), HostLayout::View::kContainer);
  const TrainingJob job = JobOf({{"DebugHookConfig", {{"S3OutputPath", "s3://bucket/d"}}}});
  const auto config = DebugHookConfigOf(job, inside);
  EXPECT_EQ((*config.value())["LocalPath"], "/opt/ml/output/tensors");
}

TEST_F(JobFilesTest, PlacesThatCannotBeOutputsAreRefused) {
  const auto refused = [&](const std::string& path, const std::string& uri = "s3://bucket/d") {
    const TrainingJob job =
        JobOf({{"DebugHookConfig", {{"S3OutputPath", uri}, {"LocalPath", path}}},
               {"TensorBoardOutputConfig", {{"S3OutputPath", "s3://bucket/tb"}}}});
    const auto outputs = OutputFoldersOf(job, layout_, temp_.path() / "s3");
    EXPECT_EQ(outputs.status().code(), Code::kInvalid) << path;
    return outputs.status().message();
  };
  EXPECT_NE(refused("/opt/ml/output").find("is reserved"), std::string::npos);
  EXPECT_NE(refused("/opt/ml/model").find("is reserved"), std::string::npos);
  EXPECT_NE(refused("/").find("LocalPath"), std::string::npos);
  EXPECT_NE(refused("/opt/ml/../../../etc").find("LocalPath"), std::string::npos);
  EXPECT_NE(refused("tensors").find("LocalPath"), std::string::npos);
  EXPECT_NE(refused("/opt/ml/output/tensorboard/inside").find("overlaps"), std::string::npos);
  EXPECT_NE(refused("/opt/ml/output/tensors", "https://x/y").find("DebugHookConfig"),
            std::string::npos);
}

}  // namespace
}  // namespace warden::jobs
