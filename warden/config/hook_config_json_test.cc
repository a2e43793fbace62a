#include <gtest/gtest.h>

#include "warden/base/json.h"
#include "warden/config/hook_config.h"

namespace warden::config {
namespace {

TEST(HookConfigJson, ComesBackAsItWas) {
  const auto parsed = ParseHookConfig(R"({"LocalPath": "out", "HookParameters": {
      "save_interval": 7, "eval.save_steps": "1,2", "reductions": "mean,l2_norm",
      "include_regex": "relu", "include_workers": "all", "export_tensorboard": true},
      "CollectionConfigurations": [{"CollectionName": "mine", "CollectionParameters": {
          "include_regex": "fc", "save_histogram": false, "train.save_interval": 3}}]})",
                                      Framework::kPyTorch);
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  const HookConfig& config = parsed.value();
  const auto back = HookConfigFromJson(ToJson(config));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ(back.value().out_dir, "out");
  EXPECT_TRUE(back.value().all_workers);
  EXPECT_TRUE(back.value().export_tensorboard);
  EXPECT_EQ(back.value().save_config, config.save_config);
  EXPECT_EQ(back.value().reduction_config, config.reduction_config);
  EXPECT_EQ(back.value().include_regex, config.include_regex);
  EXPECT_EQ(back.value().include_collections, config.include_collections);
  EXPECT_EQ(back.value().collections, config.collections);
}

TEST(HookConfigJson, WrongTypesAreNamed) {
  const auto bad = [](const char* text) {
    return HookConfigFromJson(ParseJson(text).value()).status();
  };
  EXPECT_EQ(bad("[]").code(), Code::kInvalidType);
  EXPECT_NE(bad(R"({"save_all": "x"})").message().find("save_all"), std::string::npos);
  EXPECT_NE(bad(R"({"collections": {}})").message().find("collections"), std::string::npos);
  EXPECT_NE(bad(R"({"save_config": 3})").message().find("save_config"), std::string::npos);
}

}  // namespace
}  // namespace warden::config
