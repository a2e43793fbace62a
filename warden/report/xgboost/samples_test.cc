#include "warden/report/xgboost/samples.h"

#include <gtest/gtest.h>

#include "warden/report/xgboost/xgboost_for_test.h"

namespace warden::report::xgboost {
namespace {

std::string Refusal(const trial::TensorValue& labels, const trial::TensorValue& predictions) {
  const auto made = Samples::Make(labels, predictions, 0);
  return made.ok() ? "" : made.status().message();
}

TEST(Samples, ComeInOrderHoweverManyThereAre) {
  std::vector<double> labels;
  std::vector<double> rows;
  for (int i = 0; i < 50'000; ++i) {
    labels.push_back(i);
    for (int j = 0; j < 3; ++j) rows.push_back(10.0 * i + j);
  }
  const Samples samples = SamplesOf(labels, rows);
  EXPECT_EQ(samples.width(), 3u);
  double next = 0;
  samples.ForEach([&](double label, std::span<const double> row) {
    ASSERT_EQ(label, next);
    ASSERT_EQ(row.size(), 3u);
    ASSERT_EQ(row[2], 10 * next + 2);
    ++next;
  });
  EXPECT_EQ(next, 50'000);
}

TEST(Samples, ARowIsWiderThanAllThatIsReadAtOnce) {
  std::vector<double> rows(2 * 40'000, 0);
  rows.back() = 7;
  double last = 0;
  SamplesOf({1, 2}, rows).ForEach([&](double /*label*/, std::span<const double> row) {
    last = row.back();
  });
  EXPECT_EQ(last, 7);
}

TEST(Samples, SayWhyTheyDoNotGoTogether) {
  const auto three = TensorOf({1, 2, 3}, {3});
  EXPECT_NE(Refusal(three, TensorOf({1, 2}, {2})).find("3 labels but 2 predictions"),
            std::string::npos);
  EXPECT_NE(Refusal(three, TensorOf({}, {0})).find("empty"), std::string::npos);
  trial::TensorValue words;
  words.dtype = DType::kString;
  words.shape = {3};
  EXPECT_NE(Refusal(words, three).find("labels are not real numbers"), std::string::npos);
  EXPECT_NE(Refusal(three, words).find("predictions are not real numbers"), std::string::npos);
}

TEST(Samples, OneLongRowIsFoldedIfTheNumberOfClassesIsKnown) {
  const auto labels = TensorOf({0, 1}, {2});
  const auto row = TensorOf({1, 2, 3, 4, 5, 6}, {6});
  EXPECT_FALSE(Samples::Make(labels, row, 0).ok());
  EXPECT_FALSE(Samples::Make(labels, row, 2).ok());
  EXPECT_EQ(Samples::Make(labels, row, 3).value().width(), 3u);
}

TEST(Sum, KeepsWhatLargeNumbersHide) {
  Sum sum;
  for (const double value : {1e100, 1.0, -1e100}) sum.Add(value);
  EXPECT_EQ(sum.value(), 1);
}

}  // namespace
}  // namespace warden::report::xgboost
