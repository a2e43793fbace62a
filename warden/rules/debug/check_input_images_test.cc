#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using CheckInputImagesTest = RuleTest;

constexpr const char* kImages = "hybridsequential0_input_0";
constexpr const char* kImagesRule = "CheckInputImages:threshold_samples=4;threshold_mean=0.5";

TEST_F(CheckInputImagesTest, EvaluatesOnceThereAreEnoughImages) {
  // Two images of two channels of two pixels. Channel 0: -1 and 1; channel 1: 1, 1, 0, 0.
  const TestTensor batch = FloatTensor({2, 2, 1, 2}, {-1, 1, 1, 1, -1, 1, 0, 0});
  Save(0, Tensors{{kImages, batch}});
  EXPECT_EQ(Evaluate(kImagesRule).status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(Evaluate(kImagesRule).reason, "needs 4 images, found 2");
  Save(1, Tensors{{kImages, batch}});
  EXPECT_EQ(Evaluate(kImagesRule).status, RuleStatus::kNoIssuesFound);  // Exactly the threshold.
  const RuleReport report = Evaluate("CheckInputImages:threshold_samples=4;threshold_mean=0.49");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.findings[0].value, 0.5);
  EXPECT_EQ(report.findings[0].message,
            "hybridsequential0_input_0: mean 0.5 of channel 1 is more than 0.49 from 0 over 4 "
            "images (mean, standard deviation per channel: 0: 0, 1; 1: 0.5, 0.5) at step 1");
}

TEST_F(CheckInputImagesTest, ANegativeMeanIsAsFarFromZero) {
  Save(0, Tensors{{kImages, FloatTensor({4, 1}, {-1, -1, -1, -1})}});
  const RuleReport report = Evaluate(kImagesRule);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].value, -1);
}

TEST_F(CheckInputImagesTest, AllModesCountTogetherAndWorkersApart) {
  Manifest(2, {{"first_input", {"conv1_input_"}}});
  for (const int worker : {0, 1}) {
    const float value = worker == 0 ? 0.f : 1.f;
    Save(0, Tensors{{"conv1_input_0", FloatTensor({2, 1}, {value, value})}}, Mode::kTrain, worker);
    Save(1, Tensors{{"conv1_input_0", FloatTensor({2, 1}, {value, value})}}, Mode::kEval, worker);
  }
  const RuleReport report = Evaluate(kImagesRule);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
  EXPECT_EQ(report.findings[0].step, 1);
  EXPECT_EQ(report.coverage.tensors, 2);
}

TEST_F(CheckInputImagesTest, TheAxisOfChannelsCanBeSaid) {
  // Four images of two pixels, three channels last: means 0, 0, 3.
  std::vector<float> pixels;
  for (int i = 0; i < 8; ++i) pixels.insert(pixels.end(), {0, 0, 3});
  Save(0, Tensors{{"x", FloatTensor({4, 2, 3}, pixels)}});
  const RuleReport report = Evaluate("CheckInputImages:regex=x;channel=2;threshold_samples=4");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].value, 3);
  EXPECT_EQ(Evaluate("CheckInputImages:regex=x;channel=3;threshold_samples=4").reason,
            "all matching tensors were skipped: no channel axis");
}

TEST_F(CheckInputImagesTest, MeansAreOfTheFiniteValues) {
  Save(0, Tensors{{kImages, FloatTensor({4, 1}, {1, NAN, INFINITY, 1})}});
  const RuleReport report = Evaluate(kImagesRule);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].value, 1);
  Save(0, Tensors{{kImages, FloatTensor({4, 1}, {NAN, NAN, NAN, NAN})}});
  EXPECT_EQ(Evaluate(kImagesRule).reason, "all matching tensors were skipped: no finite values");
  Save(0, Tensors{{kImages, FloatTensor({0, 1}, {})}});
  EXPECT_EQ(Evaluate(kImagesRule).reason, "all matching tensors were skipped: no finite values");
  Save(0, SavedReduction(kImages, "mean", 1));
  EXPECT_EQ(Evaluate(kImagesRule).reason,
            "all matching tensors were skipped: full tensors were not saved; add --reductions "
            "none");
}

TEST_F(CheckInputImagesTest, TakesBytes) {
  Save(0, Tensors{{kImages, MakeTensor<uint8_t>(DType::kUInt8, {4, 1}, {255, 255, 0, 0})}});
  EXPECT_EQ(Evaluate(kImagesRule).findings.at(0).value, 127.5);
}

TEST_F(CheckInputImagesTest, Refusals) {
  EXPECT_EQ(Refusal("CheckInputImages:channel=0"),
            "CheckInputImages: channel is '0'; expected a positive integer");
}

}  // namespace
}  // namespace warden::rules
