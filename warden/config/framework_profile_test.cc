#include "warden/config/framework_profile.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"
#include "warden/config/profiler_config.h"

namespace warden::config {
namespace {

using std::chrono::milliseconds;

TEST(FrameworkProfileTest, TheMonitorReadsIt) {
  const auto text =
      ProfilerConfigText("/runs/A \"1\"", milliseconds(200), FrameworkProfile::kTimeline);
  const auto config = ParseProfilerConfig(text);
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_TRUE(config.value().enabled);
  EXPECT_EQ(config.value().interval, milliseconds(200));
  EXPECT_EQ(config.value().local_path, "/runs/A \"1\"");
  EXPECT_EQ(text.find("StartStep"), std::string::npos);
}

TEST(FrameworkProfileTest, PartsAreStringsOfObjects) {
  const auto text = ProfilerConfigText("/runs", milliseconds(500), FrameworkProfile::kDetailed);
  const auto document = ParseJson(text);
  ASSERT_TRUE(document.ok());
  const Json& parameters = document.value().at("ProfilingParameters");
  for (const auto& [name, step] : {std::pair{"DetailedProfilingConfig", 5},
                                   {"PythonProfilingConfig", 9},
                                   {"HorovodProfilingConfig", 13},
                                   {"SMDataParallelProfilingConfig", 15}}) {
    const auto part = ParseJson(parameters.at(name).get<std::string>());
    ASSERT_TRUE(part.ok()) << name;
    EXPECT_EQ(part.value().at("StartStep"), step) << name;
  }
  EXPECT_FALSE(parameters.contains("DataloaderProfilingConfig"));
}

TEST(FrameworkProfileTest, DetailsAreRecordedAgainWhenAskedForAgain) {
  Json parameters = {{"LocalPath", "/runs"}};
  parameters.merge_patch(DetailsOf({.steps = 10}));
  const Json first = parameters;
  EXPECT_EQ(ParseJson(first["DetailedProfilingConfig"].get<std::string>()).value()["NumSteps"], 10);
  EXPECT_FALSE(first.contains("PythonProfilingConfig"));
  parameters.merge_patch(DetailsOf({.steps = 10}));
  EXPECT_NE(parameters, first);
  parameters.merge_patch(DetailsOf({.seconds = 2.5, .python = true}));
  const auto python = ParseJson(parameters["PythonProfilingConfig"].get<std::string>());
  EXPECT_EQ(python.value()["DurationInSeconds"], 2.5);
  EXPECT_EQ(python.value()["ProfilerName"], "cprofile");
  parameters.merge_patch(NoDetails());
  EXPECT_EQ(parameters, (Json{{"LocalPath", "/runs"}}));
}

TEST(FrameworkProfileTest, APathThatIsNoTextDoesNoHarm) {
  const auto text = ProfilerConfigText("/\xff", milliseconds(500), FrameworkProfile::kTimeline);
  EXPECT_TRUE(ParseJson(text).ok());
}

TEST(KernelStepsTest, StepsOnceOrAgainAndAgain) {
  const auto once = ParseKernelSteps("10");
  ASSERT_TRUE(once.ok());
  EXPECT_EQ(KernelProfiling(once.value()), R"({"StartStep":10,"NumSteps":10})");
  const auto again = ParseKernelSteps("10@500");
  ASSERT_TRUE(again.ok());
  const Json range = ParseJson(KernelProfiling(again.value())).value();
  EXPECT_EQ(range, (Json{{"StartStep", 10}, {"NumSteps", 10}, {"EverySteps", 500}}));
  for (const char* wrong : {"", "0", "-1", "1001", "10@", "@5", "10@10", "x", "10@5000@2", "1.5"}) {
    EXPECT_EQ(ParseKernelSteps(wrong).status().code(), Code::kInvalid) << wrong;
  }
}

TEST(KernelStepsTest, KernelsAreRecordedInsteadOfOperators) {
  const Json change = DetailsOf({.steps = 3, .kernels = true});
  EXPECT_TRUE(change["DetailedProfilingConfig"].is_null());
  const Json range = ParseJson(change["KernelProfilingConfig"].get<std::string>()).value();
  EXPECT_EQ(range["NumSteps"], 3);
  EXPECT_TRUE(DetailsOf({.steps = 3})["KernelProfilingConfig"].is_null());
  EXPECT_TRUE(NoDetails()["KernelProfilingConfig"].is_null());
}

}  // namespace
}  // namespace warden::config
