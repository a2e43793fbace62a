#include "warden/watch/local/local_jobs.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

namespace warden::watch {
namespace {

TEST(LocalJobsTest, ARunThatNobodyTrainsHereIsNamedByItsFolder) {
  LocalJobs jobs(std::chrono::seconds(1));
  const WatchedJob here = jobs.JobOf("runs/a/");
  EXPECT_EQ(here.name, "a");
  EXPECT_EQ(here.run, (std::filesystem::current_path() / "runs/a").string());
}

TEST(LocalJobsTest, ARunInS3StaysWhereItIs) {
  LocalJobs jobs(std::chrono::seconds(1));
  for (const char* run : {"s3://bucket/runs/a", "s3://bucket/runs/a/"}) {
    const WatchedJob job = jobs.JobOf(run);
    EXPECT_EQ(job.name, "a");
    EXPECT_EQ(job.run, "s3://bucket/runs/a");
  }
}

}  // namespace
}  // namespace warden::watch
