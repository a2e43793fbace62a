// A job whose script knows nothing of hooks, with the Python and the packages of the build.
#include <gtest/gtest.h>

#include "warden/base/checkout_for_test.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/launch/launch_for_test.h"
#include "warden/jobs/launch/launcher.h"

namespace warden::jobs {
namespace {

const std::string kPython = BuiltFile("venv/bin/python");

constexpr char kTraining[] = R"(
import sys
import torch
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(model(torch.ones(4, 2)), torch.ones(4, 1))
    loss.backward()
    optimizer.step()
print("arguments", sys.argv[1:])
)";

class CaptureTest : public LaunchTest {
 protected:
  CaptureTest() {
    options_.python = kPython;
    for (const auto& entry : std::filesystem::directory_iterator(BuiltFile("venv/lib"))) {
      options_.python_site = entry.path() / "site-packages/tensorwarden/auto/site";
    }
    WriteText(Bucket() / "code/train.py", kTraining);
  }

  // Its log.
  std::string Train(const Json& more) {
    Json request = {{"HyperParameters",
                     {{"sagemaker_program", "\"train.py\""},
                      {"sagemaker_submit_directory", "\"s3://bucket/code\""},
                      {"lr", "0.5"}}}};
    request.update(more);
    const TrainingJob job = JobOf(request);
    const auto launcher = MakeLocalLauncher(options_).value();
    EXPECT_TRUE(launcher->Check(job).ok());
    EXPECT_TRUE(launcher->Prepare(job).ok());
    EXPECT_TRUE(launcher->Start(job).ok());
    HostState host;
    EXPECT_TRUE(Eventually([&] {
      host = launcher->Look(job)[0];
      return host.phase == HostState::Phase::kEnded;
    }));
    EXPECT_EQ(host.exit_code, 0) << host.failure;
    return LogOf();
  }
};

TEST_F(CaptureTest, TensorsGoToTheBucketAndTheEndIsLeftToThePlatform) {
  const Json hook = {
      {"S3OutputPath", "s3://bucket/debug"},
      {"HookParameters", {{"save_interval", "1"}}},
      {"CollectionConfigurations",
       {{{"CollectionName", "gradients"}},
        {{"CollectionName", "gradients"}, {"CollectionParameters", {{"save_interval", "1"}}}}}}};
  EXPECT_EQ(Train({{"DebugHookConfig", hook}}), "arguments ['--lr', '0.5']\n");
  const auto run = Bucket() / "debug/demo/debug-output";
  EXPECT_TRUE(std::filesystem::exists(run / "collections/000000000/worker_0_collections.json"));
  EXPECT_TRUE(std::filesystem::exists(run / "index/000000000/000000000002_worker_0.json"));
  EXPECT_FALSE(std::filesystem::exists(run / "training_job_end.ts"));
}

TEST_F(CaptureTest, NothingIsCapturedOrSaidWhereTheJobAsksForNothing) {
  EXPECT_EQ(Train(Json::object()), "arguments ['--lr', '0.5']\n");
}

}  // namespace
}  // namespace warden::jobs
