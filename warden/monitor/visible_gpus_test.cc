#include "warden/monitor/visible_gpus.h"

#include <gtest/gtest.h>

namespace warden::monitor {
namespace {

using Numbers = std::vector<unsigned>;

std::vector<GpuIdentity> FourGpus() {
  return {{true, "GPU-aa11", "H200"},
          {true, "GPU-ab22", "H200"},
          {true, "GPU-cc33", "H200"},
          {true, "GPU-dd44", "H200"}};
}

Numbers ByCuda(const char* names) { return VisibleGpus(FourGpus(), {names, nullptr, nullptr}); }
Numbers ByContainer(const char* names) {
  return VisibleGpus(FourGpus(), {nullptr, names, nullptr});
}

const Numbers kAllFour = {0, 1, 2, 3};

TEST(VisibleGpusTest, WithoutVariablesAllThatOpen) {
  EXPECT_TRUE(VisibleGpus({}, {}).empty());
  EXPECT_EQ(VisibleGpus(FourGpus(), {}), kAllFour);
  auto gpus = FourGpus();
  gpus[1].opens = false;
  EXPECT_EQ(VisibleGpus(gpus, {}), (Numbers{0, 2, 3}));
  EXPECT_EQ(VisibleGpus(gpus, {"1,2", nullptr, nullptr}), Numbers{2});
}

TEST(VisibleGpusTest, CudaNamesThemByNumberOrUuid) {
  EXPECT_EQ(ByCuda("2"), Numbers{2});
  EXPECT_EQ(ByCuda("3, 1"), (Numbers{1, 3}));
  EXPECT_EQ(ByCuda("GPU-cc33"), Numbers{2});
  EXPECT_EQ(ByCuda("GPU-c"), Numbers{2});  // As long as only one begins so.
  EXPECT_EQ(ByCuda("GPU-a"), kAllFour);
}

TEST(VisibleGpusTest, CudaStopsAtTheFirstThatIsNone) {
  EXPECT_TRUE(ByCuda("").empty());
  EXPECT_TRUE(ByCuda("-1").empty());
  EXPECT_TRUE(ByCuda("NoDevFiles").empty());
  EXPECT_EQ(ByCuda("1,-1,2"), Numbers{1});
}

TEST(VisibleGpusTest, WhatIsNotUnderstoodHidesNothing) {
  EXPECT_EQ(ByCuda("7"), kAllFour);
  EXPECT_EQ(ByCuda("99999999999999999999"), Numbers{});
  EXPECT_EQ(ByCuda("MIG-GPU-aa11/1/0"), kAllFour);
  EXPECT_EQ(ByCuda("GPU-ffff"), kAllFour);
}

TEST(VisibleGpusTest, NumbersOfDifferentModelsNeedAnOrder) {
  auto gpus = FourGpus();
  gpus[3].model = "T4";
  EXPECT_EQ(VisibleGpus(gpus, {"0", nullptr, nullptr}), kAllFour);
  EXPECT_EQ(VisibleGpus(gpus, {"0", nullptr, "FASTEST_FIRST"}), kAllFour);
  EXPECT_EQ(VisibleGpus(gpus, {"0", nullptr, "PCI_BUS_ID"}), Numbers{0});
  EXPECT_EQ(VisibleGpus(gpus, {"GPU-dd", nullptr, nullptr}), Numbers{3});
}

TEST(VisibleGpusTest, OfAContainerOnlyUuidsCount) {
  EXPECT_EQ(ByContainer("all"), kAllFour);
  EXPECT_EQ(ByContainer(""), kAllFour);
  EXPECT_EQ(ByContainer("2"), kAllFour);
  EXPECT_EQ(ByContainer("GPU-aa11,GPU-dd44"), (Numbers{0, 3}));
  EXPECT_EQ(VisibleGpus(FourGpus(), {"0,1", "GPU-ab22", nullptr}), Numbers{1});
}

}  // namespace
}  // namespace warden::monitor
