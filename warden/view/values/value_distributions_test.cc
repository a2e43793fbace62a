#include "warden/view/values/value_distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/local_store.h"
#include "warden/storage/storage_for_test.h"
#include "warden/trial/trial_for_test.h"

namespace warden::view {
namespace {

using trial::FloatTensor;
using trial::MakeTensor;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

class DistributionTest : public testing::Test {
 protected:
  void Save(Step step, const std::vector<float>& values) {
    const auto count = static_cast<int64_t>(values.size());
    builder_.Tensors(step, 0, {{"w", FloatTensor({count}, values)}});
  }
  Distributions Make(size_t bins = 4, const std::string& tensor = "w") {
    auto made = MakeDistributions(&run_, {{.tensor = tensor}, bins});
    EXPECT_TRUE(made.ok()) << made.status().message();
    return made.ok() ? std::move(made.value()) : Distributions();
  }

  os::TempFolder folder_;
  std::unique_ptr<storage::Store> store_ = storage::NewLocalStore(folder_.path());
  trial::RunBuilder builder_{store_.get()};
  RunValues run_{folder_.path()};
};

TEST_F(DistributionTest, CountsEveryStepWithCommonEdges) {
  Save(0, {-2, -1, 0, 1, 2});
  Save(10, {0, 0.5, 1, 1.5, 1.75});
  const Distributions d = Make();
  EXPECT_TRUE(d.of_values);
  EXPECT_EQ(d.steps, (std::vector<double>{0, 10}));
  EXPECT_EQ(d.count, 5U);
  EXPECT_EQ(d.sampled, 0U);
  EXPECT_EQ(d.edges, (std::vector<double>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(d.counts, (std::vector<float>{1, 1, 1, 2, 0, 0, 2, 3}));
  ASSERT_EQ(d.quantiles.size(), 18U);
  EXPECT_EQ(d.quantiles[0], -2);
  EXPECT_EQ(d.quantiles[3], -1);
  EXPECT_EQ(d.quantiles[4], 0);
  EXPECT_EQ(d.quantiles[8], 2);
  EXPECT_EQ(d.quantiles[13], 1);
  EXPECT_DOUBLE_EQ(d.quantiles[1], -1.96);  // As numpy.quantile([-2, -1, 0, 1, 2], .01).
}

TEST_F(DistributionTest, LeavesOutWhatIsNotFinite) {
  Save(0, {kNan, kInf, -kInf, 1, 3});
  Save(1, {kNan, kNan});
  Save(2, {});
  const Distributions d = Make(2);
  EXPECT_EQ(d.edges, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(d.counts, (std::vector<float>{1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(d.not_finite, (std::vector<double>{3, 2, 0}));
  EXPECT_EQ(d.quantiles[4], 2);
  EXPECT_TRUE(std::isnan(d.quantiles[13]));
  EXPECT_TRUE(std::isnan(d.quantiles[22]));
}

TEST_F(DistributionTest, NothingFiniteAtAll) {
  Save(0, {kNan});
  const Distributions d = Make(2);
  EXPECT_EQ(d.edges, (std::vector<double>{-1, 0, 1}));
  EXPECT_EQ(d.counts, (std::vector<float>{0, 0}));
}

TEST_F(DistributionTest, SamplesLargeTensors) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(400'000);
  for (float& value : values) value = normal(random);
  values[123] = 9;
  Save(0, values);
  const Distributions d = Make(20);
  EXPECT_EQ(d.count, 400'000U);
  EXPECT_EQ(d.sampled, 65'536U);
  const double all = std::accumulate(d.counts.begin(), d.counts.end(), 0.0);
  EXPECT_NEAR(all, 400'000, 1);
  EXPECT_EQ(d.quantiles[8], 9);  // The most of all values, sampled or not.
  EXPECT_NEAR(d.quantiles[4], 0, 0.02);
  EXPECT_NEAR(d.quantiles[5], 0.6745, 0.02);
  EXPECT_NEAR(d.quantiles[7], 2.326, 0.05);
}

// Channels that alternate must not be sampled one by one.
TEST_F(DistributionTest, SamplesSeeEveryChannel) {
  std::vector<float> values(1 << 18);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 4);
  Save(0, values);
  const Distributions d = Make(4);
  for (const float count : d.counts) EXPECT_NEAR(count, 1 << 16, 1 << 10);
}

TEST_F(DistributionTest, EveryTypeOfNumbers) {
  builder_.Tensors(0, 0,
                   {{"bool", MakeTensor<uint8_t>(DType::kBool, {4}, {0, 1, 1, 1})},
                    {"half", MakeTensor<uint16_t>(DType::kFloat16, {2}, {0x3c00, 0xc000})},
                    {"brain", MakeTensor<uint16_t>(DType::kBFloat16, {1}, {0x4040})},
                    {"int", MakeTensor<int64_t>(DType::kInt64, {2}, {-5, 5})},
                    {"complex", MakeTensor<float>(DType::kComplex64, {2}, {3, 4, 0, -1})},
                    {"text", {.dtype = DType::kString, .shape = {1}, .strings = {"a"}}}});
  EXPECT_EQ(Make(2, "bool").counts, (std::vector<float>{1, 3}));
  EXPECT_EQ(Make(2, "half").edges, (std::vector<double>{-2, -0.5, 1}));
  EXPECT_EQ(Make(2, "brain").quantiles[4], 3);
  EXPECT_EQ(Make(2, "int").edges, (std::vector<double>{-5, 0, 5}));
  EXPECT_EQ(Make(2, "complex").edges, (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(MakeDistributions(&run_, {{.tensor = "text"}, 2}).status().code(), Code::kInvalidType);
}

TEST_F(DistributionTest, OnlyReductions) {
  builder_.Step(0, 0,
                {{"smdebug/reductions/min/w", -1},
                 {"smdebug/reductions/max/w", 2},
                 {"smdebug/reductions/mean/w", 0.5},
                 {"smdebug/reductions/std/w", 0.25}});
  builder_.Step(1, 0, {{"smdebug/reductions/min/w", -3}, {"smdebug/reductions/variance/w", 4}});
  const Distributions d = Make();
  EXPECT_FALSE(d.of_values);
  EXPECT_EQ(d.steps, (std::vector<double>{0, 1}));
  EXPECT_EQ(d.low, (std::vector<double>{-1, -3}));
  EXPECT_EQ(d.high[0], 2);
  EXPECT_TRUE(std::isnan(d.high[1]));
  EXPECT_TRUE(std::isnan(d.mean[1]));
  EXPECT_EQ(d.std, (std::vector<double>{0.25, 2}));
}

TEST_F(DistributionTest, AStepThatCannotBeReadIsAProblem) {
  Save(0, {1, 2});
  Save(1, {1, 2});
  builder_.Put(format::EventFileKey(1, "worker_0"), "damaged");
  const Distributions d = Make();
  EXPECT_EQ(d.steps, (std::vector<double>{0}));
  ASSERT_EQ(d.problems.size(), 1U);
  EXPECT_NE(d.problems[0].find("tensor 'w' at step 1"), std::string::npos) << d.problems[0];
  builder_.Put(format::EventFileKey(0, "worker_0"), "damaged");
  EXPECT_EQ(MakeDistributions(&run_, {{.tensor = "w"}, 4}).status().code(), Code::kCorrupt);
}

}  // namespace
}  // namespace warden::view
