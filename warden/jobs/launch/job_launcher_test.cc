#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>

#include "warden/base/strings.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/launch/boxed.h"
#include "warden/jobs/launch/launch_for_test.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/launch/tar_header.h"

namespace warden::jobs {
namespace {

using Phase = HostState::Phase;
using std::chrono::seconds;

// Jobs here run shell scripts, from a folder on this machine.
class LocalLauncherTest : public LaunchTest {
 protected:
  LocalLauncherTest() {
    auto launcher = MakeLocalLauncher(options_);
    EXPECT_TRUE(launcher.ok()) << launcher.status().message();
    launcher_ = std::move(launcher.value());
  }
  ~LocalLauncherTest() override {
    for (const char* host : {"algo-1", "algo-2"}) SignalAgent(Host(host), SIGKILL);
    launcher_->Look(JobOf({}));  // Ends what is left.
  }

  TrainingJob Script(const std::string& text, Json more = Json::object()) {
    WriteText(outside_.path() / "source/train.sh", text);
    Json request = {{"HyperParameters",
                     {{"sagemaker_program", "train.sh"},
                      {"sagemaker_submit_directory", outside_.path() / "source"},
                      {"epochs", "3"}}}};
    request.update(more);
    return JobOf(request);
  }

  void Launch(const TrainingJob& job) {
    Status status = launcher_->Check(job);
    ASSERT_TRUE(status.ok()) << status.message();
    status = launcher_->Prepare(job);
    ASSERT_TRUE(status.ok()) << status.message();
    status = launcher_->Start(job);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  std::vector<HostState> AwaitEnd(const TrainingJob& job) {
    std::vector<HostState> hosts;
    EXPECT_TRUE(Eventually([&] {
      hosts = launcher_->Look(job);
      return std::all_of(hosts.begin(), hosts.end(), [](const HostState& host) {
        return host.phase == Phase::kEnded || host.phase == Phase::kLost;
      });
    }));
    return hosts;
  }

  // Until a script has written a line into its model folder.
  void AwaitLine(const std::string& name) {
    EXPECT_TRUE(Eventually([&] { return ReadText(Ml() / "model" / name).ends_with('\n'); }));
  }

  std::unique_ptr<Launcher> launcher_;
};

TEST_F(LocalLauncherTest, RunsAScriptToItsEnd) {
  const TrainingJob job = Script(
      "echo \"args $*\"\necho to stderr >&2\npwd\necho $SM_MODEL_DIR\n"
      "echo weights > $SM_MODEL_DIR/model.bin\n");
  EXPECT_EQ(launcher_->Look(job)[0].phase, Phase::kNotStarted);
  Launch(job);
  const HostState host = AwaitEnd(job)[0];
  EXPECT_EQ(host.phase, Phase::kEnded);
  EXPECT_EQ(host.exit_code, 0) << host.failure;
  EXPECT_EQ(host.failure, "");
  ASSERT_TRUE(host.started && host.ended);
  EXPECT_LE(*host.started, *host.ended);
  EXPECT_EQ(LogOf(), "args --epochs 3\nto stderr\n" + (SeenMl() / "code").string() + "\n" +
                         (SeenMl() / "model").string() + "\n");
  ASSERT_TRUE(launcher_->Collect(job).ok());
  EXPECT_TRUE(std::filesystem::exists(Bucket() / "out/demo/output/model.tar.gz"));
  EXPECT_FALSE(std::filesystem::exists(Bucket() / "out/demo/output/output.tar.gz"));
  ASSERT_TRUE(launcher_->Collect(job).ok());
  ASSERT_TRUE(launcher_->Remove(job).ok());
  EXPECT_FALSE(std::filesystem::exists(temp_.path() / "jobs/demo"));
  EXPECT_TRUE(std::filesystem::exists(Bucket() / "out/demo/output/model.tar.gz"));
}

TEST_F(LocalLauncherTest, AModelMayStayUncompressed) {
  const TrainingJob job = Script(
      "mkdir $SM_MODEL_DIR/part\necho weights > $SM_MODEL_DIR/part/model.bin\n"
      "ln -s /etc/passwd $SM_MODEL_DIR/link\n",
      {{"OutputDataConfig",
        {{"S3OutputPath", "s3://bucket/out"}, {"KmsKeyId", ""}, {"CompressionType", "NONE"}}}});
  Launch(job);
  EXPECT_EQ(AwaitEnd(job)[0].exit_code, 0);
  for (int times = 0; times < 2; ++times) ASSERT_TRUE(launcher_->Collect(job).ok());
  const auto output = Bucket() / "out/demo/output";
  EXPECT_EQ(ReadText(output / "model/part/model.bin"), "weights\n");
  EXPECT_FALSE(std::filesystem::exists(output / "model/link"));
  EXPECT_FALSE(std::filesystem::exists(output / "model.tar.gz"));
}

TEST_F(LocalLauncherTest, AProgramIsAskedToEndOnce) {
  const TrainingJob job = Script(
      "trap 'echo asked' TERM\necho ready > $SM_MODEL_DIR/ready\n"
      "until test -e $SM_MODEL_DIR/go; do sleep 0.02; done\n");
  // The shell may add lines about its own children.
  const auto asked = [&] { return LogOf().find("asked\n"); };
  Launch(job);
  AwaitLine("ready");
  launcher_->Stop(job, seconds(60));
  EXPECT_TRUE(Eventually([&] { return asked() != std::string::npos; })) << LogOf();
  launcher_->Stop(job, seconds(50));
  WriteText(Ml() / "model/go", "");
  AwaitEnd(job);
  EXPECT_EQ(LogOf().rfind("asked\n"), asked()) << LogOf();
}

TEST_F(LocalLauncherTest, ItsAgentEndsAProgramWhoseTimeIsOver) {
  TrainingJob job =
      Script("exec sleep 600", {{"StoppingCondition", {{"MaxRuntimeInSeconds", 60}}}});
  job.started = Now() - seconds(59);
  Launch(job);
  const HostState host = AwaitEnd(job)[0];
  EXPECT_TRUE(host.timed_out);
  EXPECT_EQ(host.signal, SIGTERM);
}

TEST_F(LocalLauncherTest, SecretsOfTheServiceStayWithIt) {
  setenv("AWS_SECRET_ACCESS_KEY", "secret-1", 1);
  setenv("WARDEN_TOKEN", "secret-2", 1);
  setenv("SOME_PASSWORD", "secret-3", 1);
  const TrainingJob job = Script("env; cat /proc/$PPID/environ | tr '\\0' '\\n'",
                                 {{"Environment", {{"MINE", "a=b c"}, {"SM_HOSTS", "forged"}}}});
  Launch(job);
  AwaitEnd(job);
  for (const char* name : {"AWS_SECRET_ACCESS_KEY", "WARDEN_TOKEN", "SOME_PASSWORD"}) {
    unsetenv(name);
  }
  const std::string log = LogOf();
  EXPECT_EQ(log.find("secret-"), std::string::npos);
  EXPECT_NE(log.find("MINE=a=b c\n"), std::string::npos);
  EXPECT_NE(log.find("SM_HOSTS=[\"algo-1\"]\n"), std::string::npos);
  EXPECT_NE(log.find("TRAINING_JOB_NAME=demo\n"), std::string::npos);
}

TEST_F(LocalLauncherTest, TellsWhyAProgramFailed) {
  const TrainingJob job = Script("echo reason > $SM_OUTPUT_DIR/failure\necho last words\nexit 7");
  Launch(job);
  const HostState host = AwaitEnd(job)[0];
  EXPECT_EQ(host.exit_code, 7);
  EXPECT_EQ(host.failure, "reason");
}

TEST_F(LocalLauncherTest, TellsTheLastLinesOfAProgramThatLeftNoReason) {
  const TrainingJob job = Script("echo first\necho oh no >&2\nkill -SEGV $$");
  Launch(job);
  const HostState host = AwaitEnd(job)[0];
  EXPECT_EQ(host.signal, SIGSEGV);
  EXPECT_EQ(host.failure, "first\noh no");
}

TEST_F(LocalLauncherTest, AProgramThatCannotBeRunIsAFailure) {
  const TrainingJob job =
      Script("", {{"AlgorithmSpecification",
                   {{"TrainingImage", "some:1"}, {"ContainerEntrypoint", {"no-such-program"}}}}});
  Launch(job);
  const HostState host = AwaitEnd(job)[0];
  EXPECT_EQ(host.phase, Phase::kEnded);
  EXPECT_NE(host.exit_code, 0);
  EXPECT_NE(host.failure.find("cannot run no-such-program"), std::string::npos) << host.failure;
}

TEST_F(LocalLauncherTest, StopLetsAProgramEndInGoodOrder) {
  const TrainingJob job = Script(
      "trap 'echo saved; exit 0' TERM\necho $$ > $SM_MODEL_DIR/pid\nwhile :; do sleep 0.01; done");
  Launch(job);
  AwaitLine("pid");
  launcher_->Stop(job, seconds(60));
  const HostState host = AwaitEnd(job)[0];
  EXPECT_EQ(host.exit_code, 0);
  EXPECT_EQ(host.signal, 0);
  // The shell may tell that what it waited for was asked to end too.
  EXPECT_TRUE(LogOf().ends_with("saved\n")) << LogOf();
}

TEST_F(LocalLauncherTest, StopKillsAProgramThatDoesNotEndWithItsChildren) {
  const TrainingJob job = Script(
      "trap '' TERM\nsetsid sleep 1000 &\necho $! > $SM_MODEL_DIR/child\n"
      "echo $$ > $SM_MODEL_DIR/pid\nwhile :; do sleep 0.01; done");
  Launch(job);
  AwaitLine("child");
  AwaitLine("pid");
  EXPECT_GE(ProcessesOf(), 2U);
  launcher_->Stop(job, seconds(3600));
  EXPECT_EQ(launcher_->Look(job)[0].phase, Phase::kRunning);
  launcher_->Stop(job, seconds(0));
  const HostState host = AwaitEnd(job)[0];
  EXPECT_EQ(host.signal, SIGKILL);
  EXPECT_EQ(ProcessesOf(), 0U);
}

TEST_F(LocalLauncherTest, NothingIsLeftOfAProgramThatEnds) {
  const TrainingJob job = Script(
      "(setsid sh -c 'sleep 1000 & echo $! > '$SM_MODEL_DIR'/child; wait' &)\n"
      "while [ ! -s $SM_MODEL_DIR/child ]; do sleep 0.01; done\necho done");
  Launch(job);
  const HostState host = AwaitEnd(job)[0];
  EXPECT_EQ(host.exit_code, 0);
  AwaitLine("child");
  EXPECT_EQ(ProcessesOf(), 0U);
  EXPECT_EQ(LogOf(), "done\n");
}

TEST_F(LocalLauncherTest, AProgramDiesWithItsAgent) {
  const TrainingJob job = Script(
      "setsid sh -c 'sleep 1000' &\necho $! > $SM_MODEL_DIR/child\n"
      "echo $$ > $SM_MODEL_DIR/pid\nwhile :; do sleep 0.01; done");
  Launch(job);
  AwaitLine("child");
  AwaitLine("pid");
  EXPECT_GE(ProcessesOf(), 2U);
  SignalAgent(Host(), SIGKILL);
  // In a box all at once; else the program, and what it has started when somebody looks.
  EXPECT_TRUE(Eventually([&] { return ProcessesOf() == 0 || !HasBoxes(); }));
  EXPECT_EQ(AwaitEnd(job)[0].phase, Phase::kLost);
  EXPECT_TRUE(Eventually([&] { return ProcessesOf() == 0; }));
}

TEST_F(LocalLauncherTest, AnyServiceCanGoOn) {
  const TrainingJob job = Script(
      "echo run >> $SM_MODEL_DIR/runs\nwhile [ ! -e $SM_MODEL_DIR/go ]; do sleep 0.01; done");
  Launch(job);
  ASSERT_TRUE(Eventually([&] { return ReadText(Ml() / "model/runs") == "run\n"; }));
  // One that was killed before it could say how far it was does it all again.
  launcher_ = MakeLocalLauncher(options_).value();
  Launch(job);
  EXPECT_EQ(launcher_->Look(job)[0].phase, Phase::kRunning);
  WriteText(Ml() / "model/go", "");
  EXPECT_EQ(AwaitEnd(job)[0].exit_code, 0);
  EXPECT_EQ(ReadText(Ml() / "model/runs"), "run\n");
}

TEST_F(LocalLauncherTest, TwoServicesStartAProgramOnce) {
  const TrainingJob job = Script("echo run >> $SM_MODEL_DIR/runs");
  ASSERT_TRUE(launcher_->Prepare(job).ok());
  std::vector<std::thread> services;
  for (int i = 0; i < 4; ++i) {
    services.emplace_back(
        [&] { EXPECT_TRUE(MakeLocalLauncher(options_).value()->Start(job).ok()); });
  }
  for (std::thread& service : services) service.join();
  AwaitEnd(job);
  EXPECT_EQ(ReadText(Ml() / "model/runs"), "run\n");
}

TEST_F(LocalLauncherTest, AJobThatIsStoppedBeforeItBeginsDoesNotBegin) {
  const TrainingJob job = Script("echo run >> $SM_MODEL_DIR/runs");
  ASSERT_TRUE(launcher_->Prepare(job).ok());
  launcher_->Stop(job, seconds(1));
  ASSERT_TRUE(launcher_->Start(job).ok());
  EXPECT_EQ(AwaitEnd(job)[0].signal, SIGTERM);
  EXPECT_EQ(ReadText(Ml() / "model/runs"), "(none)");
}

TEST_F(LocalLauncherTest, SeveralHostsAreSeveralPrograms) {
  WriteText(Bucket() / "data/a", "1");
  WriteText(Bucket() / "data/b", "2");
  WriteText(Bucket() / "data/c", "3");
  const Json channel = {{"ChannelName", "train"},
                        {"DataSource",
                         {{"S3DataSource",
                           {{"S3DataType", "S3Prefix"},
                            {"S3Uri", "s3://bucket/data/"},
                            {"S3DataDistributionType", "ShardedByS3Key"}}}}}};
  const TrainingJob job = Script(
      "echo $SM_CURRENT_HOST of $SM_HOSTS at $MASTER_ADDR:$MASTER_PORT has $(ls "
      "$SM_CHANNEL_TRAIN)\n"
      "echo $SM_CURRENT_HOST > $SM_MODEL_DIR/both; echo x > $SM_OUTPUT_DATA_DIR/$SM_CURRENT_HOST\n"
      "echo $SM_CURRENT_HOST > $SM_MODEL_DIR/$SM_CURRENT_HOST",
      {{"ResourceConfig", {{"InstanceType", "ml.m5.xlarge"}, {"InstanceCount", 2}}},
       {"InputDataConfig", {channel}}});
  Launch(job);
  for (const HostState& host : AwaitEnd(job)) EXPECT_EQ(host.exit_code, 0) << host.failure;
  const std::string port(Trim(ReadText(temp_.path() / "jobs/demo/master_port")));
  const std::string all = " of [\"algo-1\", \"algo-2\"] at 127.0.0.1:" + port + " has ";
  EXPECT_EQ(LogOf("algo-1"), "algo-1" + all + "a c\n");
  EXPECT_EQ(LogOf("algo-2"), "algo-2" + all + "b\n");
  ASSERT_TRUE(launcher_->Collect(job).ok());
  const std::string unpack = "tar -xzf " + (Bucket() / "out/demo/output/model.tar.gz").string() +
                             " -C " + temp_.path().string();
  ASSERT_EQ(std::system(unpack.c_str()), 0);
  EXPECT_EQ(ReadText(temp_.path() / "both"), "algo-1\n");
  EXPECT_EQ(ReadText(temp_.path() / "algo-2"), "algo-2\n");
  EXPECT_TRUE(std::filesystem::exists(Bucket() / "out/demo/output/output.tar.gz"));
}

TEST_F(LocalLauncherTest, OutputsAreObjectsAtOnceAndTheirEndsAreMarked) {
  const TrainingJob job = Script(
      "echo 1 > $SM_OUTPUT_DIR/tensors/one; echo 2 > $SM_OUTPUT_DIR/tensorboard/two\n"
      "echo 3 > $(dirname $SM_MODEL_DIR)/checkpoints/three",
      {{"DebugHookConfig", {{"S3OutputPath", "s3://bucket/debug/"}}},
       {"ProfilerConfig", {{"S3OutputPath", "s3://other-bucket/prof"}, {"DisableProfiler", false}}},
       {"TensorBoardOutputConfig", {{"S3OutputPath", "s3://bucket/tb"}}},
       {"CheckpointConfig", {{"S3Uri", "s3://bucket/checkpoints/mine/"}}}});
  WriteText(Bucket() / "checkpoints/mine/before", "0");
  Launch(job);
  EXPECT_EQ(AwaitEnd(job)[0].exit_code, 0);
  EXPECT_EQ(ReadText(Bucket() / "debug/demo/debug-output/one"), "1\n");
  EXPECT_EQ(ReadText(Bucket() / "tb/demo/tensorboard-output/two"), "2\n");
  EXPECT_EQ(ReadText(Bucket() / "checkpoints/mine/three"), "3\n");
  EXPECT_EQ(ReadText(Ml() / "checkpoints/before"), "0");
  const auto profiler = temp_.path() / "s3/other-bucket/prof/demo/profiler-output";
  EXPECT_TRUE(std::filesystem::exists(profiler));
  EXPECT_FALSE(std::filesystem::exists(profiler / "system/training_job_end.ts"));
  ASSERT_TRUE(launcher_->Collect(job).ok());
  EXPECT_EQ(ReadText(Bucket() / "debug/demo/debug-output/training_job_end.ts"), "");
  EXPECT_EQ(ReadText(profiler / "system/training_job_end.ts"), "");
  EXPECT_EQ(ReadText(profiler / "framework/training_job_end.ts"), "");
  // Another job of that name would be taken for this one.
  ASSERT_TRUE(launcher_->Remove(job).ok());
  const Status again = launcher_->Prepare(job);
  EXPECT_EQ(again.code(), Code::kExists);
  EXPECT_NE(again.message().find("s3://bucket/debug/demo/debug-output"), std::string::npos);
}

TEST_F(LocalLauncherTest, TheMachineIsSampledAsTheConfigurationSaysNow) {
  TrainingJob job = Script("while [ ! -e $SM_MODEL_DIR/go ]; do sleep 0.01; done",
                           {{"ProfilerConfig", {{"DisableProfiler", true}}}});
  Launch(job);
  ASSERT_TRUE(Eventually([&] { return launcher_->Look(job)[0].phase == Phase::kRunning; }));
  job.request["ProfilerConfig"] = {{"S3OutputPath", "s3://bucket/prof"},
                                   {"DisableProfiler", false},
                                   {"ProfilingIntervalInMilliseconds", 100}};
  ASSERT_TRUE(launcher_->Reconfigure(job).ok());
  const auto system = Bucket() / "prof/demo/profiler-output/system/incremental";
  EXPECT_TRUE(Eventually([&] { return std::filesystem::exists(system); }));
  WriteText(Ml() / "model/go", "");
  EXPECT_EQ(AwaitEnd(job)[0].exit_code, 0);
  std::string names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(system)) {
    names += entry.path().filename().string() + " ";
  }
  EXPECT_NE(names.find(".algo-1.json"), std::string::npos) << names;
}

TEST_F(LocalLauncherTest, NoHalfOfAnArchiveStays) {
  const TrainingJob job = Script("echo it > $SM_MODEL_DIR/model");
  Launch(job);
  AwaitEnd(job);
  // By a service that was killed while it packed.
  WriteText(temp_.path() / "uploads/collect-demo.tar.gz", std::string(100'000, 'x'));
  ASSERT_TRUE(launcher_->Collect(job).ok());
  EXPECT_TRUE(std::filesystem::is_empty(temp_.path() / "uploads"));
  const auto model = (Bucket() / "out/demo/output/model.tar.gz").string();
  EXPECT_EQ(std::system(("tar -tzf " + model + " model > /dev/null").c_str()), 0);
}

TEST_F(LocalLauncherTest, AnArchiveMustFitTheVolumeOfTheJob) {
  TrainingJob job = Script("exit 0");
  // A header may promise more than follows.
  const TarBlock header = MakeTarHeader({"large", "", '0', 0644, uint64_t{2} << 30, 0});
  const std::string archive = outside_.path() / "source.tar";
  WriteText(archive, std::string(header.data(), header.size()));
  job.request["HyperParameters"]["sagemaker_submit_directory"] = archive;
  job.request["ResourceConfig"]["VolumeSizeInGB"] = 1;
  const Status status = launcher_->Prepare(job);
  EXPECT_EQ(status.code(), Code::kInvalid) << status.message();
  EXPECT_NE(status.message().find("more than 1073741824 bytes, the size of the volume"),
            std::string::npos)
      << status.message();
}

TEST_F(LocalLauncherTest, SaysBeforeItBeginsWhatCannotBeWritten) {
  const std::string too_long = "s3://bucket/" + std::string(256, 'x');
  Status status =
      launcher_->Check(Script("", {{"OutputDataConfig", {{"S3OutputPath", too_long}}}}));
  EXPECT_EQ(status.code(), Code::kInvalid);
  EXPECT_NE(status.message().find("OutputDataConfig: a part of the key"), std::string::npos);
  for (const std::string& place : {too_long, std::string("https://bucket/x")}) {
    TrainingJob job = Script("");
    RuleJob rule;
    rule.config = {{"RuleConfigurationName", "mine"}, {"S3OutputPath", place}};
    job.rules.push_back(rule);
    status = launcher_->Check(job);
    EXPECT_EQ(status.code(), Code::kInvalid);
    EXPECT_NE(status.message().find("rule mine: "), std::string::npos);
  }
}

TEST_F(LocalLauncherTest, SaysBeforeItBeginsWhatCannotBeRun) {
  const auto refused = [&](const TrainingJob& job) {
    const Status status = launcher_->Check(job);
    EXPECT_EQ(status.code(), Code::kInvalid);
    return status.message();
  };
  EXPECT_NE(refused(JobOf({})).find("no environment for image 'some:1'"), std::string::npos);
  WriteText(temp_.path() / "environments.json",
            R"({"environments": [{"name": "p", "images": ["py*"], "python": "/no/python"}]})");
  launcher_ = MakeLocalLauncher(options_).value();
  EXPECT_NE(refused(JobOf({})).find("configured: 'py*'"), std::string::npos);
  const Json python = {{"TrainingImage", "py:1"}, {"TrainingInputMode", "File"}};
  EXPECT_NE(refused(JobOf({{"AlgorithmSpecification", python}})).find("sagemaker_program"),
            std::string::npos);
  EXPECT_NE(refused(Script("", {{"AlgorithmSpecification", python}})).find("/no/python"),
            std::string::npos);
  EXPECT_NE(refused(JobOf({{"HyperParameters", {{"sagemaker_submit_directory", "/tmp"}}}}))
                .find("sagemaker_program is missing"),
            std::string::npos);
  EXPECT_NE(
      refused(JobOf({{"HyperParameters",
                      {{"sagemaker_program", "../x.py"}, {"sagemaker_submit_directory", "/tmp"}}}}))
          .find("'../x.py'"),
      std::string::npos);
  EXPECT_NE(refused(JobOf({{"HyperParameters",
                            {{"sagemaker_program", "x.py"},
                             {"sagemaker_submit_directory", "s3://bucket/none.tar.gz"}}}}))
                .find("nothing found at s3://bucket/none.tar.gz"),
            std::string::npos);
  EXPECT_NE(refused(Script("", {{"OutputDataConfig", {{"S3OutputPath", "https://x/y"}}}}))
                .find("OutputDataConfig"),
            std::string::npos);
}

TEST_F(LocalLauncherTest, ARegistryThatIsNotUnderstoodIsAnError) {
  WriteText(temp_.path() / "environments.json", "{");
  const auto launcher = MakeLocalLauncher(options_);
  EXPECT_EQ(launcher.status().code(), Code::kInvalid);
  EXPECT_NE(launcher.status().message().find("environments.json"), std::string::npos);
}

}  // namespace
}  // namespace warden::jobs

// The test program is its own agent.
int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "agent") == 0) {
    return std::strcmp(argv[2], "boxed") == 0 ? warden::jobs::RunBoxed(argv[3], "")
                                              : warden::jobs::RunHostAgent(argv[3]);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
