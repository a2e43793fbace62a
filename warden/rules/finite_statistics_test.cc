#include "warden/rules/finite_statistics.h"

#include <cmath>

#include "warden/rules/view_for_test.h"

namespace warden::rules {
namespace {

class FiniteStatisticsTest : public ViewTest {
 protected:
  // Each of these is a step of its own.
  Step Values(const std::vector<float>& values) {
    Save(next_, "x", values);
    return next_++;
  }
  Step Reductions(const std::map<std::string, float>& reductions) {
    Tensors tensors;
    for (const auto& [name, value] : reductions) tensors.merge(SavedReduction("x", name, value));
    Save(next_, tensors);
    return next_++;
  }
  TensorView& X(Step step) { return *At(step).at(0); }
  static std::optional<double> Of(const std::optional<Statistic>& statistic) {
    return statistic ? std::optional(statistic->value) : std::nullopt;
  }

  Step next_ = 0;
};

TEST_F(FiniteStatisticsTest, OfValues) {
  const Step step = Values({1, -3, 0, NAN, INFINITY});
  EXPECT_EQ(Of(MeanOfMagnitudes(X(step))), 4.0 / 3);
  EXPECT_EQ(Of(Mean(X(step))), -2.0 / 3);
  EXPECT_DOUBLE_EQ(Of(Variance(X(step))).value(), 10.0 / 3 - 4.0 / 9);
  EXPECT_DOUBLE_EQ(Of(Norm(X(step))).value(), std::sqrt(10.0));
  EXPECT_DOUBLE_EQ(Of(PercentZero(X(step))).value(), 100.0 / 3);
  EXPECT_EQ(Variance(X(step))->note, "");
}

TEST_F(FiniteStatisticsTest, NothingFinite) {
  for (const Step step : {Values({NAN}), Values({INFINITY, -INFINITY}), Values({})}) {
    EXPECT_EQ(Of(Mean(X(step))), std::nullopt);
    EXPECT_EQ(Of(MeanOfMagnitudes(X(step))), std::nullopt);
    EXPECT_EQ(Of(Variance(X(step))), std::nullopt);
    EXPECT_EQ(Of(Norm(X(step))), std::nullopt);
    EXPECT_EQ(Of(PercentZero(X(step))), std::nullopt);
    EXPECT_EQ(WhyNoStatistic(X(step)), kNothingFinite);
  }
}

TEST_F(FiniteStatisticsTest, OfSavedReductions) {
  const Step step = Reductions({{"abs_mean", 2}, {"mean", 1}, {"l2", 3}, {"std", 4}});
  EXPECT_EQ(Of(MeanOfMagnitudes(X(step))), 2);
  EXPECT_EQ(Of(Mean(X(step))), 1);
  EXPECT_EQ(Of(Norm(X(step))), 3);
  EXPECT_EQ(Of(Variance(X(step))), 16);
  EXPECT_EQ(Variance(X(step))->note, " (saved sample variance)");
  EXPECT_EQ(Of(PercentZero(X(step))), std::nullopt);
  EXPECT_EQ(WhyNoStatistic(X(step)), kNoValues);
}

TEST_F(FiniteStatisticsTest, ReductionsThatProveAStatistic) {
  const Step zero = Reductions({{"abs_max", 0}});
  const Step positive = Reductions({{"min", 1}, {"mean", 2}});
  const Step negative = Reductions({{"max", -1}, {"mean", -2}});
  const Step mixed = Reductions({{"min", -1}, {"max", 1}, {"mean", 0.5}});
  const Step constant = Reductions({{"min", 5}, {"max", 5}});
  EXPECT_EQ(Of(MeanOfMagnitudes(X(zero))), 0);
  EXPECT_EQ(Of(Norm(X(zero))), 0);
  EXPECT_EQ(Of(PercentZero(X(zero))), 100);
  EXPECT_EQ(Of(MeanOfMagnitudes(X(positive))), 2);
  EXPECT_EQ(Of(PercentZero(X(positive))), 0);
  EXPECT_EQ(Of(MeanOfMagnitudes(X(negative))), 2);
  EXPECT_EQ(Of(MeanOfMagnitudes(X(mixed))), std::nullopt);
  EXPECT_EQ(Of(Variance(X(constant))), 0);
}

TEST_F(FiniteStatisticsTest, ASpoiltReductionIsNone) {
  const Step step = Reductions({{"mean", NAN}, {"l2", INFINITY}});
  EXPECT_EQ(Of(Mean(X(step))), std::nullopt);
  EXPECT_EQ(Of(Norm(X(step))), std::nullopt);
}

TEST_F(FiniteStatisticsTest, CountsWhatIsNotFinite) {
  const auto values = CountNonFinite(X(Values({NAN, 1, INFINITY, -INFINITY})));
  ASSERT_TRUE(values);
  EXPECT_EQ(values->nan, 1);
  EXPECT_EQ(values->inf, 2);
  EXPECT_TRUE(values->counted);
}

TEST_F(FiniteStatisticsTest, ReductionsTellOnlyWhether) {
  const Step nan = Reductions({{"min", NAN}});
  const Step inf = Reductions({{"max", INFINITY}});
  const Step fine = Reductions({{"min", 0}, {"max", 1}});
  const Step mean = Reductions({{"mean", 1}});
  const Step unknown = Reductions({{"min", 0}});
  EXPECT_EQ(CountNonFinite(X(nan))->nan, 1);
  EXPECT_FALSE(CountNonFinite(X(nan))->counted);
  EXPECT_EQ(CountNonFinite(X(inf))->inf, 1);
  EXPECT_EQ(CountNonFinite(X(fine))->nan + CountNonFinite(X(fine))->inf, 0);
  EXPECT_EQ(CountNonFinite(X(mean))->inf, 0);
  EXPECT_FALSE(CountNonFinite(X(unknown)));
}

}  // namespace
}  // namespace warden::rules
