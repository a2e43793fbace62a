// Links that a program leaves where it may write, to lead the service elsewhere.
#include <gtest/gtest.h>

#include <filesystem>

#include "warden/jobs/launch/collect.h"
#include "warden/jobs/launch/job_files.h"
#include "warden/jobs/launch/launch_for_test.h"
#include "warden/jobs/launch/outputs.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

class LinksTest : public LaunchTest {
 protected:
  LinksTest() {
    fs::create_directories(Elsewhere() / "data");
    WriteText(Elsewhere() / "data/secret", "secret\n");
    const auto outputs = OutputFoldersOf(job_, layout_, Objects());
    EXPECT_TRUE(outputs.ok());
    EXPECT_TRUE(MakeHostFolders(layout_, outputs.value()).ok());
  }

  fs::path Elsewhere() const { return temp_.path() / "elsewhere"; }
  std::string Objects() const { return temp_.path() / "s3"; }
  Status Collect() {
    return CollectArtifacts(job_, {layout_}, Objects(), temp_.path() / "uploads");
  }
  // Removes what is at the path, and puts a link there.
  void Replace(const fs::path& path) {
    fs::remove_all(path);
    fs::create_directories(path.parent_path());
    fs::create_directory_symlink(Elsewhere(), path);
  }
  void ExpectNothingElsewhere() {
    EXPECT_EQ(std::distance(fs::directory_iterator(Elsewhere()), fs::directory_iterator()), 1);
    EXPECT_EQ(ReadText(Elsewhere() / "data/secret"), "secret\n");
  }

  const TrainingJob job_ =
      JobOf({{"DebugHookConfig", {{"S3OutputPath", "s3://bucket/debug"}}},
             {"ProfilerConfig", {{"S3OutputPath", "s3://bucket/prof"}, {"DisableProfiler", false}}},
             {"CheckpointConfig", {{"S3Uri", "s3://bucket/checkpoints/mine"}}}});
  const HostLayout layout_{Host(), HostLayout::View::kHere};
};

TEST_F(LinksTest, EndsAreMarkedInBucketsOnly) {
  Replace(Bucket() / "prof/demo/profiler-output/system");
  EXPECT_TRUE(MarkEnds(job_, Objects()).ok());
  ExpectNothingElsewhere();
  // Somebody waits for each.
  EXPECT_TRUE(fs::exists(Bucket() / "prof/demo/profiler-output/system/training_job_end.ts"));
  EXPECT_TRUE(fs::exists(Bucket() / "debug/demo/debug-output/training_job_end.ts"));
  EXPECT_TRUE(fs::exists(Bucket() / "prof/demo/profiler-output/framework/training_job_end.ts"));
}

TEST_F(LinksTest, AFileInTheWayOfOneEndKeepsNoOtherAway) {
  fs::remove_all(Bucket() / "debug/demo/debug-output");
  WriteText(Bucket() / "debug/demo/debug-output", "a file");
  const Status status = MarkEnds(job_, Objects());
  EXPECT_EQ(status.code(), Code::kExists);
  EXPECT_NE(status.message().find("'debug-output' is not a folder"), std::string::npos);
  EXPECT_TRUE(fs::exists(Bucket() / "prof/demo/profiler-output/system/training_job_end.ts"));
}

TEST_F(LinksTest, AnEndThatIsALinkIsMadeAnew) {
  const fs::path end = Bucket() / "debug/demo/debug-output/training_job_end.ts";
  fs::create_symlink(Elsewhere() / "made", end);
  EXPECT_TRUE(MarkEnds(job_, Objects()).ok());
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(end)));
  ExpectNothingElsewhere();
  EXPECT_TRUE(MarkEnds(job_, Objects()).ok());
}

TEST_F(LinksTest, ArtifactsArePutIntoBucketsOnly) {
  Replace(Bucket() / "out/demo/output");
  EXPECT_EQ(Collect().code(), Code::kExists);
  ExpectNothingElsewhere();
}

TEST_F(LinksTest, WhatALinkLeadsToIsNotPacked) {
  Replace(Ml() / "output");
  const Status status = Collect();
  EXPECT_EQ(status.code(), Code::kInvalid);
  EXPECT_NE(status.message().find("opt/ml/output/data"), std::string::npos);
  EXPECT_FALSE(fs::exists(Bucket() / "out/demo/output/output.tar.gz"));
}

TEST_F(LinksTest, OutputsOfAnotherJobAreNotLedAway) {
  Replace(Bucket() / "checkpoints/mine");
  const auto outputs = OutputFoldersOf(job_, layout_, Objects());
  const Status status = LinkOutputs(layout_, outputs.value());
  EXPECT_EQ(status.code(), Code::kExists);
  EXPECT_NE(status.message().find("CheckpointConfig"), std::string::npos);
}

TEST_F(LinksTest, ConfigurationsOfARunningJobAreNotLedAway) {
  ASSERT_TRUE(WriteJobFiles(job_, "algo-1", layout_).ok());
  ASSERT_TRUE(WriteProfilerConfig(job_, layout_).ok());
  const fs::path file = Ml() / "input/config/profilerconfig.json";
  fs::remove(file);
  fs::create_symlink(Elsewhere() / "data/secret", file);
  EXPECT_TRUE(WriteProfilerConfig(job_, layout_).ok());
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(file)));
  for (const char* folder : {"input/config", "input"}) {
    Replace(Ml() / folder);
    EXPECT_EQ(WriteProfilerConfig(job_, layout_).code(), Code::kNotFound) << folder;
    ExpectNothingElsewhere();
  }
}

TEST_F(LinksTest, OutputsThatARunningJobGetsAreNotLedAway) {
  Replace(Ml() / "output");
  const TrainingJob job = JobOf({{"DebugHookConfig", {{"S3OutputPath", "s3://bucket/debug"}}}});
  for (const auto view : {HostLayout::View::kHere, HostLayout::View::kContainer}) {
    const HostLayout layout(Host(), view);
    const auto outputs = OutputFoldersOf(job, layout, Objects());
    const Status status = LinkOutputs(layout, outputs.value(), /*running=*/true);
    EXPECT_EQ(status.code(), Code::kExists);
    EXPECT_NE(status.message().find("DebugHookConfig"), std::string::npos);
    ExpectNothingElsewhere();
  }
}

}  // namespace
}  // namespace warden::jobs
