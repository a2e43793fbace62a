#include <gtest/gtest.h>

#include "warden/config/hook_config.h"

namespace warden::config {
namespace {

using Names = std::vector<std::string>;

Collection Acts() {
  Collection collection;
  collection.name = "acts";
  collection.include_regex = {"relu"};
  return collection;
}

TEST(PrepareCollections, FillsInWhatTheHookHas) {
  HookConfig config;
  config.save_config.mode(Mode::kTrain).save_interval = 7;
  config.reduction_config.reductions.set(2);
  config.collections["acts"] = Acts();
  const auto prepared = PrepareCollections(config, Framework::kPyTorch);
  ASSERT_TRUE(prepared.ok()) << prepared.status().message();
  EXPECT_EQ(prepared.value().size(), 7u);
  const Collection& acts = prepared.value().at("acts");
  EXPECT_EQ(acts.save_config, config.save_config);
  EXPECT_EQ(acts.reduction_config, config.reduction_config);
  EXPECT_TRUE(acts.save_histogram);
}

TEST(PrepareCollections, KeepsWhatACollectionHas) {
  HookConfig config;
  Collection acts = Acts();
  acts.save_config = SaveConfig::Same({.save_interval = 2});
  acts.reduction_config = ReductionConfig{.reductions = 8, .save_raw_tensor = false};
  config.collections["acts"] = acts;
  EXPECT_EQ(PrepareCollections(config, Framework::kPyTorch).value().at("acts"), acts);
}

TEST(PrepareCollections, ScalarsAreSavedRawOnly) {
  HookConfig config;
  Collection losses = BuiltinCollections(Framework::kPyTorch).at("losses");
  losses.reduction_config = ReductionConfig{.reductions = 1, .save_raw_tensor = false};
  config.collections["losses"] = losses;
  const Collections prepared = PrepareCollections(config, Framework::kPyTorch).value();
  EXPECT_EQ(prepared.at("losses").reduction_config, ReductionConfig());
  EXPECT_FALSE(prepared.at("losses").save_histogram);
}

TEST(PrepareCollections, PatternsOfTheHookGoToDefault) {
  HookConfig config;
  config.include_regex = {"^fc", "^conv"};
  const Collections prepared = PrepareCollections(config, Framework::kPyTorch).value();
  EXPECT_EQ(prepared.at("default").include_regex, config.include_regex);
  EXPECT_EQ(CollectionsToSave(config, Framework::kPyTorch), (Names{"losses", "default"}));
}

TEST(PrepareCollections, SaveAllTakesEverything) {
  HookConfig config;
  config.save_all = true;
  config.collections["acts"] = Acts();
  const Collections prepared = PrepareCollections(config, Framework::kPyTorch).value();
  EXPECT_EQ(prepared.at("all").include_regex, Names{".*"});
  const Names saved = CollectionsToSave(config, Framework::kPyTorch);
  EXPECT_EQ(saved.size(), prepared.size());
  for (const auto& name : saved) EXPECT_TRUE(prepared.contains(name)) << name;
}

TEST(PrepareCollections, TheCollectionAllTakesEverything) {
  HookConfig config;
  config.include_collections = {"all"};
  config.collections["all"].save_config = SaveConfig::Same({10, 0, {}, {}});
  const Collections prepared = PrepareCollections(config, Framework::kTensorFlow).value();
  EXPECT_EQ(prepared.at("all").include_regex, Names{".*"});
  EXPECT_EQ(prepared.at("all").save_config->mode(Mode::kTrain).save_interval, 10);
  EXPECT_EQ(CollectionsToSave(config, Framework::kTensorFlow).size(), prepared.size());
  config.collections["all"].include_regex = {"mine"};
  EXPECT_EQ(PrepareCollections(config, Framework::kTensorFlow).value().at("all").include_regex,
            Names{"mine"});
}

TEST(PrepareCollections, WarnsOfACollectionThatCanHoldNothing) {
  HookConfig listed;
  listed.include_collections = {"weight"};
  HookConfig made;
  made.collections["weight"];
  for (const HookConfig& config : {listed, made}) {
    testing::internal::CaptureStderr();
    const auto prepared = PrepareCollections(config, Framework::kPyTorch);
    const std::string log = testing::internal::GetCapturedStderr();
    ASSERT_TRUE(prepared.ok()) << prepared.status().message();
    EXPECT_TRUE(prepared.value().contains("weight"));
    EXPECT_NE(log.find("collection 'weight' has neither"), std::string::npos) << log;
    EXPECT_NE(log.find("Did you mean 'weights'?"), std::string::npos) << log;
    EXPECT_EQ(CheckCollections(config, Framework::kPyTorch).code(), Code::kInvalidCollection);
  }
}

TEST(PrepareCollections, ScalarsAreWhatSaveScalarSaves) {
  HookConfig config;
  config.include_collections = {"scalars"};
  const Collections prepared = PrepareCollections(config, Framework::kPyTorch).value();
  EXPECT_EQ(prepared.at("scalars").include_regex, Names{"^scalar/"});
  EXPECT_TRUE(IsScalarCollection("scalars"));
}

TEST(PrepareCollections, LeavesOutWhatOnlyAnotherFrameworkKnows) {
  HookConfig config;
  config.include_collections = {"gradients", "feature_importance", "metrics"};
  config.collections["feature_importance"].save_histogram = false;
  const Collections prepared = PrepareCollections(config, Framework::kPyTorch).value();
  EXPECT_TRUE(prepared.contains("gradients"));
  EXPECT_FALSE(prepared.contains("feature_importance"));
  EXPECT_EQ(CollectionsToSave(config, Framework::kPyTorch), (Names{"losses", "gradients"}));
  EXPECT_EQ(CollectionsToSave(config, Framework::kXgBoost),
            (Names{"metrics", "feature_importance"}));
}

TEST(PrepareCollections, KeepsACollectionWithAPatternWhateverItsName) {
  HookConfig config;
  config.include_collections = {"metrics"};
  config.collections["metrics"].include_regex = {"accuracy"};
  EXPECT_TRUE(PrepareCollections(config, Framework::kPyTorch).value().contains("metrics"));
  EXPECT_EQ(CollectionsToSave(config, Framework::kPyTorch), (Names{"losses", "metrics"}));
}

TEST(PrepareCollections, NamesAreEnoughForACollection) {
  HookConfig config;
  config.collections["mine"].tensor_names = {"a"};
  EXPECT_TRUE(PrepareCollections(config, Framework::kPlain).ok());
}

TEST(CollectionsToSave, DefaultsAndWhatIsAskedForEachOnce) {
  HookConfig config;
  config.include_collections = {"gradients", "losses", "gradients"};
  EXPECT_EQ(CollectionsToSave(config, Framework::kPyTorch), (Names{"losses", "gradients"}));
  EXPECT_EQ(CollectionsToSave(HookConfig(), Framework::kXgBoost), Names{"metrics"});
}

TEST(CollectionsToSave, MakingACollectionDoesNotAskForIt) {
  HookConfig config;
  config.collections["acts"] = Acts();
  EXPECT_EQ(CollectionsToSave(config, Framework::kPyTorch), Names{"losses"});
}

}  // namespace
}  // namespace warden::config
