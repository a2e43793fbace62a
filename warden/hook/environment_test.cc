// wd_hook_create_from_environment, and roles, which configurations name.
#include <fstream>
#include <sstream>

#include "warden/config/manifest.h"
#include "warden/hook/hook_for_test.h"
#include "warden/hook/hook_handle.h"

namespace warden::hook {
namespace {

class EnvironmentTest : public HookTest {
 protected:
  ~EnvironmentTest() override {
    unsetenv("SMDEBUG_CONFIG_FILE_PATH");
    unsetenv("USE_SMDEBUG");
  }

  void Configure(const std::string& collections) const {
    Write("hook.json", R"({"LocalPath": ")" + Path("run") +
                           R"(", "HookParameters": {"save_interval": 1},
                              "CollectionConfigurations": [)" +
                           collections + "]}");
    setenv("SMDEBUG_CONFIG_FILE_PATH", Path("hook.json").c_str(), 1);
  }

  wd_hook* Create(const wd_options* options = nullptr) const {
    wd_hook* hook = nullptr;
    EXPECT_EQ(wd_hook_create_from_environment(options, &hook), WD_OK) << wd_last_error();
    return hook;
  }

  config::Manifest Manifest() const {
    std::ifstream file(Path("run/collections/000000000/worker_0_collections.json"));
    std::ostringstream text;
    text << file.rdbuf();
    const auto manifest = config::ParseManifest(text.str());
    EXPECT_TRUE(manifest.ok()) << manifest.status().message();
    return manifest.value();
  }
};

TEST_F(EnvironmentTest, WithoutAConfigurationNothingIsSaved) {
  wd_hook* hook = Create();
  ASSERT_NE(hook, nullptr);
  EXPECT_EQ(wd_hook_is_active(hook), 0);
  const wd_value value = Value();
  const wd_tensor* tensor = wd_hook_register(hook, "fc.weight");
  EXPECT_NE(tensor, nullptr) << "no mistake of the program's";
  EXPECT_EQ(wd_hook_begin_step(hook), WD_OK);
  EXPECT_EQ(wd_hook_wants_tensor(hook, tensor), 0);
  EXPECT_EQ(wd_hook_save_tensor(hook, tensor, &value), WD_OK);
  EXPECT_EQ(wd_hook_save(hook, "fc.weight", &value), WD_OK);
  EXPECT_EQ(wd_hook_save_scalar(hook, "s", 1), WD_OK);
  EXPECT_EQ(wd_hook_add_role(hook, "labels", "y"), WD_OK);
  EXPECT_EQ(wd_hook_flush(hook), WD_OK);
  EXPECT_EQ(wd_hook_status(hook), WD_OK);
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  EXPECT_EQ(Saved(hook), 0U);
  wd_hook_free(hook);
}

TEST_F(EnvironmentTest, TheFileDecides) {
  Configure(R"({"CollectionName": "weights"})");
  wd_options* options = wd_options_new();
  wd_options_set_out_dir(options, Path("elsewhere").c_str());
  wd_hook* hook = Create(options);
  wd_options_free(options);
  EXPECT_EQ(wd_hook_is_active(hook), 1);
  const wd_value value = Value();
  wd_hook_begin_step(hook);
  wd_hook_save(hook, "fc.weight", &value);
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  EXPECT_EQ(Saved(hook), 1U);
  EXPECT_TRUE(std::filesystem::exists(Path("run/training_job_end.ts")));
  EXPECT_FALSE(std::filesystem::exists(Path("elsewhere")));
  wd_hook_free(hook);
}

TEST_F(EnvironmentTest, SwitchedOff) {
  Configure("");
  setenv("USE_SMDEBUG", "False", 1);
  wd_hook* hook = Create();
  EXPECT_EQ(wd_hook_is_active(hook), 0);
  wd_hook_free(hook);
}

TEST_F(EnvironmentTest, AFileThatIsNotThereOrBroken) {
  setenv("SMDEBUG_CONFIG_FILE_PATH", Path("none.json").c_str(), 1);
  wd_hook* hook = nullptr;
  EXPECT_EQ(wd_hook_create_from_environment(nullptr, &hook), WD_NOT_FOUND);
  EXPECT_NE(std::string(wd_last_error()).find("none.json"), std::string::npos);
  EXPECT_EQ(hook, nullptr);
  Write("none.json", R"({"HookParameters": {"save_interval": "often"}})");
  EXPECT_EQ(wd_hook_create_from_environment(nullptr, &hook), WD_INVALID);
  EXPECT_NE(std::string(wd_last_error()).find("often"), std::string::npos) << wd_last_error();
  EXPECT_EQ(wd_hook_create_from_environment(nullptr, nullptr), WD_INVALID);
}

TEST_F(EnvironmentTest, RolesFillTheCollectionsThatBearTheirNames) {
  Configure(R"({"CollectionName": "relu_output"}, {"CollectionName": "input_image"})");
  wd_hook* hook = Create();
  EXPECT_EQ(wd_hook_add_role(hook, "relu_output", "act1.a+b_output_0"), WD_OK);
  EXPECT_EQ(wd_hook_add_role(hook, "first_input", "x_"), WD_OK);
  EXPECT_EQ(wd_hook_add_role(hook, "labels", "y"), WD_OK) << "nobody saves them";
  wd_hook_begin_step(hook);
  EXPECT_EQ(wd_hook_wants(hook, "act1.a+b_output_0"), 1);
  EXPECT_EQ(wd_hook_wants(hook, "act1.a+b_output_01"), 0) << "a whole name";
  EXPECT_EQ(wd_hook_wants(hook, "act1_aab_output_0"), 0) << "no pattern";
  EXPECT_EQ(wd_hook_wants(hook, "x_3"), 1) << "the beginning of one";
  EXPECT_EQ(wd_hook_wants(hook, "y"), 0);
  const wd_value value = Value();
  wd_hook_save(hook, "x_3", &value);
  EXPECT_EQ(wd_hook_close(hook), WD_OK);
  const config::Manifest manifest = Manifest();
  EXPECT_EQ(manifest.roles, (config::Roles{{"first_input", {"x_"}},
                                           {"labels", {"y"}},
                                           {"relu_output", {"act1.a+b_output_0"}}}));
  EXPECT_TRUE(manifest.collections.at("input_image").tensor_names.contains("x_3"));
  wd_hook_free(hook);
}

TEST_F(EnvironmentTest, CollectionsOfAnotherFrameworkAreLeftOut) {
  Configure(R"({"CollectionName": "gradients"}, {"CollectionName": "weights"})");
  wd_options* options = wd_options_new();
  ASSERT_EQ(wd_options_set_framework(options, "xgboost"), WD_OK);
  wd_hook* hook = Create(options);
  wd_options_free(options);
  wd_hook_begin_step_at(hook, 0);
  EXPECT_EQ(wd_hook_wants(hook, "train-logloss"), 1);
  EXPECT_EQ(wd_hook_wants(hook, "gradient/x"), 0);
  wd_hook_free(hook);
}

}  // namespace
}  // namespace warden::hook
