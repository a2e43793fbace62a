#include "warden/jobs/launch/isolation.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "warden/jobs/agent/agent.h"
#include "warden/jobs/launch/hidden_places.h"
#include "warden/jobs/launch/instance_limits.h"
#include "warden/jobs/launch/launch_for_test.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/os/box_for_test.h"

namespace warden::jobs {
namespace {

class IsolationTest : public LaunchTest {
 protected:
  void SetUp() override {
    if (HasBoxes()) return;
    ASSERT_FALSE(os::MustHaveBoxes());
    GTEST_SKIP() << "no boxes here";
  }
  ~IsolationTest() override {
    SignalAgent(Host(), SIGKILL);
    if (launcher_) launcher_->Look(JobOf({}));
  }

  TrainingJob Script(const std::string& text, Json more = Json::object()) {
    WriteText(outside_.path() / "source/train.sh", text);
    Json request = {{"HyperParameters",
                     {{"sagemaker_program", "train.sh"},
                      {"sagemaker_submit_directory", outside_.path() / "source"}}}};
    request.update(more);
    return JobOf(request);
  }

  HostState Run(const TrainingJob& job) {
    launcher_ = MakeLocalLauncher(options_).value();
    for (const Status& status :
         {launcher_->Check(job), launcher_->Prepare(job), launcher_->Start(job)}) {
      EXPECT_TRUE(status.ok()) << status.message();
    }
    HostState host;
    EXPECT_TRUE(Eventually([&] {
      host = launcher_->Look(job)[0];
      return host.phase == HostState::Phase::kEnded || host.phase == HostState::Phase::kLost;
    }));
    return host;
  }

  std::unique_ptr<Launcher> launcher_;
};

TEST_F(IsolationTest, AProgramFindsOptMl) {
  const bool was_there = os::PathExists("/opt/ml");
  const TrainingJob job = Script(
      "cd /opt/ml || exit 9\necho $SM_MODEL_DIR $SM_OUTPUT_DATA_DIR $SM_INPUT_CONFIG_DIR\n"
      "ls input/config\ncat input/config/hyperparameters.json | head -c 1\n"
      "echo x > output/tensorboard/event; echo x > checkpoints/one; echo x > model/m\n"
      "cat input/data/train/a\nhostname\ngetent hosts algo-1 | cut -d' ' -f1\n"
      "echo why > /opt/ml/output/failure; exit 3",
      {{"TensorBoardOutputConfig", {{"S3OutputPath", "s3://bucket/tb"}}},
       {"CheckpointConfig", {{"S3Uri", "s3://bucket/points"}}},
       {"InputDataConfig",
        {{{"ChannelName", "train"},
          {"DataSource",
           {{"S3DataSource", {{"S3DataType", "S3Prefix"}, {"S3Uri", "s3://bucket/data/"}}}}}}}}});
  WriteText(Bucket() / "data/a", "given");
  const HostState host = Run(job);
  EXPECT_EQ(host.exit_code, 3) << LogOf();
  EXPECT_EQ(host.failure, "why");
  EXPECT_EQ(LogOf(),
            "/opt/ml/model /opt/ml/output/data /opt/ml/input/config\ncheckpointconfig.json\n"
            "hyperparameters.json\ninputdataconfig.json\nresourceconfig.json\n"
            "tensorboardoutputconfig.json\n{givenalgo-1\n127.0.0.1\n");
  EXPECT_EQ(ReadText(Bucket() / "tb/demo/tensorboard-output/event"), "x\n");
  EXPECT_EQ(ReadText(Bucket() / "points/one"), "x\n");
  EXPECT_EQ(ReadText(Ml() / "model/m"), "x\n");
  EXPECT_EQ(os::PathExists("/opt/ml"), was_there);
}

TEST_F(IsolationTest, EachJobIsAUserOfItsOwn) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  TrainingJob job = Script("id -u; id -un; echo $HOME; echo x > $HOME/x && echo x > /tmp/y");
  EXPECT_EQ(Run(job).exit_code, 0) << LogOf();
  EXPECT_TRUE(LogOf().ends_with("\njob\n/tmp/home\n")) << LogOf();
  const std::string first = LogOf();
  EXPECT_NE(first.substr(0, first.find('\n')), "0");
  ASSERT_TRUE(launcher_->Remove(job).ok());
  EXPECT_EQ(Run(job).exit_code, 0);
  EXPECT_NE(LogOf(), first);
  ASSERT_TRUE(launcher_->Remove(job).ok());
  options_.jobs_as_root = true;
  EXPECT_EQ(Run(job).exit_code, 0) << LogOf();
  EXPECT_TRUE(LogOf().starts_with("0\nroot\n")) << LogOf();
}

TEST_F(IsolationTest, ASharedFolderCanBeWritten) {
  const auto shared = outside_.path() / "shared";
  std::filesystem::create_directories(shared);
  std::filesystem::permissions(shared, std::filesystem::perms::all);
  options_.shared_folders = {shared};
  const TrainingJob job = Script("echo x > " + (shared / "file").string());
  EXPECT_EQ(Run(job).exit_code, 0) << LogOf();
  EXPECT_EQ(ReadText(shared / "file"), "x\n");
}

TEST_F(IsolationTest, AJobThatWantsNoNetworkHasNone) {
  const TrainingJob job =
      Script("tail -n +3 /proc/net/dev | cut -d: -f1", {{"EnableNetworkIsolation", true}});
  EXPECT_EQ(Run(job).exit_code, 0);
  EXPECT_EQ(LogOf(), "    lo\n");
  TrainingJob many = job;
  many.request["ResourceConfig"]["InstanceCount"] = 2;
  EXPECT_EQ(launcher_->Check(many).code(), Code::kInvalid);
}

TEST_F(IsolationTest, WithoutBoxesTheLogSaysSo) {
  options_.isolation = service::ServiceOptions::Isolation::kOff;
  EXPECT_EQ(Run(Script("echo $SM_MODEL_DIR")).exit_code, 0);
  const auto log = ReadLog(service::DataLayout::Log(Host()), 0, 10, 1 << 20);
  ASSERT_EQ(log.value().lines.size(), 2U);
  EXPECT_EQ(log.value().lines[0].text,
            "Tensorwarden: this job is not isolated from other jobs and has no /opt/ml: turned off "
            "(--isolation off)");
  EXPECT_EQ(log.value().lines[1].text, (Ml() / "model").string());
}

TEST_F(IsolationTest, CommandsOfAJobSeeNothingOfTheService) {
  setenv("SOME_SECRET", "secret-1", 1);
  launcher_ = MakeLocalLauncher(options_).value();
  const auto place = launcher_->PlaceOfCommands(JobOf({}));
  unsetenv("SOME_SECRET");
  ASSERT_TRUE(place.ok()) << place.status().message();
  for (const std::string& variable : place.value().environment) {
    EXPECT_EQ(variable.find("secret-1"), std::string::npos);
  }
  ASSERT_EQ(place.value().prefix.size(), 5U);
  EXPECT_EQ(place.value().prefix[4], "--words");
  const Json box = ReadJson(place.value().prefix[3])["box"];
  EXPECT_EQ(box["processes"], 16'384);
  const auto hidden = box["hidden"].get<std::vector<std::string>>();
  EXPECT_NE(std::find(hidden.begin(), hidden.end(), RealPath(options_.data)), hidden.end());
}

TEST(MakeReachableTest, OpensThePathToWhatIsNeeded) {
  const os::TempFolder temp;
  const std::string closed = temp.path() / "closed";
  std::filesystem::create_directories(closed + "/venv/bin");
  std::filesystem::permissions(temp.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
  os::Box box;
  MakeReachable("/usr/bin", &box);
  EXPECT_TRUE(box.hidden.empty());
  MakeReachable(closed + "/venv", &box);
  EXPECT_EQ(box.hidden, std::vector{closed});
  ASSERT_EQ(box.shown.size(), 1U);
  EXPECT_EQ(box.shown[0].to, closed + "/venv");
  EXPECT_FALSE(box.shown[0].writable);
}

TEST(InstanceLimitsTest, FollowFamilyAndSize) {
  EXPECT_EQ(LimitsOfInstance("ml.m5.xlarge").memory_bytes, uint64_t{16} << 30);
  EXPECT_EQ(LimitsOfInstance("ml.m5.xlarge").cpus, 4);
  EXPECT_EQ(LimitsOfInstance("ml.p3.2xlarge").memory_bytes, uint64_t{61} << 30);
  EXPECT_EQ(LimitsOfInstance("ml.c5.18xlarge").cpus, 72);
  for (const char* other : {"local", "", "ml.m5", "ml.m5.huge", "ml.zz.xlarge", "ml.m5.0xlarge"}) {
    EXPECT_EQ(LimitsOfInstance(other).memory_bytes, 0U) << other;
  }
  EXPECT_EQ(LimitsOfInstance("ml.t3.medium").processes, 4096U);
  EXPECT_EQ(LimitsOfInstance("ml.c5.18xlarge").processes, 32'768U);
  EXPECT_EQ(LimitsOfVolume(JobOf({})).bytes, uint64_t{30} << 30);
  EXPECT_EQ(LimitsOfVolume(JobOf({})).entries, 200'000U);
}

TEST(InstanceLimitsTest, LeaveSomeOfTheMachine) {
  constexpr uint64_t kMiB = uint64_t{1} << 20;
  const InstanceLimits small = LimitsOfInstance("ml.t3.medium");
  const InstanceLimits large = LimitsOfInstance("ml.m5.24xlarge");
  const InstanceLimits machine = {32'768 * kMiB, 8, 100'000};
  EXPECT_EQ(WithinMachine(small, machine).memory_bytes, 4096 * kMiB);
  EXPECT_EQ(WithinMachine(small, machine).processes, 4096U);
  EXPECT_EQ(WithinMachine(large, machine).memory_bytes, 28'672 * kMiB);
  EXPECT_EQ(WithinMachine(large, machine).cpus, 96);
  EXPECT_EQ(WithinMachine({}, machine).memory_bytes, 28'672 * kMiB);
  EXPECT_EQ(WithinMachine({}, machine).processes, 50'000U);
  EXPECT_EQ(WithinMachine(large, {2048 * kMiB, 2, 1200}).memory_bytes, 1536 * kMiB);
  EXPECT_EQ(WithinMachine(large, {2048 * kMiB, 2, 1200}).processes, 600U);
  EXPECT_EQ(WithinMachine(large, {512 * kMiB, 2, 1200}).memory_bytes, 256 * kMiB);
  EXPECT_EQ(WithinMachine(large, {}).memory_bytes, large.memory_bytes);
}

}  // namespace
}  // namespace warden::jobs
