#include "warden/config/reduction_config.h"

#include <gtest/gtest.h>

#include "warden/base/json.h"

namespace warden::config {
namespace {

constexpr char kAll[] =
    "min,max,mean,std,variance,sum,prod,l1_norm,l2_norm,abs_min,abs_max,abs_mean,abs_std,"
    "abs_variance,abs_sum,abs_prod,abs_l1_norm,abs_l2_norm";

TEST(Reductions, AllRoundTrip) {
  const auto bits = ParseReductions(kAll);
  ASSERT_TRUE(bits.ok()) << bits.status().message();
  EXPECT_TRUE(bits.value().all());
  EXPECT_EQ(FormatReductions(bits.value()), kAll);
}

TEST(Reductions, BlanksAndEmptyPartsDoNotMatter) {
  EXPECT_TRUE(ParseReductions("").value().none());
  EXPECT_EQ(FormatReductions(ParseReductions(" mean , ,abs_max,").value()), "mean,abs_max");
}

TEST(Reductions, AcceptsNormsWithoutTheSuffix) {
  EXPECT_EQ(FormatReductions(ParseReductions("l1,abs_l2").value()), "l1_norm,abs_l2_norm");
}

TEST(Reductions, RefusesOthersAndListsWhatIsAccepted) {
  for (const char* word : {"median", "mean_norm", "abs_", "abs_abs_max", "MEAN", "_norm"}) {
    EXPECT_EQ(ParseReductions(word).status().code(), Code::kInvalid) << word;
  }
  EXPECT_EQ(ParseReductions("mean,median").status().message(),
            "unknown reduction 'median'; expected one of: min, max, mean, std, variance, sum, "
            "prod, l1_norm, l2_norm, each optionally prefixed with abs_");
}

TEST(Reductions, KeepsTheOrderOfTheUserWithinEachKind) {
  const auto list = ParseReductionList("abs_l2_norm,mean,max,l2_norm,mean").value();
  EXPECT_EQ(list.size(), 4u);
  EXPECT_EQ(FormatReductions(ReductionBits(list), list), "mean,max,l2_norm,abs_l2_norm");
}

TEST(Reductions, OrderDoesNotDecideWhatIsListed) {
  const std::vector<Reduction> order = {{ReductionOp::kSum, false}, {ReductionOp::kMax, false}};
  const auto bits = ParseReductions("min,max").value();
  EXPECT_EQ(FormatReductions(bits, order), "max,min");
}

TEST(ReductionConfigJson, RoundTrip) {
  const std::string text =
      R"({"save_raw_tensor": true, "reductions": "mean,max,abs_l2_norm", "save_shape": true})";
  const auto config = ReductionConfigFromJson(ParseJson(text).value());
  ASSERT_TRUE(config.ok()) << config.status().message();
  EXPECT_EQ(DumpLikePython(ToJson(config.value())), text);
  EXPECT_EQ(DumpLikePython(ToJson(ReductionConfig())),
            R"({"save_raw_tensor": true, "reductions": "", "save_shape": false})");
}

TEST(ReductionConfigJson, NamesTheFieldThatIsWrong) {
  const auto error = [](std::string_view text) {
    return ReductionConfigFromJson(ParseJson(text).value()).status().message();
  };
  EXPECT_EQ(error("7"), "expected an object, got 7");
  EXPECT_EQ(error(R"({"save_shape": "True"})"),
            R"(save_shape: expected true or false, got "True")");
  EXPECT_EQ(error(R"({"reductions": ["mean"]})"), R"(reductions: expected a string, got ["mean"])");
  EXPECT_TRUE(error(R"({"reductions": "x"})").starts_with("reductions: unknown reduction 'x'"));
}

TEST(ReductionConfig, IsEqualWhateverTheOrder) {
  ReductionConfig a;
  ReductionConfig b;
  a.order = {{ReductionOp::kMax, false}};
  EXPECT_EQ(a, b);
  b.reductions.set(3);
  EXPECT_FALSE(a == b);
}

}  // namespace
}  // namespace warden::config
