#include "warden/jobs/db/job_copies.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/jobs/db/store_for_test.h"

namespace warden::jobs {
namespace {

class JobCopiesTest : public ::testing::Test {
 protected:
  std::string Jobs() const { return folder_.folder() + "/jobs"; }
  std::string Folder(const std::string& name) const { return Jobs() + "/" + name; }
  Recovery Recover() {
    auto recovery = RecoverJobs(folder_.Path(), Jobs());
    EXPECT_TRUE(recovery.ok()) << recovery.status().message();
    return recovery.ok() ? std::move(recovery.value()) : Recovery();
  }

  StoreFolder folder_;
};

TEST_F(JobCopiesTest, ADamagedDatabaseIsRebuilt) {
  for (const char* name : {"demo-001", "demo-002"}) {
    ASSERT_TRUE(folder_.Open()->Create(SomeJob(name), {}).ok());
    ASSERT_TRUE(KeepCopy(Folder(name), SomeJob(name)).ok());
  }
  EXPECT_EQ(CountCopies(Jobs()), 2u);
  std::ofstream(folder_.Path(), std::ios::trunc) << std::string(5000, 'x') << std::flush;
  ASSERT_FALSE(OpenJobStore(folder_.Path()).ok());
  const Recovery recovery = Recover();
  EXPECT_EQ(recovery.jobs, 2u);
  EXPECT_TRUE(recovery.skipped.empty());
  EXPECT_TRUE(std::filesystem::exists(recovery.damaged)) << recovery.damaged;
  const auto job = folder_.Open()->Get("demo-002");
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(ToJson(job.value()), ToJson(SomeJob("demo-002")));
}

TEST_F(JobCopiesTest, OneThatIsFineKeepsWhatItHas) {
  TrainingJob changed = SomeJob("demo-001");
  ASSERT_TRUE(KeepCopy(Folder("demo-001"), changed).ok());
  ASSERT_TRUE(KeepCopy(Folder("demo-002"), SomeJob("demo-002")).ok());
  changed.failure_reason = "newer";
  ASSERT_TRUE(folder_.Open()->Create(changed, {}).ok());
  const Recovery recovery = Recover();
  EXPECT_EQ(recovery.jobs, 1u);
  EXPECT_EQ(recovery.damaged, "");
  EXPECT_EQ(folder_.Open()->Get("demo-001").value().failure_reason, "newer");
  EXPECT_EQ(Recover().jobs, 0u) << "can be repeated";
}

TEST_F(JobCopiesTest, WhatCannotBeReadIsNamed) {
  std::filesystem::create_directories(Folder("none"));
  ASSERT_TRUE(KeepCopy(Folder("renamed"), SomeJob("other")).ok());
  std::filesystem::create_directories(Folder("cut"));
  std::ofstream(Folder("cut") + "/record.json") << "{\"name\": \"cut\"" << std::flush;
  const Recovery recovery = Recover();
  EXPECT_EQ(recovery.jobs, 0u);
  EXPECT_EQ(recovery.skipped, (std::vector<std::string>{"cut", "none", "renamed"}));
}

}  // namespace
}  // namespace warden::jobs
