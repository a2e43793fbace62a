#include "warden/config/profiler_config.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace warden::config {
namespace {

using std::chrono::milliseconds;

TEST(ProfilerConfig, DefaultsWhereNothingIsSaid) {
  for (const std::string_view text :
       {"{}", R"({"ProfilingParameters": {}})",
        R"({"S3OutputPath": "s3://bucket/a", "Other": [1]})", R"({"DisableProfiler": null})"}) {
    const auto config = ParseProfilerConfig(text);
    ASSERT_TRUE(config.ok()) << config.status().message();
    EXPECT_EQ(config.value(), ProfilerConfig());
    EXPECT_TRUE(config.value().enabled);
    EXPECT_EQ(config.value().interval, milliseconds(500));
  }
}

TEST(ProfilerConfig, KeysInAnyCaseAtTheTopOrAmongTheParameters) {
  for (
      const std::string_view text :
      {R"({"ProfilingIntervalInMilliseconds": 100, "LocalPath": "/Data/Run", "DisableProfiler": true})",
       R"({"profilingintervalinmilliseconds": "100", "LOCALPATH": "/Data/Run", "disableprofiler": 1})",
       R"({"ProfilingParameters": {"ProfilingIntervalInMilliseconds": " 100 ",
            "localPath": "/Data/Run"}, "DisableProfiler": "True"})",
       R"({"ProfilingIntervalInMilliseconds": 100.0, "DisableProfiler": true,
            "profilingParameters": {"ProfilingIntervalInMilliseconds": 7, "LocalPath": "/Data/Run"}})"}) {
    const auto config = ParseProfilerConfig(text);
    ASSERT_TRUE(config.ok()) << config.status().message();
    EXPECT_FALSE(config.value().enabled);
    EXPECT_EQ(config.value().interval, milliseconds(100));
    EXPECT_EQ(config.value().local_path, "/Data/Run");
  }
}

TEST(ProfilerConfig, EveryIntervalOfTheRangeIsAccepted) {
  for (const int64_t interval : {1, 100, 200, 500, 1000, 5000, 60000}) {
    const auto config = ParseProfilerConfig(
        "{\"ProfilingIntervalInMilliseconds\": " + std::to_string(interval) + "}");
    ASSERT_TRUE(config.ok());
    EXPECT_EQ(config.value().interval, milliseconds(interval));
  }
}

TEST(ProfilerConfig, RefusalsNameKeyValueAndWhatIsAccepted) {
  for (const char* value : {"0", "60001", "-5", "0.5", "\"fast\"", "\"\"", "[100]", "true", "1e300",
                            "\"nan\"", "\"inf\""}) {
    const auto config = ParseProfilerConfig(
        std::string(R"({"ProfilingParameters": {"ProfilingIntervalInMilliseconds": )") + value +
        "}}");
    ASSERT_FALSE(config.ok()) << value;
    EXPECT_EQ(config.status().code(), Code::kInvalid);
    EXPECT_EQ(config.status().message(),
              std::string("ProfilingIntervalInMilliseconds is ") +
                  (std::string(value) == "1e300" ? "1e+300" : value) +
                  "; expected a whole number of milliseconds from 1 to 60000");
  }
  EXPECT_EQ(ParseProfilerConfig(R"({"DisableProfiler": "maybe"})").status().message(),
            "DisableProfiler is \"maybe\"; expected true or false");
  EXPECT_EQ(ParseProfilerConfig(R"({"LocalPath": 5})").status().message(),
            "LocalPath is 5; expected a folder path");
  EXPECT_EQ(ParseProfilerConfig("[]").status().code(), Code::kInvalid);
  EXPECT_EQ(ParseProfilerConfig("{").status().code(), Code::kCorrupt);
  EXPECT_EQ(ParseProfilerConfig("").status().code(), Code::kCorrupt);
}

class ProfilerConfigWatchTest : public testing::Test {
 protected:
  ProfilerConfigWatchTest()
      : path_(testing::TempDir() + "profiler_config_" + std::to_string(getpid()) + ".json") {}
  ~ProfilerConfigWatchTest() override { std::remove(path_.c_str()); }

  void Write(const std::string& text) { std::ofstream(path_) << text; }
  // 250 ms later than the last time.
  auto PollLater() {
    now_ += milliseconds(250);
    return watch_.Poll(now_);
  }

  const std::string path_;
  ProfilerConfigWatch watch_{path_};
  ProfilerConfigWatch::Clock::time_point now_;
};

TEST_F(ProfilerConfigWatchTest, TellsWhatChangesAndNothingElse) {
  Write(R"({"ProfilingIntervalInMilliseconds": 500})");
  const auto first = watch_.Poll(now_);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->config.enabled);
  EXPECT_FALSE(PollLater());
  Write(R"({"ProfilingIntervalInMilliseconds": 1000})");
  auto change = PollLater();
  ASSERT_TRUE(change);
  EXPECT_EQ(change->message, "interval 500 ms -> 1000 ms");
  EXPECT_EQ(change->config.interval, milliseconds(1000));
  Write(R"({"ProfilingIntervalInMilliseconds": 1000, "DisableProfiler": true})");
  change = PollLater();
  ASSERT_TRUE(change);
  EXPECT_EQ(change->message, "disabled");
  // Other words for the same.
  Write(R"({ "ProfilingIntervalInMilliseconds": "1000", "DisableProfiler": true })");
  EXPECT_FALSE(PollLater());
}

TEST_F(ProfilerConfigWatchTest, LooksAtMostEvery200Ms) {
  Write("{}");
  ASSERT_TRUE(watch_.Poll(now_));
  Write(R"({"DisableProfiler": true})");
  EXPECT_FALSE(watch_.Poll(now_ + milliseconds(199)));
  EXPECT_TRUE(watch_.Poll(now_ + milliseconds(200)));
}

TEST_F(ProfilerConfigWatchTest, RemovedAndRestoredUnchanged) {
  const std::string text = R"({"ProfilingIntervalInMilliseconds": 100})";
  Write(text);
  ASSERT_TRUE(watch_.Poll(now_));
  std::remove(path_.c_str());
  auto change = PollLater();
  ASSERT_TRUE(change);
  EXPECT_TRUE(change->broken);
  EXPECT_FALSE(change->config.enabled);
  EXPECT_EQ(change->message, "cannot open " + path_ + ": no such file");
  EXPECT_FALSE(PollLater());  // Told once.
  Write(text);
  change = PollLater();
  ASSERT_TRUE(change);
  EXPECT_TRUE(change->config.enabled);
  EXPECT_EQ(change->message, "enabled");
  EXPECT_EQ(change->config.interval, milliseconds(100));
}

TEST_F(ProfilerConfigWatchTest, InvalidTextSwitchesOffUntilItIsValidAgain) {
  const std::string text = "{}";
  Write(text);
  ASSERT_TRUE(watch_.Poll(now_));
  Write(R"({"ProfilingIntervalInMilliseconds": "soon"})");
  auto change = PollLater();
  ASSERT_TRUE(change);
  EXPECT_TRUE(change->broken);
  EXPECT_FALSE(change->config.enabled);
  EXPECT_NE(change->message.find("soon"), std::string::npos) << change->message;
  Write("{ half a te");
  EXPECT_TRUE(PollLater());  // For another reason.
  Write(text);
  change = PollLater();
  ASSERT_TRUE(change);
  EXPECT_TRUE(change->config.enabled);
}

TEST_F(ProfilerConfigWatchTest, AFileThatIsNotThereYet) {
  const auto first = watch_.Poll(now_);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->broken);
  Write("{}");
  ASSERT_TRUE(PollLater());
}

TEST_F(ProfilerConfigWatchTest, AFolderOrAHugeFileInItsPlace) {
  std::filesystem::create_directory(path_);
  const auto first = watch_.Poll(now_);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->broken);
  std::filesystem::remove(path_);
  Write(std::string(2'000'000, ' '));
  const auto change = PollLater();
  ASSERT_TRUE(change);
  EXPECT_NE(change->message.find("longer"), std::string::npos) << change->message;
}

}  // namespace
}  // namespace warden::config
