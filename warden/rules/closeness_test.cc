#include "warden/rules/closeness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace warden::rules {
namespace {

template <class T>
struct Held {
  std::vector<T> values;
  std::vector<int64_t> shape;
  DType dtype;
  stats::TensorRef ref() const { return {values.data(), dtype, shape}; }
};

Held<float> Floats(std::vector<float> values) {
  const auto size = static_cast<int64_t>(values.size());
  return {std::move(values), {size}, DType::kFloat32};
}
Held<double> Doubles(std::vector<double> values) {
  const auto size = static_cast<int64_t>(values.size());
  return {std::move(values), {size}, DType::kFloat64};
}

bool Close(std::vector<double> a, std::vector<double> b, const Tolerance& tolerance) {
  return AllClose(Doubles(std::move(a)).ref(), Doubles(std::move(b)).ref(), tolerance);
}

TEST(AllClose, TheBoundIsIncludedAndIsThatOfTheSecond) {
  const Tolerance tolerance{.rtol = 0.5, .atol = 1};
  EXPECT_TRUE(Close({7}, {4}, tolerance));  // 3 <= 1 + 0.5 * 4.
  EXPECT_FALSE(Close({std::nextafter(7, 8)}, {4}, tolerance));
  EXPECT_TRUE(Close({4}, {7}, tolerance));    // 3 <= 1 + 0.5 * 7.
  EXPECT_FALSE(Close({10}, {4}, tolerance));  // The other way round it would be.
  EXPECT_TRUE(Close({4}, {10}, tolerance));
}

TEST(AllClose, NaNAndInfinity) {
  const Tolerance plain{};
  const Tolerance equal_nan{.equal_nan = true};
  EXPECT_FALSE(Close({NAN}, {NAN}, plain));
  EXPECT_TRUE(Close({NAN}, {NAN}, equal_nan));
  EXPECT_FALSE(Close({NAN}, {1}, equal_nan));
  EXPECT_FALSE(Close({1}, {NAN}, equal_nan));
  EXPECT_TRUE(Close({INFINITY}, {INFINITY}, plain));
  EXPECT_FALSE(Close({INFINITY}, {-INFINITY}, plain));
  EXPECT_FALSE(Close({1}, {INFINITY}, plain));  // The bound alone would allow it.
  EXPECT_FALSE(Close({INFINITY}, {1}, plain));
}

TEST(AllClose, LooksAtEveryValue) {
  for (const size_t size : {1u, 63u, 64u, 65u, 1000u}) {
    const std::vector<float> base(size, 1.0f);
    EXPECT_TRUE(AllClose(Floats(base).ref(), Floats(base).ref(), {}));
    for (const size_t at : {size_t{0}, size / 2, size - 1}) {
      std::vector<float> other = base;
      other[at] = 1.001f;
      EXPECT_FALSE(AllClose(Floats(other).ref(), Floats(base).ref(), {})) << size << " " << at;
    }
  }
}

TEST(AllClose, OfDifferentTypesAndShapes) {
  const std::vector<float> floats(300, 0.5f);
  std::vector<double> doubles(300, 0.5);
  EXPECT_TRUE(AllClose(Floats(floats).ref(), Doubles(doubles).ref(), {}));
  doubles[299] = 0.6;
  EXPECT_FALSE(AllClose(Floats(floats).ref(), Doubles(doubles).ref(), {}));
  const Held<float> row{{1, 2}, {1, 2}, DType::kFloat32};
  EXPECT_FALSE(AllClose(row.ref(), Floats({1, 2}).ref(), {}));
  EXPECT_TRUE(AllClose(Floats({}).ref(), Floats({}).ref(), {}));
  const Held<int64_t> whole{{1, 2}, {2}, DType::kInt64};
  const Held<int64_t> other{{1, 3}, {2}, DType::kInt64};
  EXPECT_TRUE(AllClose(whole.ref(), whole.ref(), {}));
  EXPECT_FALSE(AllClose(whole.ref(), other.ref(), {}));
}

}  // namespace
}  // namespace warden::rules
