#include "warden/rules/baseline/baseline.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::rules {
namespace {

Baseline SmallBaseline() {
  Baseline baseline;
  baseline.time = 1'700'000'000;
  baseline.runs = {{"runs/a", "python train.py", 7}};
  baseline.phases = {0, 1, 4};
  baseline.last_step = 7;
  BandSeries norm{BandStatistic::kNorm, {true, 1e-3}, BandSide::kBoth, {}};
  norm.bands = {Band{1, 10}, std::nullopt, Band{0, 2}};
  BandSeries mean{BandStatistic::kMean, {false, 0.5}, BandSide::kAbove, {}};
  mean.bands = {Band{-1, 1}, Band{-1, 1}, Band{-1, 1}};
  baseline.tensors = {{"fc.weight", false, {norm, mean}}};
  return baseline;
}

TEST(BaselineTest, ComesBackAsItWasWritten) {
  const os::TempFolder folder;
  const std::string file = folder.File("b.json");
  ASSERT_TRUE(WriteBaseline(file, SmallBaseline()).ok());
  const auto read = ReadBaseline(file);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(ToJson(read.value()), ToJson(SmallBaseline()));
  EXPECT_EQ(read.value().tensors[0].series[0].bands[2]->high, 2);
  EXPECT_FALSE(read.value().tensors[0].series[0].bands[1]);
}

TEST(BaselineTest, DistancesAreInHalfWidthsOnTheScale) {
  const Baseline baseline = SmallBaseline();
  const BandSeries& norm = baseline.tensors[0].series[0];
  EXPECT_EQ(norm.Distance(0, 5), 0);
  EXPECT_EQ(norm.Distance(0, 1), 0);
  EXPECT_NEAR(norm.Distance(0, 100), 2, 0.01);
  EXPECT_NEAR(norm.Distance(0, 0.1), -2, 0.02);
  EXPECT_EQ(norm.Distance(1, 1e9), 0);  // No range there.
  EXPECT_EQ(norm.Distance(2, 0), 0);
  const BandSeries& mean = baseline.tensors[0].series[1];
  EXPECT_NEAR(mean.Distance(0, 3), 2, 1e-9);
  EXPECT_EQ(mean.Distance(0, -30), 0);  // Only above counts.
}

TEST(BaselineTest, PhasesGrowWithTheSteps) {
  EXPECT_EQ(PhasesUpTo(0), (std::vector<Step>{0}));
  EXPECT_EQ(PhasesUpTo(20), (std::vector<Step>{0, 1, 2, 3, 4, 6, 8, 11, 16}));
  EXPECT_LT(PhasesUpTo(1'000'000).size(), 50u);
  const Baseline baseline = SmallBaseline();
  EXPECT_EQ(baseline.PhaseOf(0), 0u);
  EXPECT_EQ(baseline.PhaseOf(3), 1u);
  EXPECT_EQ(baseline.PhaseOf(7), 2u);
  EXPECT_FALSE(baseline.PhaseOf(8));
  EXPECT_FALSE(baseline.PhaseOf(-1));
}

TEST(BaselineTest, AHostileFileIsAnErrorThatNamesWhatIsWrong) {
  const os::TempFolder folder;
  const std::string good = DumpLikePython(ToJson(SmallBaseline()));
  const auto refusal = [&](const std::string& text) {
    const auto read = ReadBaseline(folder.Write("b.json", text));
    EXPECT_FALSE(read.ok()) << text;
    EXPECT_NE(read.status().message().find("b.json"), std::string::npos);
    return read.status().message();
  };
  const auto with = [&](const std::string& old, const std::string& text) {
    const size_t at = good.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return refusal(std::string(good).replace(at, old.size(), text));
  };
  for (const char* text : {"", "{", "[]", "null", "3", "{}", R"({"format": 3})"}) refusal(text);
  EXPECT_NE(with("\"version\": 1", "\"version\": 2").find("version is 2; expected 1"),
            std::string::npos);
  EXPECT_NE(with("\"version\": 1", "\"version\": null").find("expected 1"), std::string::npos);
  EXPECT_NE(with("[0, 1, 4]", "[0, 4, 1]").find("phases"), std::string::npos);
  EXPECT_NE(with("[0, 1, 4]", "[1, 2, 4]").find("phases"), std::string::npos);
  EXPECT_NE(with("[0, 1, 4]", "[0, 1]").find("lists of 2 numbers"), std::string::npos);
  EXPECT_NE(with("[0, 1, 4]", "[]").find("phases"), std::string::npos);
  EXPECT_NE(with("[1.0, null, 0.0]", "[1.0, null, 5.0]").find("low[2]"), std::string::npos);
  EXPECT_NE(with("[1.0, null, 0.0]", "[1.0, null, \"x\"]").find("low[2]"), std::string::npos);
  EXPECT_NE(with("[1.0, null, 0.0]", "{}").find("low and high"), std::string::npos);
  EXPECT_NE(with("\"unit\": 0.001", "\"unit\": 0").find("unit"), std::string::npos);
  EXPECT_NE(with("\"norm\"", "\"sum\"").find("statistic is 'sum'"), std::string::npos);
  EXPECT_NE(with("\"both\"", "\"left\"").find("side is 'left'"), std::string::npos);
  EXPECT_NE(with("\"log\"", "7").find("scale"), std::string::npos);
  EXPECT_NE(
      with("\"last_step\": 7, \"tensors\"", "\"last_step\": -7, \"tensors\"").find("last_step"),
      std::string::npos);
  EXPECT_NE(with("\"name\": \"fc.weight\"", "\"name\": 3").find("tensors[0]"), std::string::npos);
  EXPECT_FALSE(ReadBaseline(folder.File("none.json")).ok());
  EXPECT_FALSE(ReadBaseline(folder.path().string()).ok());
}

}  // namespace
}  // namespace warden::rules
