#include "warden/cli/launch/guard_flags.h"

#include <gtest/gtest.h>

namespace warden::cli {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

std::string RefusalOf(const GuardFlags& flags) {
  const auto variables = GuardVariables(flags);
  return variables.ok() ? "" : variables.status().message();
}

TEST(GuardFlagsTest, BecomeVariables) {
  EXPECT_EQ(GuardVariables({}).value(), Variables{});
  EXPECT_EQ(GuardVariables({"stop", "", ""}).value(), (Variables{{"TENSORWARDEN_GUARD", "stop"}}));
  EXPECT_EQ(GuardVariables({"skip,dump", "3", "0.5"}).value(),
            (Variables{{"TENSORWARDEN_GUARD", "dump,skip"},
                       {"TENSORWARDEN_DUMPS", "3"},
                       {"TENSORWARDEN_DUMP_BYTES", "500000000"}}));
}

TEST(GuardFlagsTest, RefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(RefusalOf({"wait", "", ""}),
            "--guard is 'wait'; expected skip, stop, dump, or a list such as skip,dump or "
            "stop,dump");
  EXPECT_EQ(RefusalOf({"skip,stop", "", ""}),
            "--guard is 'skip,stop'; expected skip or stop, not both");
  EXPECT_NE(RefusalOf({",", "", ""}), "");
  EXPECT_EQ(RefusalOf({"skip", "2", ""}), "--max-dumps and --max-dump-size need --guard dump");
  EXPECT_EQ(RefusalOf({"dump", "0", ""}), "--max-dumps is '0'; expected a number from 1 to 1000");
  EXPECT_EQ(RefusalOf({"dump", "", "nan"}),
            "--max-dump-size is 'nan'; expected a number of GB, above 0");
}

}  // namespace
}  // namespace warden::cli
