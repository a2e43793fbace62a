#include "warden/jobs/launch/distribution.h"

#include <gtest/gtest.h>

#include "warden/jobs/launch/launch_for_test.h"

namespace warden::jobs {
namespace {

using Kind = Distribution::Kind;

TrainingJob JobWith(Json parameters, int hosts = 2) {
  parameters["sagemaker_program"] = "\"train.py\"";
  parameters["sagemaker_submit_directory"] = "\"s3://bucket/x.tar.gz\"";
  return JobOf({{"HyperParameters", std::move(parameters)},
                {"ResourceConfig", {{"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", hosts}}}});
}

JobEnvironment Python() {
  JobEnvironment environment;
  environment.python = "/usr/bin/python3";
  return environment;
}

TEST(DistributionTest, ReadsWhatTheSdkSends) {
  const auto kind = [](const char* name, const char* value) {
    const auto read = DistributionOf(JobWith({{name, value}}), Python());
    EXPECT_TRUE(read.ok()) << read.status().message();
    return read.value().kind;
  };
  EXPECT_EQ(kind("sagemaker_torch_distributed_enabled", "true"), Kind::kTorch);
  EXPECT_EQ(kind("sagemaker_pytorch_ddp_enabled", "true"), Kind::kTorch);
  EXPECT_EQ(kind("sagemaker_pytorch_ddp_enabled", "false"), Kind::kNone);
  EXPECT_EQ(kind("epochs", "3"), Kind::kNone);
}

TEST(DistributionTest, RefusesWhatCannotBeDone) {
  const auto refused = [](Json parameters, int hosts = 2) {
    const auto read = DistributionOf(JobWith(std::move(parameters), hosts), Python());
    EXPECT_EQ(read.status().code(), Code::kInvalid);
    return read.status().message();
  };
  EXPECT_EQ(refused({{"sagemaker_distributed_dataparallel_enabled", "true"}}),
            "distribution smdistributed dataparallel is not supported: its library runs only on "
            "Amazon's machines; expected torch_distributed, pytorchddp or mpi");
  EXPECT_NE(refused({{"mp_parameters", R"({"partitions": 2})"}}).find("modelparallel"),
            std::string::npos);
  EXPECT_NE(refused({{"sagemaker_parameter_server_enabled", "true"}}).find("2 hosts"),
            std::string::npos);
  TrainingJob shell = JobWith({{"sagemaker_torch_distributed_enabled", "true"}});
  shell.request["HyperParameters"]["sagemaker_program"] = "\"train.sh\"";
  EXPECT_NE(DistributionOf(shell, Python()).status().message().find("Python script"),
            std::string::npos);
}

TEST(DistributionTest, StartsTorchOnEachHost) {
  const DistributedHost second{
      {Kind::kTorch, 0, {}}, {"algo-1", "algo-2"}, "algo-2", {"algo-1", 1234, 4, 8, true, "lo"}};
  EXPECT_EQ(
      Distribute(second, {"/py", "train.py", "--epochs", "3"}),
      (std::vector<std::string>{"/py", "-m", "torch.distributed.run", "--nnodes", "2",
                                "--nproc_per_node", "2", "--node_rank", "1", "--master_addr",
                                "algo-1", "--master_port", "1234", "train.py", "--epochs", "3"}));
  Variables variables;
  AddDistribution(second, &variables);
  EXPECT_EQ(variables["MASTER_ADDR"], "algo-1");
  EXPECT_EQ(variables["CUDA_VISIBLE_DEVICES"], "2,3");
}

TEST(DistributionTest, StartsMpiOnTheFirstHost) {
  DistributedHost host{{Kind::kMpi, 3, {"-x", "A"}},
                       {"algo-1", "algo-2"},
                       "algo-1",
                       {"algo-1", 1, 0, 8, true, "lo"}};
  EXPECT_EQ(Distribute(host, {"/py", "train.py"}),
            (std::vector<std::string>{"mpirun", "-np", "6", "-x", "A", "/py", "train.py"}));
  host.host = "algo-2";
  EXPECT_EQ(Distribute(host, {"/py", "train.py"}).front(), "/bin/sh");
}

}  // namespace
}  // namespace warden::jobs
