#include "warden/stats/reductions.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <array>
#include <cmath>
#include <vector>

#include "warden/stats/tensor_for_test.h"

namespace warden::stats {
namespace {

// min, max, mean, std, variance, sum, prod, l1, l2; then the same of the absolute values.
using AllReductions = std::array<double, Reduction::kCount>;

void ExpectReductions(const std::vector<double>& values, Flavor flavor, const AllReductions& want) {
  const TestTensor tensor(DType::kFloat64, values);
  const Summary summary = Summarize(tensor.ref()).value();
  for (int i = 0; i < Reduction::kCount; ++i) {
    const Reduction reduction = Reduction::FromIndex(i);
    const double got = Reduce(summary, reduction, flavor);
    SCOPED_TRACE(ReductionName(reduction));
    if (std::isfinite(want[static_cast<size_t>(i)])) {
      EXPECT_NEAR(got, want[static_cast<size_t>(i)], 1e-13);
    } else if (std::isnan(want[static_cast<size_t>(i)])) {
      EXPECT_TRUE(std::isnan(got)) << got;
    } else {
      EXPECT_EQ(got, want[static_cast<size_t>(i)]);
    }
  }
}

double Compute(const TestTensor& tensor, ReductionOp op, bool abs = false) {
  return ComputeReduction(tensor.ref(), {op, abs}).value();
}

TEST(Reduce, FiniteValues) {
  const double a = std::sqrt(1.25), l2 = std::sqrt(30);
  ExpectReductions({1, -2, 3, -4}, Flavor::kComputed,
                   {-4, 3, -0.5, std::sqrt(7.25), 7.25, -2, 24, 10, l2,  //
                    1, 4, 2.5, a, 1.25, 10, 24, 10, l2});
  ExpectReductions({1, 2, 3, -3}, Flavor::kSaved,
                   {-3, 3, 0.75, std::sqrt(20.75 / 3), 20.75 / 3, 3, -18, 9, std::sqrt(23),  //
                    1, 3, 2.25, std::sqrt(2.75 / 3), 2.75 / 3, 9, 18, 9, std::sqrt(23)});
}

TEST(Reduce, Nothing) {
  const AllReductions want = {kNaN, kNaN, kNaN, kNaN, kNaN, 0, 1, 0, 0,
                              kNaN, kNaN, kNaN, kNaN, kNaN, 0, 1, 0, 0};
  ExpectReductions({}, Flavor::kComputed, want);
  ExpectReductions({}, Flavor::kSaved, want);
}

TEST(Reduce, OneElement) {
  ExpectReductions({-3}, Flavor::kComputed,
                   {-3, -3, -3, 0, 0, -3, -3, 3, 3, 3, 3, 3, 0, 0, 3, 3, 3, 3});
  ExpectReductions({-3}, Flavor::kSaved,
                   {-3, -3, -3, kNaN, kNaN, -3, -3, 3, 3, 3, 3, 3, kNaN, kNaN, 3, 3, 3, 3});
}

TEST(Reduce, NaNWins) {
  AllReductions want;
  want.fill(kNaN);
  ExpectReductions({1, kNaN, kInf}, Flavor::kComputed, want);
}

TEST(Reduce, Infinities) {
  ExpectReductions({-1, kInf}, Flavor::kComputed,
                   {-1, kInf, kInf, kNaN, kNaN, kInf, -kInf, kInf, kInf,  //
                    1, kInf, kInf, kNaN, kNaN, kInf, kInf, kInf, kInf});
  ExpectReductions({2, -kInf}, Flavor::kSaved,
                   {-kInf, 2, -kInf, kNaN, kNaN, -kInf, -kInf, kInf, kInf,  //
                    2, kInf, kInf, kNaN, kNaN, kInf, kInf, kInf, kInf});
  ExpectReductions({0, kInf, -kInf}, Flavor::kComputed,
                   {-kInf, kInf, kNaN, kNaN, kNaN, kNaN, kNaN, kInf, kInf,  //
                    0, kInf, kInf, kNaN, kNaN, kInf, kNaN, kInf, kInf});
  ExpectReductions({-kInf}, Flavor::kComputed,
                   {-kInf, -kInf, -kInf, kNaN, kNaN, -kInf, -kInf, kInf, kInf,  //
                    kInf, kInf, kInf, kNaN, kNaN, kInf, kInf, kInf, kInf});
}

TEST(ComputeReduction, MatrixNorms) {
  const TestTensor matrix(DType::kFloat64, {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(Compute(matrix, ReductionOp::kL1), 6);
  EXPECT_NEAR(Compute(matrix, ReductionOp::kL2), 5.4649857042190426, 1e-14);
  const TestTensor mixed(DType::kFloat64, {2, 3}, {1, -2, 3, 4, 5, -6});
  EXPECT_EQ(Compute(mixed, ReductionOp::kL1), 9);
  EXPECT_NEAR(Compute(mixed, ReductionOp::kL2), std::sqrt((91 + std::sqrt(6273)) / 2), 1e-13);
  EXPECT_NEAR(Compute(mixed, ReductionOp::kL2, true), std::sqrt((91 + std::sqrt(8065)) / 2), 1e-13);
}

TEST(ComputeReduction, VectorNormsOfOtherRanks) {
  for (const auto& shape : std::vector<std::vector<int64_t>>{{4}, {2, 2, 1}}) {
    const TestTensor tensor(DType::kFloat32, shape, {1, 2, -3, 4});
    EXPECT_EQ(Compute(tensor, ReductionOp::kL1), 10);
    EXPECT_EQ(Compute(tensor, ReductionOp::kL2), std::sqrt(30.0f));
  }
  EXPECT_EQ(Compute(TestTensor(DType::kFloat32, std::vector<int64_t>(), {-3}), ReductionOp::kL2),
            3);
}

TEST(ComputeReduction, EmptyMatrix) {
  const TestTensor empty(DType::kFloat32, std::vector<int64_t>{0, 3}, {});
  EXPECT_EQ(Compute(empty, ReductionOp::kL1), 0);
  EXPECT_EQ(Compute(empty, ReductionOp::kL2), 0);
  EXPECT_TRUE(std::isnan(Compute(empty, ReductionOp::kMean)));
}

TEST(ComputeReduction, MatrixNormsOfWhatIsNotFinite) {
  const TestTensor infinite(DType::kFloat32, {2, 2}, {1, 2, -kInf, 4});
  EXPECT_EQ(Compute(infinite, ReductionOp::kL1), kInf);
  EXPECT_TRUE(std::isnan(Compute(infinite, ReductionOp::kL2)));
  const TestTensor nan(DType::kFloat32, {2, 2}, {1, 2, kNaN, 4});
  EXPECT_TRUE(std::isnan(Compute(nan, ReductionOp::kL1)));
}

TEST(ComputeReduction, SpectralNormOfManyShapes) {
  using Shape = std::pair<int64_t, int64_t>;
  for (const auto& [rows, cols] : {Shape{1, 300}, Shape{300, 1}, Shape{40, 300}, Shape{300, 40},
                                   Shape{90, 200}, Shape{200, 90}, Shape{150, 150}}) {
    const auto values = RandomNormals(static_cast<size_t>(rows * cols), 0, 1, 31);
    const Eigen::Map<const Eigen::MatrixXd> transposed(values.data(), cols, rows);
    const double want = Eigen::JacobiSVD<Eigen::MatrixXd>(transposed).singularValues()[0];
    const TestTensor tensor(DType::kFloat64, {rows, cols}, values, 1);
    EXPECT_NEAR(Compute(tensor, ReductionOp::kL2), want, 1e-11 * want) << rows << 'x' << cols;
  }
}

TEST(ComputeReduction, SpectralNormOfSpecialMatrices) {
  constexpr int64_t kSize = 100;
  std::vector<double> values(kSize * kSize, 0);
  EXPECT_EQ(Compute(TestTensor(DType::kFloat64, {kSize, kSize}, values), ReductionOp::kL2), 0);
  for (size_t i = 0; i < kSize; ++i) values[i * kSize + i] = -2;
  EXPECT_NEAR(Compute(TestTensor(DType::kFloat64, {kSize, kSize}, values), ReductionOp::kL2), 2,
              1e-12);
  for (double magnitude : {1e250, 1e-300}) {
    values.assign(values.size(), magnitude);
    const TestTensor tensor(DType::kFloat64, {kSize, kSize}, values);
    EXPECT_NEAR(Compute(tensor, ReductionOp::kL2) / magnitude, kSize, 1e-10);
  }
}

TEST(ComputeReduction, RoundsToTheTypeOfTheTensor) {
  const TestTensor halves(DType::kFloat16, {60000, 60000});
  EXPECT_EQ(Compute(halves, ReductionOp::kSum), kInf);
  const TestTensor floats(DType::kFloat32, {1, 1, 2});
  EXPECT_EQ(Compute(floats, ReductionOp::kMean), static_cast<double>(4.0f / 3.0f));
  const TestTensor integers(DType::kUInt8, {1, 1, 2});
  EXPECT_EQ(Compute(integers, ReductionOp::kMean), 4.0 / 3.0);
}

TEST(ComputeReduction, RefusesComplexNumbers) {
  EXPECT_EQ(ComputeReduction({nullptr, DType::kComplex64, {}}, {}).status().code(),
            Code::kInvalidType);
}

}  // namespace
}  // namespace warden::stats
