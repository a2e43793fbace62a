#include "warden/cli/launch/task_marks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

class TaskMarksTest : public testing::Test {
 protected:
  ~TaskMarksTest() override { fs::remove_all(folder_); }
  TaskMarks Of(const std::string& id, int rank) const {
    return TaskMarks::Open(folder_, {id, rank, 3}).value();
  }

 private:
  const std::string folder_ =
      fs::path(testing::TempDir()) / ("task_marks_test_" + std::to_string(getpid()));
};

TEST_F(TaskMarksTest, AStopReachesAllOfTheSameAttempt) {
  EXPECT_FALSE(Of("7.0 0", 2).Stopped());
  ASSERT_TRUE(Of("7.0 0", 0).Stop().ok());
  EXPECT_TRUE(Of("7.0 0", 2).Stopped());
  EXPECT_FALSE(Of("7.0 1", 2).Stopped());
}

TEST_F(TaskMarksTest, WaitsForAllOthers) {
  const TaskMarks first = Of("7.0 0", 0);
  Of("7.0 0", 1).End();
  Of("6.0 0", 2).End();
  first.WaitForOthers(std::chrono::milliseconds(1));  // Not for ever.
  Of("7.0 0", 2).End();
  const auto begun = std::chrono::steady_clock::now();
  first.WaitForOthers(std::chrono::hours(1));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::minutes(10));
}

TEST_F(TaskMarksTest, ManyTasksLookSeldom) {
  const auto crowd = TaskMarks::Open(testing::TempDir(), {"7.0 0", 0, 1000}).value();
  EXPECT_GE(crowd.Pause(), std::chrono::seconds(10));
  EXPECT_LE(Of("7.0 0", 0).Pause(), std::chrono::seconds(1));
}

}  // namespace
}  // namespace warden::cli
