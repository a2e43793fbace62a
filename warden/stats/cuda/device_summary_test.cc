#include "warden/stats/cuda/device_summary.h"

#include <gtest/gtest.h>

namespace warden::stats::cuda {
namespace {

TEST(DeviceSummary, RowsAreReadAsTheyAreWritten) {
  std::array<double, kRowDoubles> row;
  for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(i + 1);
  const Summary s = SummaryFromRow(row.data());
  EXPECT_EQ(s.count, 1U);
  EXPECT_EQ(s.negative_count, 6U);
  EXPECT_EQ(s.min, 7);
  EXPECT_EQ(s.l2, 14);
  EXPECT_EQ(s.abs_m2, 17);
  EXPECT_EQ(s.prod, 18);
}

TEST(DeviceSummary, TakesFloatingPointTypes) {
  EXPECT_TRUE(DeviceSummary::Takes(DType::kBFloat16));
  EXPECT_FALSE(DeviceSummary::Takes(DType::kInt32));
}

// What it computes is tested with PyTorch, where there is a GPU.
TEST(DeviceSummary, SaysWhyItCannotBeHad) {
  const auto made = DeviceSummary::Make(0, "");
  if (made.ok()) return;
  EXPECT_FALSE(made.status().message().empty());
}

}  // namespace
}  // namespace warden::stats::cuda
