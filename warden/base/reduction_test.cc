#include "warden/base/reduction.h"

#include <gtest/gtest.h>

namespace warden {
namespace {

TEST(Reduction, IndexAndNameRoundTrip) {
  for (int i = 0; i < Reduction::kCount; ++i) {
    const Reduction reduction = Reduction::FromIndex(i);
    EXPECT_EQ(reduction.index(), i);
    EXPECT_EQ(ParseReductionName(ReductionName(reduction)), reduction);
    EXPECT_EQ(ParseReductionOp(ReductionOpName(reduction.op)), reduction.op);
  }
}

TEST(Reduction, Names) {
  EXPECT_EQ(ReductionName({ReductionOp::kMean, false}), "mean");
  EXPECT_EQ(ReductionName({ReductionOp::kL2, true}), "abs_l2");
  EXPECT_TRUE(IsNorm(ReductionOp::kL1));
  EXPECT_FALSE(IsNorm(ReductionOp::kProd));
  for (const char* name : {"", "abs_", "Mean", "l1_norm", "abs_abs_min", "median"}) {
    EXPECT_EQ(ParseReductionName(name), std::nullopt) << name;
  }
}

TEST(Reduction, PlainOnesComeFirst) {
  EXPECT_LT((Reduction{ReductionOp::kL2, false}), (Reduction{ReductionOp::kMin, true}));
}

}  // namespace
}  // namespace warden
