#ifndef WARDEN_RULES_CUSTOM_CUSTOM_FOR_TEST_H_
#define WARDEN_RULES_CUSTOM_CUSTOM_FOR_TEST_H_

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "warden/base/checkout_for_test.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/rules/rules_for_test.h"
#include "warden/storage/storage_for_test.h"

// For the tests of rules of the user's own.
namespace warden::rules {

// A run in a folder, where other processes can read it.
class OwnRuleTest : public RuleTest {
 protected:
  OwnRuleTest() {
    store_ = storage::OpenStore((folder_.path() / "run").string()).value();
    builder_ = trial::RunBuilder(store_.get());
    setenv("WARDEN_PYTHON", BuiltFile("venv/bin/python").c_str(), 1);
  }
  ~OwnRuleTest() override { unsetenv("WARDEN_PYTHON"); }

  // Its path.
  std::string Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(folder_.path() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  os::TempFolder folder_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_CUSTOM_FOR_TEST_H_
