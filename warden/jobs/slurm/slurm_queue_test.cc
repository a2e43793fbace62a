#include "warden/jobs/slurm/slurm_queue.h"

#include <gtest/gtest.h>

#include "warden/jobs/slurm/slurm_end.h"

namespace warden::jobs {
namespace {

TEST(SlurmQueueTest, ReadsWhatSqueuePrints) {
  const auto jobs = ParseQueue(
      "12|warden-a-1f|RUNNING|node[1-2]|None\n"
      "13|warden-b-2e|PENDING||(ReqNodeNotAvail, UnavailableNodes:node3|x)\n"
      "squeue: something else\n"
      "14|warden-c-3d|NODE_FAIL|node2|NodeDown\n");
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(jobs.at("12").nodes, "node[1-2]");
  EXPECT_FALSE(jobs.at("12").IsOver());
  EXPECT_EQ(jobs.at("13").reason, "(ReqNodeNotAvail, UnavailableNodes:node3|x)");
  EXPECT_EQ(jobs.at("13").nodes, "");
  EXPECT_TRUE(jobs.at("14").IsOver());
  EXPECT_EQ(jobs.at("14").name, "warden-c-3d");
}

TEST(SlurmEndTest, SaysWhyAHostWasLost) {
  const auto why = [](SlurmEnd end) { return WhyLost(end, "algo-2", "node7"); };
  EXPECT_EQ(why({"12", "NODE_FAIL", {"node7"}, ""}),
            "InternalServerError: node node7 failed: Slurm job 12 ended with NODE_FAIL");
  EXPECT_EQ(why({"12", "PREEMPTED", {}, ""}),
            "InternalServerError: preempted by another job: Slurm job 12 ended with PREEMPTED");
  EXPECT_EQ(why({"12", "OUT_OF_MEMORY", {}, ""}),
            "AlgorithmError: out of memory in host algo-2 on node7: Slurm job 12 ended with "
            "OUT_OF_MEMORY");
  EXPECT_EQ(why({"12", "", {}, ""}),
            "InternalServerError: host algo-2 on node7 was lost: Slurm no longer knows job 12");
  EXPECT_EQ(why({"12", "FAILED", {}, "cannot read spec.json"}),
            "InternalServerError: host algo-2 on node7 was lost: Slurm job 12 ended with FAILED; "
            "its last output: cannot read spec.json");
  EXPECT_TRUE(IsTimeOver({"12", "TIMEOUT", {}, ""}));
}

}  // namespace
}  // namespace warden::jobs
