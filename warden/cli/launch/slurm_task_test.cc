#include "warden/cli/launch/slurm_task.h"

#include <gtest/gtest.h>

#include <map>

namespace warden::cli {
namespace {

std::optional<SlurmTask> Find(const std::map<std::string, std::string>& variables) {
  return FindSlurmTask([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(SlurmTaskTest, IsATaskOfAStep) {
  const auto task = Find({{"SLURM_JOB_ID", "41"},
                          {"SLURM_STEP_ID", "2"},
                          {"SLURM_STEP_NUM_TASKS", "4"},
                          {"SLURM_NTASKS", "8"},
                          {"SLURM_PROCID", "3"},
                          {"SLURM_NODEID", "1"},
                          {"SLURM_LOCALID", "1"},
                          {"SLURM_RESTART_COUNT", "5"}});
  ASSERT_TRUE(task);
  EXPECT_EQ(task->Name(), "41.2");
  EXPECT_EQ(task->rank, 3);
  EXPECT_EQ(task->size, 4);
  EXPECT_EQ(task->node, 1);
  EXPECT_EQ(task->rank_on_node, 1);
  EXPECT_EQ(task->Launch(false).id, "41.2 5");
  EXPECT_EQ(task->Launch(false).rank, 3);
  EXPECT_EQ(task->Launch(true).id, "41.2 3 5");
  EXPECT_EQ(task->Launch(true).size, 1);
}

TEST(SlurmTaskTest, AScriptIsAlone) {
  const std::map<std::string, std::string> script = {
      {"SLURM_JOB_ID", "41"}, {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}};
  const auto task = Find(script);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->Name(), "41");
  EXPECT_EQ(task->size, 1);
  auto shell = script;
  shell["SLURM_STEP_ID"] = "4294967290";
  shell["SLURM_STEP_NUM_TASKS"] = "8";
  EXPECT_EQ(Find(shell)->Name(), "41");
  EXPECT_EQ(Find(shell)->size, 1);
}

TEST(SlurmTaskTest, WrongNumbersAreLeftOut) {
  EXPECT_FALSE(Find({}));
  EXPECT_FALSE(Find({{"SLURM_JOB_ID", "none"}, {"SLURM_STEP_ID", "0"}}));
  const auto task = Find({{"SLURM_JOB_ID", "41"},
                          {"SLURM_STEP_ID", "0"},
                          {"SLURM_STEP_NUM_TASKS", "2"},
                          {"SLURM_PROCID", "2"}});
  EXPECT_EQ(task->rank, 0);
  EXPECT_EQ(task->size, 1);
}

}  // namespace
}  // namespace warden::cli
