#include "warden/watch/rule_choice.h"

#include <gtest/gtest.h>

#include "warden/os/temp_folder_for_test.h"

namespace warden::watch {
namespace {

constexpr char kFile[] =
    R"([{"RuleConfigurationName": "Mine", "RuleParameters": {"rule_to_invoke": "AllZero"}}])";

TEST(RuleChoiceTest, FilesAreRulesToo) {
  const os::TempFolder folder;
  RuleFlags flags;
  flags.rules = {folder.Write("rules.json", kFile), "DeadRelu"};
  const auto configs = ChooseRules(flags, "default", nullptr);
  ASSERT_TRUE(configs.ok()) << configs.status().message();
  ASSERT_EQ(configs.value().size(), 2u);
  EXPECT_EQ(configs.value()[0].name, "Mine");
  EXPECT_FALSE(configs.value()[0].shadow);
}

TEST(RuleChoiceTest, AFileMayBeAParameter) {
  RuleFlags flags;
  flags.rules = {"OutsideBaseline:baseline=good.json"};
  const auto configs = ChooseRules(flags, "default", nullptr);
  ASSERT_TRUE(configs.ok()) << configs.status().message();
  EXPECT_EQ(configs.value()[0].params.at("baseline"), "good.json");
}

TEST(RuleChoiceTest, ShadowRulesComeOnTopOfTheOthers) {
  const os::TempFolder folder;
  RuleFlags flags;
  flags.shadow = {"DeadRelu,AllZero", folder.Write("rules.json", kFile)};
  const auto configs = ChooseRules(flags, "default", nullptr);
  ASSERT_TRUE(configs.ok()) << configs.status().message();
  const auto fallback = ChooseRules({}, "default", nullptr);
  ASSERT_EQ(configs.value().size(), fallback.value().size() + 3);
  EXPECT_FALSE(configs.value().front().shadow);
  EXPECT_TRUE(configs.value().back().shadow);
  EXPECT_EQ(configs.value().back().name, "Mine");
}

TEST(RuleChoiceTest, ErrorsNameTheFlagAndTheFile) {
  const os::TempFolder folder;
  const auto message = [](const RuleFlags& flags) {
    return ChooseRules(flags, "default", nullptr).status().message();
  };
  RuleFlags shadow;
  shadow.shadow = {"/no/such/rules.json"};
  EXPECT_EQ(message(shadow), "--shadow: cannot open /no/such/rules.json");
  RuleFlags file;
  file.file = folder.Write("rules.json", "{}");
  EXPECT_TRUE(message(file).starts_with("--rules-file: " + file.file)) << message(file);
  RuleFlags rules;
  rules.rules = {":x=1"};
  EXPECT_TRUE(message(rules).starts_with("--rules: ")) << message(rules);
}

}  // namespace
}  // namespace warden::watch
