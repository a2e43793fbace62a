#include "warden/timeline/host_clocks.h"

#include <gtest/gtest.h>

#include "warden/timeline/timeline_for_test.h"

namespace warden::timeline {
namespace {

TEST(SplitNode, TellsHostAndProcess) {
  using Parts = std::pair<std::string_view, std::string_view>;
  EXPECT_EQ(SplitNode("algo-1-88"), Parts("algo-1", "88"));
  EXPECT_EQ(SplitNode("algo-12"), Parts("algo-12", ""));
  EXPECT_EQ(SplitNode("8616-ip-10-0-0-1"), Parts("ip-10-0-0-1", "8616"));
  EXPECT_EQ(SplitNode("myhost_501"), Parts("myhost", "501"));
  EXPECT_EQ(SplitNode("my_host"), Parts("my_host", ""));
  for (const std::string_view odd : {"", "-", "88-", "_5", "algo-", "host"}) {
    EXPECT_EQ(SplitNode(odd), Parts(odd, "")) << odd;
  }
}

TEST(HostClocks, AreFoundByEitherNameOfTheHost) {
  const HostClocks clocks = {{"algo-2", "", 12'300, 400}, {"my_node", "algo-4", -5, 1}};
  EXPECT_EQ(AheadUs(clocks, "algo-2"), 12'300);
  EXPECT_EQ(AheadUs(clocks, "algo-1"), 0);
  EXPECT_EQ(AheadUs(clocks, ""), 0);
  EXPECT_EQ(AheadUs(clocks, "my-node"), -5);
  EXPECT_EQ(AheadUs(clocks, "algo-4"), -5);
  EXPECT_EQ(FarthestUs(clocks), 12'300);
  EXPECT_EQ(FarthestUs({{"a", "", -7, 0}}), 7);
  EXPECT_EQ(FarthestUs({}), 0);
}

TEST(HostClocks, SayWhatWasDone) {
  EXPECT_EQ(WordsOf({"algo-2", "", 12'300, 400}), "clock of algo-2 moved by −12.3 ms ± 0.4 ms");
  EXPECT_EQ(WordsOf({"b", "", -2'500'500, 1'100}), "clock of b moved by +2.50 s ± 1.1 ms");
  EXPECT_EQ(WordsOf({"b", "", 250, 30}), "clock of b moved by −250 µs ± 30 µs");
  EXPECT_EQ(WordsOf({"b", "", 3'000, 12}), "clock of b moved by −3.0 ms ± 12 µs");
}

TEST(HostClocks, AreNeededForSeveralHostsOnly) {
  ProfilerFolderForTest folder;
  EXPECT_FALSE(HasSeveralHosts(folder.path()));
  const std::string traces = "framework/pevents/2026010112/1767268801000000_";
  folder.Write(traces + "88-algo-1_pythontimeline.json", "[]");
  folder.Write(traces + "89-algo-1_pythontimeline.json", "[]");
  folder.Write("system/incremental/2026010112/1767268800.algo-1.json", "");
  EXPECT_FALSE(HasSeveralHosts(folder.path()));
  folder.Write(traces + "88-algo-2_pythontimeline.json", "[]");
  EXPECT_TRUE(HasSeveralHosts(folder.path()));
  ProfilerFolderForTest measured;
  measured.Write("system/incremental/2026010112/1767268800.algo-1.json", "");
  measured.Write("system/incremental/2026010112/1767268800.algo-2.json", "");
  EXPECT_TRUE(HasSeveralHosts(measured.path()));
}

}  // namespace
}  // namespace warden::timeline
