#include "warden/config/launch_config.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "warden/base/json.h"
#include "warden/config/hook_config.h"
#include "warden/config/keys.h"

namespace warden::config {
namespace {

class LaunchConfigTest : public testing::Test {
 protected:
  void SetUp() override { unsetenv(kConfigPathVariable); }
  void TearDown() override { unsetenv(kConfigPathVariable); }

  std::string File(const std::string& text) {
    const std::string path = testing::TempDir() + "/launch_config_" + std::to_string(getpid());
    std::ofstream(path) << text;
    return path;
  }

  HookConfig Make(const LaunchFlags& flags) {
    const auto made = MakeLaunchConfig(flags);
    EXPECT_TRUE(made.ok()) << made.status().message();
    if (!made.ok()) return {};
    return ParseHookConfig(made.value().text, Framework::kPyTorch).value();
  }

  std::string Error(const LaunchFlags& flags) {
    const auto made = MakeLaunchConfig(flags);
    EXPECT_EQ(made.status().code(), Code::kInvalid);
    return made.status().message();
  }

  static int64_t Interval(const HookConfig& config, const char* collection) {
    const auto prepared = PrepareCollections(config, Framework::kPyTorch).value();
    return prepared.at(collection).save_config->mode(Mode::kTrain).save_interval;
  }
};

TEST_F(LaunchConfigTest, DefaultsAreLossesOfEveryStepAndReductionsOfSome) {
  const HookConfig config = Make({});
  EXPECT_EQ(Interval(config, "losses"), 1);
  EXPECT_EQ(Interval(config, "gradients"), 50);
  EXPECT_FALSE(config.reduction_config.save_raw_tensor);
  EXPECT_EQ(config.reduction_config.reductions.count(), 7u);
  EXPECT_EQ(config.include_collections,
            (std::vector<std::string>{"losses", "weights", "biases", "gradients"}));
  EXPECT_EQ(MakeLaunchConfig({}).value().source, "");
  EXPECT_EQ(MakeLaunchConfig({}).value().out_dir, "");
}

TEST_F(LaunchConfigTest, FlagsChangeTheDefaults) {
  LaunchFlags flags;
  flags.out_dir = "/data/run";
  flags.save_interval = "5";
  flags.collections = "weights, relu";
  flags.include_regex = {"a{1,2}"};
  flags.workers = "all";
  flags.reductions = "none";
  flags.tensorboard = true;
  // A collection of one's own needs a pattern.
  EXPECT_NE(Error(flags).find("relu"), std::string::npos);
  flags.collections = "weights";
  const HookConfig config = Make(flags);
  EXPECT_EQ(config.out_dir, "/data/run");
  EXPECT_EQ(Interval(config, "weights"), 5);
  EXPECT_EQ(Interval(config, "losses"), 1);
  EXPECT_EQ(config.include_collections, (std::vector<std::string>{"losses", "weights"}));
  EXPECT_EQ(config.include_regex, (std::vector<std::string>{"a{1,2}"}));
  EXPECT_TRUE(config.all_workers);
  EXPECT_TRUE(config.reduction_config.save_raw_tensor);
  EXPECT_TRUE(config.export_tensorboard);
}

TEST_F(LaunchConfigTest, FlagsWinOverWhatTheFileSaysOfSingleCollections) {
  LaunchFlags flags;
  flags.config = File(R"({"LocalPath": "/data/from_file", "HookParameters": {"train.save_interval":
      3}, "CollectionConfigurations": [{"CollectionName": "gradients", "CollectionParameters":
      {"train.save_interval": 7, "reductions": "mean", "save_raw_tensor": true}}, {"CollectionName":
      "relu", "CollectionParameters": {"include_regex": "relu"}}]})");
  EXPECT_EQ(Interval(Make(flags), "gradients"), 7);
  EXPECT_EQ(MakeLaunchConfig(flags).value().source, flags.config);
  EXPECT_EQ(MakeLaunchConfig(flags).value().out_dir, "/data/from_file");
  flags.save_interval = "11";
  flags.reductions = "max";
  const HookConfig config = Make(flags);
  EXPECT_EQ(Interval(config, "gradients"), 11);
  EXPECT_EQ(Interval(config, "relu"), 11);
  const auto prepared = PrepareCollections(config, Framework::kPyTorch).value();
  EXPECT_EQ(FormatReductions(prepared.at("gradients").reduction_config->reductions), "max");
  EXPECT_FALSE(prepared.at("gradients").reduction_config->save_raw_tensor);
}

TEST_F(LaunchConfigTest, TheEnvironmentNamesAFileToo) {
  setenv(kConfigPathVariable, File(R"({"HookParameters": {"save_interval": 9}})").c_str(), 1);
  EXPECT_EQ(Interval(Make({}), "weights"), 9);
}

TEST_F(LaunchConfigTest, NeededCollectionsAreAdded) {
  LaunchConfig launch = MakeLaunchConfig({}).value();
  ASSERT_TRUE(AddCollections({{"gradients"},
                              {"relu_output", "a{1,2},b", true},
                              {"relu_output", ".*relu_output"},
                              {"relu_output", ".*relu_output"},
                              {"default"}},
                             &launch)
                  .ok());
  const HookConfig config = ParseHookConfig(launch.text, Framework::kPyTorch).value();
  EXPECT_EQ(config.include_collections,
            (std::vector<std::string>{"losses", "weights", "biases", "gradients", "relu_output",
                                      "default"}));
  const auto prepared = PrepareCollections(config, Framework::kPyTorch).value();
  const Collection& relu = prepared.at("relu_output");
  EXPECT_EQ(relu.include_regex, (std::vector<std::string>{"a{1,2},b", ".*relu_output"}));
  EXPECT_EQ(Interval(config, "relu_output"), 50);
  EXPECT_TRUE(relu.reduction_config->save_raw_tensor);
  EXPECT_EQ(relu.reduction_config->reductions.count(), 7u);
  EXPECT_FALSE(prepared.at("gradients").reduction_config->save_raw_tensor);
}

TEST_F(LaunchConfigTest, ConfiguredCollectionsStayAsTheyAre) {
  LaunchFlags flags;
  flags.config = File(R"({"LocalPath": "/data/run", "CollectionConfigurations": [
      {"CollectionName": "weights", "CollectionParameters": null},
      {"CollectionName": "relu_output", "CollectionParameters": {"include_regex": "mine,yours",
       "save_interval": "7", "reductions": "mean", "save_raw_tensor": "false"}},
      {"CollectionName": "labels", "CollectionParameters": {"include_regex": "l", "reductions":
       "max"}}]})");
  LaunchConfig launch = MakeLaunchConfig(flags).value();
  const std::string before = launch.text;
  ASSERT_TRUE(AddCollections({{"weights", "", true}, {"labels", ".*labels"}}, &launch).ok());
  EXPECT_EQ(launch.text, before) << "nothing was missing";
  ASSERT_TRUE(AddCollections({{"relu_output", ".*relu_output", true}}, &launch).ok());
  const HookConfig config = ParseHookConfig(launch.text, Framework::kPyTorch).value();
  EXPECT_EQ(config.out_dir, "/data/run");
  EXPECT_EQ(Interval(config, "relu_output"), 7);
  const auto prepared = PrepareCollections(config, Framework::kPyTorch).value();
  const Collection& relu = prepared.at("relu_output");
  EXPECT_EQ(relu.include_regex, (std::vector<std::string>{"mine", "yours"}));
  EXPECT_TRUE(relu.reduction_config->save_raw_tensor);
  EXPECT_EQ(FormatReductions(relu.reduction_config->reductions), "mean");
  EXPECT_FALSE(prepared.at("labels").reduction_config->save_raw_tensor);
}

TEST_F(LaunchConfigTest, AFileWithoutCollectionsGetsThem) {
  LaunchFlags flags;
  flags.config = File(R"({"HookParameters": {"save_interval": 9}})");
  LaunchConfig launch = MakeLaunchConfig(flags).value();
  ASSERT_TRUE(AddCollections({{"gradients", "", true}}, &launch).ok());
  const HookConfig config = ParseHookConfig(launch.text, Framework::kPyTorch).value();
  EXPECT_EQ(config.include_collections, (std::vector<std::string>{"gradients"}));
  EXPECT_EQ(Interval(config, "gradients"), 9);
}

TEST_F(LaunchConfigTest, NeededCollectionsThatCannotBeAreNamed) {
  LaunchConfig launch = MakeLaunchConfig({}).value();
  const std::string before = launch.text;
  const Status empty = AddCollections({{"relu_output"}}, &launch);
  EXPECT_EQ(empty.code(), Code::kInvalid);
  EXPECT_NE(empty.message().find("relu_output"), std::string::npos);
  const Status broken = AddCollections({{"weights"}, {"mine", "("}}, &launch);
  EXPECT_EQ(broken.code(), Code::kInvalid);
  EXPECT_EQ(launch.text, before);
}

TEST_F(LaunchConfigTest, BadValuesAreNamed) {
  LaunchFlags flags;
  flags.save_interval = "0";
  EXPECT_NE(Error(flags).find("--save-interval is \"0\""), std::string::npos) << Error(flags);
  flags = {};
  flags.reductions = "mean,mode";
  EXPECT_NE(Error(flags).find("mode"), std::string::npos);
  flags = {};
  flags.include_regex = {"("};
  EXPECT_NE(Error(flags).find("--include-regex"), std::string::npos);
  flags = {};
  flags.workers = "some";
  EXPECT_NE(Error(flags).find("--workers is 'some'"), std::string::npos);
  flags = {};
  flags.config = "/no/such/file.json";
  EXPECT_NE(Error(flags).find("/no/such/file.json"), std::string::npos);
  flags.config = File("{");
  EXPECT_NE(Error(flags).find(flags.config), std::string::npos);
  flags.config = File(R"({"HookParameters": {"save_interval": "often"}})");
  EXPECT_NE(Error(flags).find("often"), std::string::npos);
}

}  // namespace
}  // namespace warden::config
