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

}  // namespace
}  // namespace warden::config
