#include "warden/cli/terminal_charts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace warden::cli {
namespace {

template <class T>
stats::LinearHistogram HistogramOf(const std::vector<T>& values, DType dtype) {
  const int64_t size = std::ssize(values);
  return stats::MakeLinearHistogram({values.data(), dtype, std::span(&size, 1)}, 20).value();
}

TEST(DrawTest, FitsTheWidth) {
  const stats::LinearHistogram histogram = HistogramOf<int32_t>({1, 1, 1, 1, 2, 2}, DType::kInt32);
  Terminal terminal;
  terminal.width = 40;
  EXPECT_EQ(Draw(histogram, terminal),
            "value    count        %\n"
            "    1        4   66.67%  ##############\n"
            "    2        2   33.33%  #######\n"
            "6 values, zeros 0, NaN 0, +inf 0, -inf 0\n");
  terminal.utf8 = true;
  EXPECT_NE(Draw(histogram, terminal).find("33.33%  ███████\n"), std::string::npos);
}

TEST(DrawTest, TakesAnyNumbers) {
  const double largest = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> cases = {{},
                                                  {NAN},
                                                  {7, 7, 7},
                                                  {-largest, largest},
                                                  {0, std::numeric_limits<double>::denorm_min()},
                                                  {1e300, 1e300 * (1 + 1e-15)},
                                                  {largest},
                                                  {-largest, -1, 0, 1, largest}};
  for (const auto& values : cases) {
    EXPECT_FALSE(Draw(HistogramOf(values, DType::kFloat64), {}).empty());
  }
}

TEST(SparklineTest, ShowsTheCourse) {
  EXPECT_EQ(Sparkline({0, 1, 2, 3, 4, 5, 6, 7}, 80), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(Sparkline({0, 0, 7, 7}, 2), "▁█");
  EXPECT_EQ(Sparkline({1, NAN, 1}, 80), "▅ ▅");
  EXPECT_EQ(Sparkline({}, 80), "");
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(Sparkline({-largest, largest}, 80), "▁█");
}

}  // namespace
}  // namespace warden::cli
