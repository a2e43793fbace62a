#include "warden/actions/stop_training.h"

#include <gtest/gtest.h>

#include "warden/actions/actions_for_test.h"

namespace warden::actions {
namespace {

class Jobs : public JobControl {
 public:
  explicit Jobs(std::vector<std::string> running) : running_(std::move(running)) {}
  std::vector<std::string> RunningJobs() override { return running_; }
  Status Stop(const std::string& job, std::string_view reason) override {
    stopped.push_back(job);
    last_reason = reason;
    return Status();
  }

  std::vector<std::string> stopped;
  std::string last_reason;

 private:
  std::vector<std::string> running_;
};

Status RunWith(const std::string& prefix, Jobs* jobs) {
  return NewStopTraining({prefix}, jobs)->Run(SomeFiring(), {}).status;
}

TEST(StopTrainingTest, StopsTheFiringsOwnJobWithoutAPrefix) {
  Jobs jobs({"demo-0012", "demo-001"});
  EXPECT_TRUE(RunWith("", &jobs).ok());
  EXPECT_EQ(jobs.stopped, std::vector<std::string>{"demo-001"});
  EXPECT_NE(jobs.last_reason.find("VanishingGradient"), std::string::npos);
}

TEST(StopTrainingTest, StopsTheOneJobWithThePrefix) {
  Jobs jobs({"Other-7", "demo-001"});
  EXPECT_TRUE(RunWith("Other", &jobs).ok());
  EXPECT_EQ(jobs.stopped, std::vector<std::string>{"Other-7"});
}

TEST(StopTrainingTest, StopsNothingWhenItIsNotClearWhat) {
  Jobs jobs({"demo-2", "demo-1"});
  const Status several = RunWith("demo", &jobs);
  EXPECT_EQ(several.code(), Code::kInvalid);
  EXPECT_EQ(several.message(), "stopped nothing: 2 job names begin with 'demo': demo-1, demo-2");
  const Status none = RunWith("", &jobs);
  EXPECT_EQ(none.code(), Code::kNotFound);
  EXPECT_EQ(none.message(),
            "stopped nothing: no job named 'demo-001' is running (running: demo-1, demo-2)");
  // Letter case counts.
  EXPECT_EQ(RunWith("Demo", &jobs).code(), Code::kNotFound);
  EXPECT_TRUE(jobs.stopped.empty());
}

}  // namespace
}  // namespace warden::actions
