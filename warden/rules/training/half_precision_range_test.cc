#include <map>
#include <string>
#include <vector>

#include "warden/rules/training/training_for_test.h"
#include "warden/stats/exponents.h"

namespace warden::rules {
namespace {

constexpr char kWeight[] = "exponents/float16/gradient/Net_first.weight";
constexpr char kOther[] = "exponents/float16/gradient/Net_last.weight";

class HalfPrecisionRangeTest : public TrainingTest {
 protected:
  // Values by the power of two of their magnitude; zeros at -127.
  using Powers = std::map<int, int64_t>;

  static TestTensor Counts(const Powers& powers) {
    std::vector<int64_t> bins(256);
    for (const auto& [power, count] : powers) {
      bins.at(static_cast<size_t>(power + stats::Exponents::kBias)) = count;
    }
    return MakeTensor<int64_t>(DType::kInt64, {256}, bins);
  }
  // Steps in which tensors have these values.
  void Steps(const std::map<std::string, Powers>& tensors, double scale = 1, Step first = 0,
             Step end = 10) {
    Tensors all;
    for (const auto& [name, powers] : tensors) all[name] = Counts(powers);
    for (Step step = first; step < end; ++step) {
      LogNumbers numbers;
      if (scale != 1) numbers = {{"loss_scale", scale}, {"scaler_skipped", 0}};
      Note(step, numbers, "", all);
    }
  }

  // Most are too small for float16.
  static inline const Powers kSmall = {{-127, 500}, {-24, 400}, {-20, 400}, {-12, 200}};
  static inline const Powers kHealthy = {{-127, 900}, {-16, 20}, {-10, 500}, {-4, 400}};
};

TEST_F(HalfPrecisionRangeTest, GradientsThatUnderflowAreNamedWithALossScale) {
  Steps({{kWeight, kSmall}, {kOther, {{-9, 1000}}}});
  const Finding finding = Only(Evaluate("HalfPrecisionRange"));
  EXPECT_EQ(finding.tensor, "gradient/Net_first.weight");
  EXPECT_EQ(finding.step, 4);
  EXPECT_EQ(finding.last_step, 9);
  EXPECT_DOUBLE_EQ(finding.value, 80);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_TRUE(Says(finding.message, {"underflow: 80 %", "below 2^-14", "float16",
                                     "upper 27 powers of two are not used"}));
  // 2^-24 becomes normal; 2^-9 of the other layer would allow 2^22.
  EXPECT_TRUE(Says(finding.advice, {"2^10 = 1024", "GradScaler"}));
}

TEST_F(HalfPrecisionRangeTest, TheLargestGradientLimitsTheScale) {
  Steps({{kWeight, kSmall}, {kOther, {{9, 1000}}}});
  EXPECT_TRUE(Says(Only(Evaluate("HalfPrecisionRange")).advice, {"2^4 = 16"}));
}

TEST_F(HalfPrecisionRangeTest, HealthyGradientsAreSilent) {
  Steps({{kWeight, kHealthy}, {kOther, {{-127, 5000}}}});
  const RuleReport report = Evaluate("HalfPrecisionRange");
  EXPECT_TRUE(IsSilent(report));
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
}

TEST_F(HalfPrecisionRangeTest, BFloat16HasTheRangeOfFloat32) {
  Steps({{"exponents/bfloat16/gradient/Net_first.weight", kSmall},
         {"exponents/bfloat16/Net_output_0", {{90, 1000}, {-100, 1000}}}});
  EXPECT_TRUE(IsSilent(Evaluate("HalfPrecisionRange")));
}

TEST_F(HalfPrecisionRangeTest, ALayerThatLostAllIsNamedBesideOthers) {
  Steps({{kWeight, {{-127, 1000}}}, {kOther, kSmall}});
  const RuleReport report = Evaluate("HalfPrecisionRange");
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].tensor, "gradient/Net_first.weight");
  EXPECT_TRUE(Says(report.findings[0].message, {"all values are zero"}));
}

TEST_F(HalfPrecisionRangeTest, AScalerFindsItsScaleByItself) {
  Steps({{kWeight, kSmall}, {kOther, {{0, 1000}}}}, 1024);
  EXPECT_TRUE(IsSilent(Evaluate("HalfPrecisionRange")));
}

TEST_F(HalfPrecisionRangeTest, NoScaleHelpsWhereLayersAreFarApart) {
  Steps({{kWeight, kSmall}, {kOther, {{14, 1000}}}}, 1024);
  EXPECT_TRUE(Says(Only(Evaluate("HalfPrecisionRange")).advice, {"No scale fits"}));
}

TEST_F(HalfPrecisionRangeTest, AScalerMayOverflow) {
  Steps({{kWeight, {{128, 1000}}}}, 65536, 0, 5);
  Steps({{kWeight, {{15, 500}, {5, 500}}}}, 32768, 5, 15);
  EXPECT_TRUE(IsSilent(Evaluate("HalfPrecisionRange")));
}

TEST_F(HalfPrecisionRangeTest, ValuesThatAreAboutToOverflow) {
  Steps({{"exponents/float16/block_output_0", {{3, 990}, {15, 10}}}});
  const Finding finding = Only(Evaluate("HalfPrecisionRange"));
  EXPECT_EQ(finding.tensor, "block_output_0");
  EXPECT_TRUE(Says(finding.message, {"overflow risk: 1 %", "2^15", "float16"}));
}

TEST_F(HalfPrecisionRangeTest, ADeadRangeOfAnEightBitType) {
  Steps({{"exponents/float8_e4m3fn/Net_first.weight", {{-8, 100}, {-5, 900}}}});
  const Finding finding = Only(Evaluate("HalfPrecisionRange"));
  EXPECT_TRUE(Says(finding.message, {"dead range: 10 %", "upper 13 powers of two"}));
  EXPECT_TRUE(Says(finding.advice, {"2^2 = 4"}));
}

TEST_F(HalfPrecisionRangeTest, SmallActivationsAndBiasesDoNoHarm) {
  Steps({{"exponents/float16/softmax_output_0", kSmall},
         {"exponents/float16/gradient/Net_first.bias", kSmall}});
  EXPECT_TRUE(IsSilent(Evaluate("HalfPrecisionRange")));
}

TEST_F(HalfPrecisionRangeTest, GradientsThatWereNeverNarrowAreLeftOut) {
  Steps({{kWeight, {{-40, 200}, {-20, 1000}}}});
  EXPECT_TRUE(IsSilent(Evaluate("HalfPrecisionRange")));
}

TEST_F(HalfPrecisionRangeTest, EndsWhenTheValuesFitAgain) {
  Steps({{kWeight, kSmall}});
  Steps({{kWeight, kHealthy}}, 1, 10, 20);
  EXPECT_EQ(Only(Evaluate("HalfPrecisionRange")).last_step, 13);
}

TEST_F(HalfPrecisionRangeTest, FewValuesSayNothing) {
  Steps({{kWeight, {{-24, 10}}}});
  EXPECT_TRUE(IsSilent(Evaluate("HalfPrecisionRange")));
}

TEST_F(HalfPrecisionRangeTest, BadInputIsLeftOut) {
  for (Step step = 0; step < 20; ++step) {
    const int64_t bad = step % 2 == 0 ? -1 : INT64_MAX;
    Note(step, {}, "",
         {{kWeight, MakeTensor<int64_t>(DType::kInt64, {256}, std::vector<int64_t>(256, bad))},
          {kOther, FloatTensor({2}, {1, 2})},
          {"exponents/int8/gradient/Net_a.weight", Counts(kSmall)},
          {"exponents/float16", Counts(kSmall)}});
  }
  const RuleReport report = Evaluate("HalfPrecisionRange");
  EXPECT_TRUE(IsSilent(report));
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
}

}  // namespace
}  // namespace warden::rules
