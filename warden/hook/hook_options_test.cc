// The calls of <warden.h> that say what is recorded.
#include "warden/hook/hook_options.h"

#include <string_view>

#include "warden/hook/hook_for_test.h"

namespace warden::hook {
namespace {

class OptionsTest : public HookTest {
 protected:
  ~OptionsTest() override { wd_options_free(options_); }

  config::HookConfig Config() const {
    auto config = options_->config.Build(options_->program.framework);
    EXPECT_TRUE(config.ok()) << config.status().message();
    return config.value();
  }
  // Refused, with these words in the message.
  void Refuses(wd_status status, std::initializer_list<std::string_view> words) const {
    EXPECT_EQ(status, WD_INVALID);
    for (const std::string_view word : words) {
      EXPECT_NE(std::string_view(wd_last_error()).find(word), std::string_view::npos)
          << wd_last_error() << " has no " << word;
    }
  }

  wd_options* options_ = wd_options_new();
};

TEST_F(OptionsTest, KeysAreThoseOfConfigurationFiles) {
  EXPECT_EQ(wd_options_set_out_dir(options_, "runs/1"), WD_OK);
  EXPECT_EQ(wd_options_set(options_, "save_interval", "10"), WD_OK);
  EXPECT_EQ(wd_options_set(options_, "eval.save_steps", "3,1"), WD_OK);
  EXPECT_EQ(wd_options_set(options_, "reductions", "mean,l2_norm"), WD_OK);
  EXPECT_EQ(wd_options_include(options_, "weights"), WD_OK);
  EXPECT_EQ(wd_options_set_for(options_, "mine", "include_regex", "a,b{1,2}"), WD_OK);
  EXPECT_EQ(wd_options_add_pattern(options_, "mine", "c,d"), WD_OK);
  const config::HookConfig config = Config();
  EXPECT_EQ(config.out_dir, "runs/1");
  EXPECT_EQ(config.save_config.mode(Mode::kTrain).save_interval, 10);
  EXPECT_EQ(config.save_config.mode(Mode::kEval).save_steps, (std::vector<Step>{1, 3}));
  EXPECT_EQ(config.reduction_config.reductions.count(), 2U);
  EXPECT_EQ(config.include_collections, (std::vector<std::string>{"weights", "mine"}));
  EXPECT_EQ(config.collections.at("mine").include_regex,
            (std::vector<std::string>{"a", "b{1,2}", "c,d"}));
}

TEST_F(OptionsTest, WhatIsRefusedChangesNothing) {
  ASSERT_EQ(wd_options_set(options_, "save_interval", "7"), WD_OK);
  Refuses(wd_options_set(options_, "save_interval", "0"), {"save_interval", "0"});
  Refuses(wd_options_set(options_, "save_intervall", "5"), {"save_intervall", "save_interval"});
  Refuses(wd_options_set(options_, "train.save_all", "true"), {"train.save_all"});
  Refuses(wd_options_set(options_, "reductions", "middle"), {"middle", "l2_norm"});
  Refuses(wd_options_set_for(options_, "mine", "save_all", "true"), {"save_all"});
  Refuses(wd_options_add_pattern(options_, "mine", "("), {"("});
  Refuses(wd_options_set_config(options_, "{"), {"configuration"});
  Refuses(wd_options_set_config(options_, "[]"), {"object"});
  Refuses(wd_options_set_framework(options_, "caffe"), {"caffe", "pytorch"});
  Refuses(wd_options_set_worker(options_, 2, 2), {"rank is 2", "world_size is 2"});
  Refuses(wd_options_set_worker(options_, -1, 2), {"rank is -1"});
  Refuses(wd_options_set_last_step(options_, -5), {"-5"});
  EXPECT_EQ(wd_options_load_config(options_, Path("none.json").c_str()), WD_NOT_FOUND);
  const config::HookConfig config = Config();
  EXPECT_EQ(config.save_config.mode(Mode::kTrain).save_interval, 7);
  EXPECT_TRUE(config.collections.empty());
}

TEST_F(OptionsTest, AFileTakesThePlaceOfWhatWasSet) {
  ASSERT_EQ(wd_options_include(options_, "biases"), WD_OK);
  Write("hook.json", R"({"LocalPath": "there", "HookParameters": {"save_interval": 3}})");
  ASSERT_EQ(wd_options_load_config(options_, Path("hook.json").c_str()), WD_OK);
  ASSERT_EQ(wd_options_set(options_, "save_shape", "true"), WD_OK);
  const config::HookConfig config = Config();
  EXPECT_EQ(config.out_dir, "there");
  EXPECT_EQ(config.save_config.mode(Mode::kTrain).save_interval, 3);
  EXPECT_TRUE(config.reduction_config.save_shape);
  EXPECT_TRUE(config.include_collections.empty());
}

TEST_F(OptionsTest, NothingInPlaceOfTextsAndOptions) {
  EXPECT_EQ(wd_options_set_out_dir(nullptr, "x"), WD_INVALID);
  EXPECT_EQ(wd_options_set(nullptr, "save_interval", "1"), WD_INVALID);
  EXPECT_EQ(wd_options_set_staging(nullptr, 1, 0), WD_INVALID);
  Refuses(wd_options_set_out_dir(options_, nullptr), {"folder is NULL"});
  Refuses(wd_options_set_out_dir(options_, ""), {"folder is empty"});
  Refuses(wd_options_set(options_, nullptr, "1"), {"key is NULL"});
  Refuses(wd_options_set(options_, "save_interval", nullptr), {"save_interval is NULL"});
  Refuses(wd_options_include(options_, nullptr), {"collection is NULL"});
  Refuses(wd_options_include(options_, "\xFF"), {"collection is not UTF-8"});
  Refuses(wd_options_set_config(options_, nullptr), {"json is NULL"});
  wd_options_free(nullptr);
}

}  // namespace
}  // namespace warden::hook
