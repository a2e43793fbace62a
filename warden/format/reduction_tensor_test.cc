#include "warden/format/reduction_tensor.h"

#include <gtest/gtest.h>

namespace warden::format {
namespace {

TEST(ReductionTensor, Names) {
  EXPECT_EQ(ReductionTensorName({ReductionOp::kMean, true}, "conv.weight", true),
            "smdebug/reductions/abs_mean/conv.weight");
  EXPECT_EQ(ReductionTensorName({ReductionOp::kL2, false}, "w:0/x:12", true),
            "smdebug/reductions/l2/w/x");
  EXPECT_EQ(ReductionTensorName({ReductionOp::kL2, false}, "w:0/x:12", false),
            "smdebug/reductions/l2/w:0/x:12");
  EXPECT_EQ(ReductionTensorName({ReductionOp::kMin, false}, "a:b::1c:", true),
            "smdebug/reductions/min/a:b:c:");
}

TEST(ReductionTensor, AllRoundTrip) {
  for (int i = 0; i < Reduction::kCount; ++i) {
    const Reduction reduction = Reduction::FromIndex(i);
    const std::string name = ReductionTensorName(reduction, "a/b:0", false);
    const auto parsed = ParseReductionTensorName(name);
    ASSERT_TRUE(parsed) << name;
    EXPECT_EQ(parsed->reduction, reduction);
    EXPECT_EQ(parsed->tensor, "a/b:0");
  }
}

TEST(ReductionTensor, TextBeforeThePrefixIsIgnored) {
  const auto parsed = ParseReductionTensorName("scope/smdebug/reductions/max/t");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->reduction, (Reduction{ReductionOp::kMax, false}));
  EXPECT_EQ(parsed->tensor, "t");
}

TEST(ReductionTensor, OtherNamesAreOrdinary) {
  for (const std::string_view name :
       {"", "conv.weight", "smdebug/reductions/", "smdebug/reductions/mean",
        "smdebug/reductions/mean/", "smdebug/reductions/median/x", "reductions/mean/x"}) {
    EXPECT_FALSE(ParseReductionTensorName(name)) << name;
  }
}

}  // namespace
}  // namespace warden::format
