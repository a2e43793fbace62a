#include "warden/cli/launch/python_site.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

class PythonSiteTest : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("TENSORWARDEN_PYTHON");
    root_ = fs::path(testing::TempDir()) / ("python_site_" + std::to_string(getpid()));
    fs::remove_all(root_);
  }
  void TearDown() override {
    unsetenv("TENSORWARDEN_PYTHON");
    fs::remove_all(root_);
  }

  // Puts the package into the folder; returns what should be found.
  std::string Install(const char* folder) {
    const fs::path site = root_ / folder / "tensorwarden/auto/site";
    fs::create_directories(site);
    std::ofstream(site / "sitecustomize.py") << "";
    return site.string();
  }
  std::string Program() { return (root_ / "bin/warden").string(); }

  fs::path root_;
};

TEST_F(PythonSiteTest, IsFoundBesideTheProgram) {
  EXPECT_EQ(FindPythonSite(Program()), std::nullopt);
  const std::string build = Install("venv/lib/python3.11/site-packages");
  EXPECT_EQ(FindPythonSite(Program()), build);
  const std::string old = Install("lib/python3.9/site-packages");
  EXPECT_EQ(FindPythonSite(Program()), old);
  const std::string newer = Install("lib/python3.12/dist-packages");
  EXPECT_EQ(FindPythonSite(Program()), newer);
}

TEST_F(PythonSiteTest, IsFoundAroundAProgramThatIsPartOfThePackage) {
  const std::string site = Install("lib/python3.9/site-packages");
  const fs::path package = root_ / "lib/python3.9/site-packages/tensorwarden";
  EXPECT_EQ(FindPythonSite((package / "bin/warden").string()), site);
}

TEST_F(PythonSiteTest, TheEnvironmentComesFirst) {
  Install("lib/python3.12/site-packages");
  const std::string given = Install("elsewhere");
  setenv("TENSORWARDEN_PYTHON", (root_ / "elsewhere").c_str(), 1);
  EXPECT_EQ(FindPythonSite(Program()), given);
  setenv("TENSORWARDEN_PYTHON", "/no/such/folder", 1);
  EXPECT_NE(FindPythonSite(Program()), std::nullopt);
}

TEST_F(PythonSiteTest, KnowsItsOwnProgram) { EXPECT_TRUE(fs::exists(OwnProgram())); }

}  // namespace
}  // namespace warden::cli
