
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "warden/base/checkout_for_test.h"
#include "warden/config/keys.h"

namespace warden::config {
namespace {

TEST(ConfigurationReference, IsTheCommittedPage) {
  std::ifstream file(SourceFile("docs/reference/configuration.md"), std::ios::binary);
  const std::string page(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(page, ConfigurationReference())
      << "Make it anew: build/bin/warden doctor --print-config-reference > "
         "docs/reference/configuration.md";
}

TEST(ConfigurationReference, HasEveryKey) {
  const std::string page = ConfigurationReference();
  for (auto table : {FileKeys(), EntryKeys(), SharedKeys(), HookKeys(), CollectionKeys()}) {
    for (const KeySpec& key : table) {
      EXPECT_NE(page.find("| `" + std::string(key.name) + "` |"), std::string::npos) << key.name;
    }
  }
}

}  // namespace
}  // namespace warden::config
