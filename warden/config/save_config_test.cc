#include "warden/config/save_config.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"

namespace warden::config {
namespace {

std::vector<Step> Saved(const SaveConfigMode& config, Step until) {
  std::vector<Step> steps;
  for (Step step = -1; step < until; ++step) {
    if (config.ShouldSave(step)) steps.push_back(step);
  }
  return steps;
}

TEST(SaveConfigMode, SavesMultiplesOfTheInterval) {
  EXPECT_EQ(Saved({.save_interval = 3}, 10), (std::vector<Step>{0, 3, 6, 9}));
  EXPECT_EQ(Saved({}, 1001), (std::vector<Step>{0, 500, 1000}));
}

TEST(SaveConfigMode, CountsTheIntervalFromZeroAndNotFromTheStart) {
  const SaveConfigMode config{.save_interval = 3, .start_step = 2, .end_step = 9};
  EXPECT_EQ(Saved(config, 20), (std::vector<Step>{3, 6}));
}

TEST(SaveConfigMode, ListedStepsAreAddedAndKnowNoStartOrEnd) {
  const SaveConfigMode config{
      .save_interval = 4, .start_step = 4, .end_step = 8, .save_steps = {1, 11}};
  EXPECT_EQ(Saved(config, 20), (std::vector<Step>{1, 4, 11}));
}

TEST(SaveConfigMode, EndZeroLeavesOnlyTheListedSteps) {
  EXPECT_EQ(Saved({.save_interval = 1, .end_step = 0, .save_steps = {2}}, 20),
            std::vector<Step>{2});
}

TEST(SaveSettings, SecondsAreKeptAndWrittenOnlyWhereTheyAreSet) {
  const auto config = SaveSettings{.save_seconds = 30}.Over({});
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config.value().save_seconds, 30);
  EXPECT_FALSE(SaveSettings{.save_seconds = 30}.empty());
  EXPECT_EQ(SaveSettings{.save_interval = 2}.Over(config.value()).value().save_seconds, 30);
  const SaveConfig timed = SaveConfig::Same(config.value());
  const auto read = SaveConfigFromJson(ToJson(timed));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value(), timed);
  EXPECT_FALSE(ToJson(SaveConfig())["TRAIN"].contains("save_seconds"));
}

TEST(SaveSettings, PutsOnlyWhatIsSetOverTheBase) {
  SaveSettings settings;
  EXPECT_TRUE(settings.empty());
  settings.end_step = 7;
  settings.save_steps = {5, 1, 5};
  EXPECT_FALSE(settings.empty());
  const auto config = settings.Over({.save_interval = 2, .start_step = 3, .save_steps = {9}});
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config.value(), (SaveConfigMode{2, 3, 7, {1, 5}}));
}

TEST(SaveSettings, RefusesWhatMakesNoSense) {
  const auto error = [](const SaveSettings& settings) {
    const auto config = settings.Over({});
    EXPECT_EQ(config.status().code(), Code::kInvalid);
    return config.status().message();
  };
  EXPECT_EQ(error({.save_interval = 0}), "save_interval is 0; expected an integer of at least 1");
  EXPECT_EQ(error({.save_seconds = 0}), "save_seconds is 0; expected an integer of at least 1");
  EXPECT_EQ(error({.start_step = -1}), "start_step is -1; expected an integer of at least 0");
  EXPECT_EQ(error({.end_step = -2}), "end_step is -2; expected an integer of at least 0");
  EXPECT_EQ(error({.save_steps = {{4, -3}}}),
            "save_steps is -3; expected an integer of at least 0");
}

TEST(SaveConfigJson, RoundTrip) {
  SaveConfig config;
  config.mode(Mode::kEval) = {3, 1, 40, {2, 7}};
  const Json json = ToJson(config);
  EXPECT_EQ(DumpLikePython(json["EVAL"]),
            R"({"save_interval": 3, "save_steps": [2, 7], "start_step": 1, "end_step": 40})");
  const auto read = SaveConfigFromJson(json);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read.value(), config);
  EXPECT_TRUE(read.value().ShouldSave(Mode::kEval, 3));
  EXPECT_FALSE(read.value().ShouldSave(Mode::kTrain, 3));
}

TEST(SaveConfigJson, TakesNullAndMissingAsDefaults) {
  const auto read = SaveConfigFromJson(
      ParseJson(R"({"TRAIN": null, "EVAL": {"save_interval": 5, "start_step": null}})").value());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().mode(Mode::kTrain), SaveConfigMode());
  EXPECT_EQ(read.value().mode(Mode::kEval), (SaveConfigMode{.save_interval = 5}));
}

TEST(SaveConfigJson, NamesTheFieldThatIsWrong) {
  const auto error = [](std::string_view text) {
    return SaveConfigFromJson(ParseJson(text).value()).status().message();
  };
  EXPECT_EQ(error("[]"), "expected an object, got []");
  EXPECT_EQ(error(R"({"EVAL": 3})"), "EVAL: expected an object, got 3");
  EXPECT_EQ(error(R"({"EVAL": {"save_interval": "3"}})"),
            R"(EVAL: save_interval: expected an integer, got "3")");
  EXPECT_EQ(error(R"({"EVAL": {"save_steps": [1, 2.5]}})"),
            "EVAL: save_steps: expected a list of integers, got [1, 2.5]");
  EXPECT_EQ(error(R"({"EVAL": {"save_interval": 0}})"),
            "EVAL: save_interval is 0; expected an integer of at least 1");
}

}  // namespace
}  // namespace warden::config
