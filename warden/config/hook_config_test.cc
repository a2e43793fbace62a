#include "warden/config/hook_config.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"

namespace warden::config {
namespace {

HookConfig Parse(std::string_view text, Framework framework = Framework::kPyTorch) {
  Result<HookConfig> config = ParseHookConfig(text, framework);
  EXPECT_TRUE(config.ok()) << config.status().message();
  return config.ok() ? std::move(config).value() : HookConfig();
}

HookConfig WithHook(const std::string& parameters) {
  return Parse(R"({"HookParameters": {)" + parameters + "}}");
}

Collection WithCollection(const std::string& parameters, const std::string& hook = "") {
  return Parse(R"({"HookParameters": {)" + hook +
               R"(}, "CollectionConfigurations": [{"CollectionName": "acts", )"
               R"("CollectionParameters": {)" +
               parameters + "}}]}")
      .collections.at("acts");
}

std::string Error(std::string_view text, Code code = Code::kInvalid) {
  const auto config = ParseHookConfig(text, Framework::kPyTorch);
  EXPECT_EQ(config.status().code(), code) << text;
  return config.status().message();
}

std::string HookError(const std::string& parameters, Code code = Code::kInvalid) {
  return Error(R"({"HookParameters": {)" + parameters + "}}", code);
}

TEST(ParseHookConfig, Defaults) {
  const HookConfig config = Parse("{}");
  EXPECT_EQ(config.out_dir, "/opt/ml/output/tensors");
  EXPECT_FALSE(config.export_tensorboard);
  EXPECT_EQ(config.tensorboard_dir, "");
  EXPECT_FALSE(config.dry_run);
  EXPECT_EQ(config.save_config, SaveConfig());
  EXPECT_EQ(config.reduction_config, ReductionConfig());
  EXPECT_TRUE(config.include_regex.empty());
  EXPECT_TRUE(config.include_collections.empty());
  EXPECT_FALSE(config.save_all);
  EXPECT_FALSE(config.all_workers);
  EXPECT_TRUE(config.collections.empty());
}

TEST(ParseHookConfig, NullIsAbsentAndOtherKeysAreIgnored) {
  const HookConfig config = Parse(
      R"({"S3OutputPath": 5, "LocalPath": null, "HookParameters": null,
          "CollectionConfigurations": null})");
  EXPECT_EQ(config.out_dir, kDefaultOutDir);
  EXPECT_EQ(WithHook(R"("save_interval": null, "unknown_key": 3)").save_config, SaveConfig());
}

TEST(ParseHookConfig, S3OutputPathCountsWithoutALocalPath) {
  EXPECT_EQ(Parse(R"({"S3OutputPath": "s3://b/run"})").out_dir, "s3://b/run");
  EXPECT_EQ(Parse(R"({"S3OutputPath": "s3://b/run", "LocalPath": "/a"})").out_dir, "/a");
  EXPECT_EQ(Parse(R"({"S3OutputPath": "elsewhere"})").out_dir, kDefaultOutDir);
}

TEST(ParseHookConfig, EveryHookParameter) {
  const HookConfig config = Parse(R"({"LocalPath": "s3://bucket/run", "HookParameters": {
      "save_interval": "50", "start_step": 3, "end_step": 100.0, "save_steps": "9, 1,9",
      "reductions": "mean,abs_l2_norm", "save_raw_tensor": "True", "save_shape": 1,
      "save_all": "false", "include_regex": "relu, a{1,2}", "include_workers": "all",
      "export_tensorboard": "true", "tensorboard_dir": "/tb", "dry_run": true}})");
  EXPECT_EQ(config.out_dir, "s3://bucket/run");
  EXPECT_EQ(config.save_config, SaveConfig::Same({50, 3, 100, {1, 9}}));
  EXPECT_EQ(FormatReductions(config.reduction_config.reductions), "mean,abs_l2_norm");
  EXPECT_TRUE(config.reduction_config.save_raw_tensor);
  EXPECT_TRUE(config.reduction_config.save_shape);
  EXPECT_FALSE(config.save_all);
  EXPECT_EQ(config.include_regex, (std::vector<std::string>{"relu", "a{1,2}"}));
  EXPECT_TRUE(config.all_workers);
  EXPECT_TRUE(config.export_tensorboard);
  EXPECT_EQ(config.tensorboard_dir, "/tb");
  EXPECT_TRUE(config.dry_run);
}

TEST(ParseHookConfig, ListsInPlaceOfCommas) {
  const HookConfig config = WithHook(
      R"("save_steps": [3, "1", 2.0], "include_regex": ["a,b", "c"], "reductions": ["max", "l1"])");
  EXPECT_EQ(config.save_config.mode(Mode::kTrain).save_steps, (std::vector<Step>{1, 2, 3}));
  EXPECT_EQ(config.include_regex, (std::vector<std::string>{"a,b", "c"}));
  EXPECT_EQ(FormatReductions(config.reduction_config.reductions), "max,l1_norm");
  EXPECT_EQ(WithHook(R"("save_steps": 4)").save_config.mode(Mode::kEval).save_steps,
            std::vector<Step>{4});
}

TEST(ParseHookConfig, ModesOverPlainKeyByKey) {
  const SaveConfig config = WithHook(
                                R"("save_interval": 50, "start_step": 2, "eval.save_interval": 5,
                                   "predict.end_step": "9", "global.save_steps": "7")")
                                .save_config;
  EXPECT_EQ(config.mode(Mode::kTrain), (SaveConfigMode{50, 2, std::nullopt, {}}));
  EXPECT_EQ(config.mode(Mode::kEval), (SaveConfigMode{5, 2, std::nullopt, {}}));
  EXPECT_EQ(config.mode(Mode::kPredict), (SaveConfigMode{50, 2, 9, {}}));
  EXPECT_EQ(config.mode(Mode::kGlobal), (SaveConfigMode{50, 2, std::nullopt, {7}}));
}

TEST(ParseHookConfig, TheCollectionsPlainKeyBeatsTheHooksModeKey) {
  const Collection acts =
      WithCollection(R"("save_interval": 3, "eval.save_interval": 4)",
                     R"("save_interval": 50, "train.save_interval": 20, "train.start_step": 6)");
  ASSERT_TRUE(acts.save_config.has_value());
  EXPECT_EQ(acts.save_config->mode(Mode::kTrain), (SaveConfigMode{3, 6, std::nullopt, {}}));
  EXPECT_EQ(acts.save_config->mode(Mode::kEval), (SaveConfigMode{4, 0, std::nullopt, {}}));
  EXPECT_EQ(acts.save_config->mode(Mode::kGlobal), (SaveConfigMode{3, 0, std::nullopt, {}}));
}

TEST(ParseHookConfig, XgBoostSavesEveryTenthStepOfListedCollectionsToo) {
  const HookConfig config = Parse(R"({"CollectionConfigurations": [
      {"CollectionName": "trees", "CollectionParameters": {"start_step": 1}},
      {"CollectionName": "labels"}]})",
                                  Framework::kXgBoost);
  EXPECT_EQ(config.save_config.mode(Mode::kTrain).save_interval, 10);
  const Collections prepared = PrepareCollections(config, Framework::kXgBoost).value();
  EXPECT_EQ(prepared.at("trees").save_config->mode(Mode::kGlobal),
            (SaveConfigMode{10, 1, std::nullopt, {}}));
  EXPECT_EQ(prepared.at("labels").save_config->mode(Mode::kGlobal).save_interval, 10);
}

TEST(ParseHookConfig, ReductionsTakeThePlaceOfTheRawTensor) {
  EXPECT_FALSE(WithHook(R"("reductions": "mean")").reduction_config.save_raw_tensor);
  EXPECT_TRUE(WithHook(R"("reductions": "")").reduction_config.save_raw_tensor);
  EXPECT_FALSE(WithHook(R"("save_raw_tensor": "False")").reduction_config.save_raw_tensor);
  const ReductionConfig shape = WithHook(R"("save_shape": "true")").reduction_config;
  EXPECT_TRUE(shape.save_raw_tensor);
  EXPECT_TRUE(shape.save_shape);
}

TEST(ParseHookConfig, ACollectionsReductionsReplaceTheHooks) {
  const std::string hook = R"("reductions": "mean", "save_shape": true)";
  const ReductionConfig own = *WithCollection(R"("reductions": "max")", hook).reduction_config;
  EXPECT_EQ(FormatReductions(own.reductions), "max");
  EXPECT_FALSE(own.save_shape);
  const ReductionConfig over = *WithCollection(R"("save_raw_tensor": 1)", hook).reduction_config;
  EXPECT_EQ(FormatReductions(over.reductions), "mean");
  EXPECT_TRUE(over.save_raw_tensor);
  EXPECT_TRUE(over.save_shape);
}

TEST(ParseHookConfig, ListedCollectionsStartFromTheBuiltinsAndAreIncluded) {
  const HookConfig config = Parse(R"({"CollectionConfigurations": [
      {"CollectionName": "weights", "CollectionParameters": {"include_regex": "extra"}},
      {"CollectionName": "acts",
       "CollectionParameters": {"include_regex": "relu,tanh", "save_histogram": "false"}},
      {"CollectionName": "gradients", "CollectionParameters": null}]})");
  EXPECT_EQ(config.include_collections, (std::vector<std::string>{"weights", "acts", "gradients"}));
  EXPECT_EQ(config.collections.at("weights").include_regex,
            (std::vector<std::string>{"^(?!gradient).*weight", "extra"}));
  EXPECT_FALSE(config.collections.at("acts").save_histogram);
  EXPECT_EQ(config.collections.at("gradients"),
            BuiltinCollections(Framework::kPyTorch).at("gradients"));
}

TEST(ParseHookConfig, ACollectionListedTwiceIsChangedTwice) {
  const HookConfig config = Parse(R"({"CollectionConfigurations": [
      {"CollectionName": "a", "CollectionParameters": {"include_regex": "x", "save_interval": 5}},
      {"CollectionName": "a", "CollectionParameters": {"include_regex": "y", "end_step": 9}}]})");
  EXPECT_EQ(config.include_collections, std::vector<std::string>{"a"});
  const Collection& a = config.collections.at("a");
  EXPECT_EQ(a.include_regex, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(a.save_config->mode(Mode::kTrain), (SaveConfigMode{5, 0, 9, {}}));
}

TEST(ParseHookConfig, OfACollectionListedTwiceTheSmallerIntervalCounts) {
  const HookConfig config = Parse(R"({"CollectionConfigurations": [
      {"CollectionName": "losses", "CollectionParameters": {"save_interval": "10"}},
      {"CollectionName": "weights", "CollectionParameters": {"train.save_interval": "1000"}},
      {"CollectionName": "gradients"},
      {"CollectionName": "losses", "CollectionParameters": {"save_interval": "500"}},
      {"CollectionName": "weights", "CollectionParameters": {"save_interval": "700"}},
      {"CollectionName": "gradients", "CollectionParameters": {"save_interval": "600"}}]})");
  EXPECT_EQ(config.collections.at("losses").save_config->mode(Mode::kTrain).save_interval, 10);
  const SaveConfig& weights = *config.collections.at("weights").save_config;
  EXPECT_EQ(weights.mode(Mode::kTrain).save_interval, 700);
  EXPECT_EQ(weights.mode(Mode::kEval).save_interval, 500);
  EXPECT_EQ(config.collections.at("gradients").save_config->mode(Mode::kEval).save_interval, 500);
}

TEST(ParseHookConfig, OfACollectionListedTwiceTheFewerSecondsCount) {
  const HookConfig config = Parse(R"({"HookParameters": {"eval.save_seconds": "60"},
    "CollectionConfigurations": [
      {"CollectionName": "losses", "CollectionParameters": {"save_seconds": "10"}},
      {"CollectionName": "losses", "CollectionParameters": {"save_interval": "5"}},
      {"CollectionName": "weights"},
      {"CollectionName": "weights", "CollectionParameters": {"save_seconds": 30}}]})");
  EXPECT_EQ(config.save_config.mode(Mode::kTrain).save_seconds, std::nullopt);
  EXPECT_EQ(config.save_config.mode(Mode::kEval).save_seconds, 60);
  EXPECT_EQ(config.collections.at("losses").save_config->mode(Mode::kTrain).save_seconds, 10);
  EXPECT_EQ(config.collections.at("losses").save_config->mode(Mode::kTrain).save_interval, 5);
  EXPECT_EQ(config.collections.at("weights").save_config->mode(Mode::kEval).save_seconds, 30);
}

TEST(ParseHookConfig, AFolderForTensorBoardIsEnough) {
  const HookConfig config = WithHook(R"("tensorboard_dir": "/tb")");
  EXPECT_TRUE(config.export_tensorboard);
  EXPECT_TRUE(WithHook(R"("export_tensorboard": true)").tensorboard_dir.empty());
}

TEST(ParseHookConfig, OnlyTheWordAllMakesAllWorkersSave) {
  EXPECT_FALSE(WithHook(R"("include_workers": "one")").all_workers);
  EXPECT_FALSE(WithHook(R"("include_workers": "All")").all_workers);
}

TEST(ParseHookConfig, WarnsOfUnknownKeysWithTheNearestKnown) {
  testing::internal::CaptureStderr();
  WithHook(R"("save_intervall": 5, "train.SAVE_STEPS": "1")");
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_NE(
      log.find(
          "unknown key \"HookParameters.save_intervall\" ignored; did you mean save_interval?"),
      std::string::npos)
      << log;
  EXPECT_NE(log.find("did you mean train.save_steps?"), std::string::npos) << log;
}

TEST(ParseHookConfig, ErrorsNameTheKeyTheValueAndWhatIsAccepted) {
  EXPECT_EQ(Error(R"({"CollectionConfigurations": [{"CollectionName": "a"},
                {"CollectionName": "b", "CollectionParameters": {"train.save_interval": "abc"}}]})"),
            "CollectionConfigurations[1].CollectionParameters.train.save_interval is \"abc\"; "
            "expected a positive integer");
  EXPECT_EQ(HookError(R"("save_interval": 0)"),
            "HookParameters.save_interval is 0; expected a positive integer");
  EXPECT_EQ(HookError(R"("start_step": 5.5)"),
            "HookParameters.start_step is 5.5; expected a non-negative integer");
  EXPECT_EQ(HookError(R"("save_steps": "1,x")"),
            "HookParameters.save_steps is \"1,x\"; expected non-negative integers, as a list or "
            "separated by commas");
  EXPECT_EQ(HookError(R"("save_all": "yes")"),
            "HookParameters.save_all is \"yes\"; expected true or false");
  EXPECT_EQ(HookError(R"("reductions": "median")"),
            "HookParameters.reductions: unknown reduction 'median'; expected one of: min, max, "
            "mean, std, variance, sum, prod, l1_norm, l2_norm, each optionally prefixed with abs_");
  EXPECT_TRUE(HookError(R"("include_regex": "a,(b")")
                  .starts_with("HookParameters.include_regex: invalid pattern '(b'"));
  EXPECT_EQ(HookError(R"("tensorboard_dir": 3)", Code::kInvalidType),
            "HookParameters.tensorboard_dir is 3; expected a string");
}

TEST(ParseHookConfig, RefusesConfusedTypes) {
  EXPECT_TRUE(Error("{", Code::kCorrupt).starts_with("hook configuration: invalid JSON at byte"));
  EXPECT_EQ(Error("[]", Code::kInvalidType), "hook configuration: expected an object, got []");
  EXPECT_EQ(Error(R"({"HookParameters": []})", Code::kInvalidType),
            "HookParameters is []; expected an object");
  EXPECT_EQ(Error(R"({"CollectionConfigurations": {}})", Code::kInvalidType),
            "CollectionConfigurations is {}; expected a list of objects");
  EXPECT_EQ(Error(R"({"CollectionConfigurations": [7]})", Code::kInvalidType),
            "CollectionConfigurations[0]: expected an object, got 7");
  EXPECT_EQ(Error(R"({"CollectionConfigurations": [{}]})"),
            "CollectionConfigurations[0].CollectionName is missing; expected a name");
  EXPECT_EQ(Error(R"({"LocalPath": ""})"),
            "LocalPath is empty; expected a folder or an s3:// address");
}

// Every value of a full configuration replaced in turn by every kind of wrong one.
TEST(ParseHookConfig, SurvivesAnyValueAnywhere) {
  const Json full = ParseJson(R"({"LocalPath": "/x", "HookParameters": {"save_interval": 5,
      "train.save_interval": 5, "start_step": 1, "end_step": 9, "save_steps": "1,2",
      "reductions": "mean", "save_raw_tensor": true, "save_shape": true, "save_all": true,
      "include_regex": "a", "include_workers": "all", "export_tensorboard": true,
      "tensorboard_dir": "/t", "dry_run": false}, "CollectionConfigurations": [
      {"CollectionName": "a", "CollectionParameters": {"save_interval": 5, "eval.save_steps": "1",
      "reductions": "mean", "include_regex": "b", "save_histogram": true}}]})")
                        .value();
  const Json wrong = ParseJson(R"([null, true, false, 0, 1, -1, 5.0, 5.5, 1e300, -1e300,
      9223372036854775807, 9223372036854775808, -9223372036854775808, 99999999999999999999, "",
      " ", "abc", "5", "-5", "1e5", "99999999999999999999", ",", "(", "[", "\\", "\u0000", "é",
      [], [[]], [null], [1, "x"], ["("], {}, {"a": 1}, {"": null}, [{"CollectionName": 1}],
      [{"CollectionName": "", "CollectionParameters": []}], {"train.": 1, ".": 2}])")
                         .value();
  const Json flat = full.flatten();
  for (const auto& [pointer, unused] : flat.items()) {
    for (const Json& value : wrong) {
      Json json = full;
      json[Json::json_pointer(pointer)] = value;
      for (Framework framework : kAllFrameworks) {
        const auto config = ParseHookConfig(DumpLikePython(json), framework);
        if (!config.ok()) {
          EXPECT_FALSE(config.status().message().empty());
          continue;
        }
        (void)PrepareCollections(config.value(), framework).ok();
        CollectionsToSave(config.value(), framework);
      }
    }
  }
  for (const char* section : {"HookParameters", "CollectionConfigurations"}) {
    for (const Json& value : wrong) {
      Json json = full;
      json[section] = value;
      (void)ParseHookConfig(DumpLikePython(json), Framework::kPyTorch).ok();
    }
  }
}

TEST(HookConfigFsync, IsOneOfThree) {
  const auto parse = [](const std::string& value) {
    return ParseHookConfig(R"({"HookParameters": {"fsync": ")" + value + "\"}}",
                           Framework::kPyTorch);
  };
  EXPECT_EQ(ParseHookConfig("{}", Framework::kPyTorch).value().fsync, Fsync::kOff);
  for (const Fsync fsync : {Fsync::kOff, Fsync::kStep, Fsync::kClose}) {
    const HookConfig config = parse(std::string(FsyncName(fsync))).value();
    EXPECT_EQ(config.fsync, fsync);
    EXPECT_EQ(HookConfigFromJson(ToJson(config)).value().fsync, fsync);
  }
  const Status bad = parse("always").status();
  EXPECT_EQ(bad.code(), Code::kInvalid);
  EXPECT_NE(bad.message().find("HookParameters.fsync is \"always\""), std::string::npos)
      << bad.message();
}

}  // namespace
}  // namespace warden::config
