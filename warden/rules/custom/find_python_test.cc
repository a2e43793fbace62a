#include "warden/rules/custom/find_python.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/storage_for_test.h"

namespace warden::rules {
namespace {

namespace fs = std::filesystem;

class FindPythonTest : public testing::Test {
 protected:
  FindPythonTest() {
    unsetenv("WARDEN_PYTHON");
    setenv("PATH", (folder_.path() / "path").c_str(), 1);
  }
  ~FindPythonTest() override { setenv("PATH", path_.c_str(), 1); }

  std::string Program(const std::string& name) const {
    const fs::path file = folder_.path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n";
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }
  void Packages(const std::string& environment) const {
    const fs::path rules =
        folder_.path() / environment / "lib/python3.11/site-packages" / "tensorwarden/rules";
    fs::create_directories(rules);
    std::ofstream(rules / "worker.py") << "\n";
  }
  std::string Found() const {
    const auto found = FindPython((folder_.path() / "bin/warden").string());
    return found.ok() ? found.value() : found.status().message();
  }

  const std::string path_ = std::getenv("PATH");
  os::TempFolder folder_;
};

TEST_F(FindPythonTest, InTheOrderThatIsPromised) {
  EXPECT_TRUE(Found().starts_with("python3 not found on PATH")) << Found();
  const std::string on_path = Program("path/python3");
  EXPECT_EQ(Found(), on_path);
  const std::string in_build = Program("venv/bin/python3");
  EXPECT_EQ(Found(), on_path);  // Without our packages it would be of no use.
  Packages("venv");
  EXPECT_EQ(Found(), in_build);
  const std::string beside = Program("bin/python3");
  Packages(".");
  EXPECT_EQ(Found(), beside);
  setenv("WARDEN_PYTHON", on_path.c_str(), 1);
  EXPECT_EQ(Found(), on_path);
  setenv("WARDEN_PYTHON", "python3", 1);
  EXPECT_EQ(Found(), on_path);
  setenv("WARDEN_PYTHON", "python9", 1);
  EXPECT_EQ(Found(), "WARDEN_PYTHON is 'python9'; expected an executable Python interpreter");
}

TEST_F(FindPythonTest, OfTheEnvironmentThatHasTheProgramInItsPackage) {
  Program("path/python3");
  const std::string python = Program("env/bin/python3");
  Packages("env");
  const std::string program = Program("env/lib/python3.11/site-packages/tensorwarden/bin/warden");
  EXPECT_EQ(FindPython(program).value(), python);
}

}  // namespace
}  // namespace warden::rules
