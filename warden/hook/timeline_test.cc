#include "warden/hook/timeline.h"

#include <fstream>
#include <sstream>
#include <vector>

#include "warden/base/json.h"
#include "warden/hook/hook_for_test.h"

namespace warden::hook {
namespace {

TEST(TimelineSettings, OfAProfilersConfiguration) {
  const auto parsed = ParseTimelineSettings(
      R"({"ProfilingParameters": {"localpath": "/p", "RotateMaxFileSizeInBytes": "1000",
          "rotateFileCloseIntervalInSeconds": 2.5, "FileOpenFailThreshold": 3}})");
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  ASSERT_TRUE(parsed.value());
  EXPECT_EQ(*parsed.value(), (capture::TimelineSettings{"/p", 2.5, 1000, 3}));
  EXPECT_EQ(ParseTimelineSettings(R"({"ProfilingParameters": {"LocalPath": "/p"}})").value(),
            capture::TimelineSettings{"/p"});
}

TEST(TimelineSettings, SwitchedOffOrBroken) {
  for (const char* text :
       {"{}", R"({"ProfilingParameters": {}})",
        R"({"DisableProfiler": true, "ProfilingParameters": {"LocalPath": "/p"}})"}) {
    const auto parsed = ParseTimelineSettings(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_FALSE(parsed.value()) << text;
  }
  for (const char* text :
       {"", "[]", "{", R"({"ProfilingParameters": {"RotateMaxFileSizeInBytes": "many"}})",
        R"({"ProfilingParameters": {"FileOpenFailThreshold": -1}})"}) {
    EXPECT_FALSE(ParseTimelineSettings(text).ok()) << text;
  }
}

class TimelineTest : public HookTest {
 protected:
  TimelineTest() { setenv("SMPROFILER_CONFIG_PATH", Path("profiler.json").c_str(), 1); }
  ~TimelineTest() override { unsetenv("SMPROFILER_CONFIG_PATH"); }

  void SwitchOn() const {
    Write("profiler.json", R"({"ProfilingParameters": {"LocalPath": ")" + Path("profile") + "\"}}");
  }

  // All events of the files that were finished, but for those that describe others.
  std::vector<Json> Events() const {
    std::vector<Json> events;
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(Path("profile/framework/pevents"))) {
      if (!file.is_regular_file()) continue;
      std::ifstream stream(file.path());
      std::ostringstream text;
      text << stream.rdbuf();
      const auto json = ParseJson(text.str());
      EXPECT_TRUE(json.ok()) << text.str();
      for (const Json& event : json.value()) {
        if (event.at("ph") != "M") events.push_back(event);
      }
    }
    return events;
  }
};

TEST_F(TimelineTest, StepsAndSpans) {
  SwitchOn();
  wd_hook* hook = nullptr;
  ASSERT_EQ(wd_hook_create_from_environment(nullptr, &hook), WD_OK);
  EXPECT_EQ(wd_hook_is_active(hook), 0) << "a profile needs no tensors";
  EXPECT_EQ(wd_hook_is_profiling(hook), 1);
  wd_hook_set_mode(hook, WD_TRAIN);
  wd_hook_begin_step(hook);
  const int64_t start = wd_now_us();
  EXPECT_EQ(wd_hook_record_span(hook, "Data \"loading\"", "read", start, 7), WD_OK);
  wd_hook_begin_step(hook);
  wd_hook_end_step(hook);
  wd_hook_set_mode(hook, WD_EVAL);
  wd_hook_begin_step_at(hook, 9);
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  wd_hook_free(hook);
  std::vector<std::string> names, steps;
  for (const Json& event : Events()) {
    names.push_back(event.at("name"));
    steps.push_back(event.at("args").value("step_num", ""));
    EXPECT_EQ(event.at("args").at("pid"), getpid());
    EXPECT_GE(event.at("dur"), 0);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"Initialization", "read", "Step:ModeKeys.TRAIN",
                                             "Step:ModeKeys.TRAIN", "Step:ModeKeys.EVAL",
                                             "Finalization"}));
  EXPECT_EQ(steps, (std::vector<std::string>{"", "", "0", "1", "9", ""}));
}

TEST_F(TimelineTest, NothingWhileNobodyAsks) {
  Timeline timeline(std::nullopt);
  EXPECT_FALSE(timeline.IsOn());
  timeline.BeginStep(Mode::kTrain, std::nullopt);
  timeline.Record("a", "b", 0, 1);
  timeline.Close();
  EXPECT_FALSE(std::filesystem::exists(Path("profile")));
}

TEST_F(TimelineTest, TheConfigurationIsFollowed) {
  TimelineConfig config;
  config.Follow(1);
  EXPECT_FALSE(config.settings());
  SwitchOn();
  config.Follow(2);
  EXPECT_FALSE(config.settings()) << "not yet looked at again";
  int64_t now = 2 + TimelineConfig::kLookUs;
  config.Follow(now);
  ASSERT_TRUE(config.settings());
  EXPECT_EQ(config.settings()->folder, Path("profile"));
  Write("profiler.json", "broken");
  config.Follow(now += TimelineConfig::kLookUs);
  EXPECT_FALSE(config.settings());
  SwitchOn();
  config.Follow(now += TimelineConfig::kLookUs);
  EXPECT_TRUE(config.settings());
  std::filesystem::remove(Path("profiler.json"));
  config.Follow(now += TimelineConfig::kLookUs);
  EXPECT_FALSE(config.settings());
}

}  // namespace
}  // namespace warden::hook
