#ifndef WARDEN_HOOK_HOOK_FOR_TEST_H_
#define WARDEN_HOOK_HOOK_FOR_TEST_H_

#include <gtest/gtest.h>
#include <unistd.h>
#include <warden.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace warden::hook {

// A folder of its own, and no word from the environment.
class HookTest : public testing::Test {
 protected:
  HookTest() {
    std::string pattern = testing::TempDir() + "warden_hook_XXXXXX";
    folder_ = mkdtemp(pattern.data());
    for (const char* name : {"SMDEBUG_CONFIG_FILE_PATH", "SMPROFILER_CONFIG_PATH", "USE_SMDEBUG",
                             "TRAINING_JOB_NAME"}) {
      unsetenv(name);
    }
  }
  ~HookTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name)) << text;
  }

  // A hook that saves everything at every step into the folder "run".
  wd_hook* SaveAll() const {
    wd_options* options = wd_options_new();
    EXPECT_EQ(wd_options_set_out_dir(options, Path("run").c_str()), WD_OK);
    EXPECT_EQ(wd_options_set(options, "save_all", "true"), WD_OK);
    EXPECT_EQ(wd_options_set(options, "save_interval", "1"), WD_OK);
    wd_hook* hook = nullptr;
    EXPECT_EQ(wd_hook_create(options, &hook), WD_OK) << wd_last_error();
    wd_options_free(options);
    return hook;
  }

  // Two rows of three.
  wd_value Value() const {
    return {sizeof(wd_value), data_.data(), WD_FLOAT32, 2, shape_.data(), nullptr};
  }

  static uint64_t Saved(const wd_hook* hook) {
    wd_counters counters{};
    counters.struct_size = sizeof(counters);
    EXPECT_EQ(wd_hook_counters(hook, &counters), WD_OK);
    return counters.saved_tensors;
  }

  std::string folder_;
  std::array<float, 6> data_ = {1, 2, 3, 4, 5, 6};
  std::array<int64_t, 2> shape_ = {2, 3};
};

}  // namespace warden::hook

#endif  // WARDEN_HOOK_HOOK_FOR_TEST_H_
