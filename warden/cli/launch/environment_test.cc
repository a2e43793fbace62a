#include "warden/cli/launch/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace warden::cli {
namespace {

bool Has(const std::vector<std::string>& environment, const std::string& entry) {
  return std::count(environment.begin(), environment.end(), entry) == 1;
}

TEST(EnvironmentTest, ReplacesAndKeeps) {
  setenv("WARDEN_TEST_A", "1", 1);
  setenv("WARDEN_TEST_AB", "2", 1);
  const auto environment = EnvironmentWith({{"WARDEN_TEST_A", "new"}, {"WARDEN_TEST_C", ""}});
  EXPECT_TRUE(Has(environment, "WARDEN_TEST_A=new"));
  EXPECT_FALSE(Has(environment, "WARDEN_TEST_A=1"));
  EXPECT_TRUE(Has(environment, "WARDEN_TEST_AB=2"));
  EXPECT_TRUE(Has(environment, "WARDEN_TEST_C="));
  unsetenv("WARDEN_TEST_A");
  unsetenv("WARDEN_TEST_AB");
}

TEST(EnvironmentTest, PutsOurFolderFirstOnPythonsPath) {
  setenv("PYTHONPATH", "/theirs", 1);
  const auto environment =
      CaptureEnvironment("/run/hook.json", "/run/profiler.json", "2.5", true, "/site", false);
  EXPECT_TRUE(Has(environment, "PYTHONPATH=/site:/theirs"));
  EXPECT_TRUE(Has(environment, "SMDEBUG_CONFIG_FILE_PATH=/run/hook.json"));
  EXPECT_TRUE(Has(environment, "TENSORWARDEN_AUTO=1"));
  EXPECT_TRUE(Has(environment, "TENSORWARDEN_BUDGET=2.5"));
  EXPECT_TRUE(Has(environment, "TENSORWARDEN_OBSERVE=1"));
  EXPECT_TRUE(
      Has(CaptureEnvironment("/x", "", "", false, std::nullopt, true), "PYTHONPATH=/theirs"));
  unsetenv("PYTHONPATH");
  EXPECT_TRUE(Has(CaptureEnvironment("/x", "", "", false, "/site", true), "PYTHONPATH=/site"));
}

TEST(NameOfCommandTest, IsTheScriptsOrTheModulesOrThePrograms) {
  EXPECT_EQ(NameOfCommand({"python3", "-u", "src/train.py", "--data", "x.py"}), "train");
  EXPECT_EQ(NameOfCommand({"/usr/bin/python3", "-m", "package.train", "-v"}), "package.train");
  EXPECT_EQ(NameOfCommand({"python3", "-m", "torch.distributed.run", "train.py"}), "train");
  EXPECT_EQ(NameOfCommand({"/opt/bin/simulate", "-m", "a/b"}), "simulate");
}

}  // namespace
}  // namespace warden::cli
