#include "warden/stats/cuda/device_summaries.h"

#include <gtest/gtest.h>

#include <array>

namespace warden::stats::cuda {
namespace {

TEST(DeviceSummaries, RowsAreReadAsTheyAreWritten) {
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

// What it computes is tested by summary_kernel_test.cc and, where there is a GPU, with PyTorch.
TEST(DeviceSummaries, SaysWhyItCannotBeHad) {
  const auto made = DeviceSummaries::Make(0, "");
  if (made.ok()) return;
  EXPECT_FALSE(made.status().message().empty());
}

}  // namespace
}  // namespace warden::stats::cuda
