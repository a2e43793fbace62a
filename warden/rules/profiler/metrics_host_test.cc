#include "warden/rules/profiler/metrics_host.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace warden::rules {
namespace {

TEST(HostOf, WithoutTheProcess) {
  EXPECT_EQ(HostOf("algo-1-88"), "algo-1");
  EXPECT_EQ(HostOf("algo-1"), "algo-1");
  EXPECT_EQ(HostOf("88-big"), "big");
  EXPECT_EQ(HostOf("88-ip-10-0-0-1"), "ip-10-0-0-1");
  EXPECT_EQ(HostOf("big-88"), "big");
  EXPECT_EQ(HostOf("big"), "big");
  for (const char* odd : {"", "-", "88", "88-", "-88"}) EXPECT_EQ(HostOf(odd), odd);
}

TEST(FindHost, ByNameOrBecauseThereIsOnlyOne) {
  std::map<std::string, int> machines = {{"algo-1", 1}};
  EXPECT_EQ(FindHost(machines, "algo-1-88"), machines.begin());
  EXPECT_EQ(FindHost(machines, "algo-1"), machines.begin());
  EXPECT_EQ(FindHost(machines, "88-big"), machines.begin());
  EXPECT_EQ(FindHost(machines, "algo-12-88"), machines.end());
  machines.emplace("algo-2", 2);
  EXPECT_EQ(FindHost(machines, "88-big"), machines.end());
  EXPECT_EQ(FindHost(machines, "algo-2-7")->second, 2);
  machines.clear();
  EXPECT_EQ(FindHost(machines, "88-big"), machines.end());
}

}  // namespace
}  // namespace warden::rules
