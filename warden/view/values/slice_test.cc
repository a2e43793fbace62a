#include "warden/view/values/slice.h"

#include <gtest/gtest.h>

#include <limits>

namespace warden::view {
namespace {

using Shape = std::vector<int64_t>;

Result<ResolvedSlice> Resolve(std::string_view text, const Shape& shape) {
  const auto terms = ParseSlice(text);
  if (!terms.ok()) return terms.status();
  return ResolveSlice(terms.value(), shape);
}

std::vector<uint64_t> Places(std::string_view text, const Shape& shape) {
  const auto slice = Resolve(text, shape);
  EXPECT_TRUE(slice.ok()) << slice.status().message();
  std::vector<uint64_t> places;
  if (slice.ok()) {
    ForEachPlace(slice.value(), shape, [&](uint64_t place) { places.push_back(place); });
    EXPECT_EQ(places.size(), slice.value().count);
  }
  return places;
}

std::string ErrorOf(std::string_view text, const Shape& shape) {
  const auto slice = Resolve(text, shape);
  EXPECT_FALSE(slice.ok()) << text;
  EXPECT_EQ(slice.status().code(), Code::kInvalid);
  return slice.status().message();
}

using P = std::vector<uint64_t>;

TEST(Slice, NothingIsEverything) {
  const P all = {0, 1, 2, 3, 4, 5};
  for (const char* text : {"", "  ", "[]", "...", ":", ":,:", "[ : , ... ]", "::1", "..., :"}) {
    EXPECT_EQ(Places(text, {2, 3}), all) << text;
  }
  EXPECT_EQ(Places("", {}), P{0});
  EXPECT_EQ(Places("...", {}), P{0});
}

TEST(Slice, TakesIndicesRangesAndStepsAsNumPyDoes) {
  EXPECT_EQ(Places("1", {2, 3}), (P{3, 4, 5}));
  EXPECT_EQ(Places("-1", {2, 3}), (P{3, 4, 5}));
  EXPECT_EQ(Places("..., -1", {2, 3}), (P{2, 5}));
  EXPECT_EQ(Places("0,1:", {2, 3}), (P{1, 2}));
  EXPECT_EQ(Places("0,", {2, 3}), (P{0, 1, 2}));
  EXPECT_EQ(Places("::2", {5}), (P{0, 2, 4}));
  EXPECT_EQ(Places("::-1", {3}), (P{2, 1, 0}));
  EXPECT_EQ(Places("3:0:-2", {5}), (P{3, 1}));
  EXPECT_EQ(Places("-3:", {5}), (P{2, 3, 4}));
  EXPECT_EQ(Places(":-3", {5}), (P{0, 1}));
  EXPECT_EQ(Places("2:100", {5}), (P{2, 3, 4}));
  EXPECT_EQ(Places("-100:2", {5}), (P{0, 1}));
  EXPECT_EQ(Places("100:-100:-2", {5}), (P{4, 2, 0}));
  EXPECT_EQ(Places("4:2", {5}), P{});
  EXPECT_EQ(Places("::-1, 1", {2, 3}), (P{4, 1}));
  EXPECT_EQ(Places("::9223372036854775807", {5}), (P{0}));
  EXPECT_EQ(Places("::-9223372036854775808", {5}), (P{4}));
  EXPECT_EQ(Places("-9223372036854775808:9223372036854775807", {3}), (P{0, 1, 2}));
}

TEST(Slice, TellsTheShapeOfWhatItTakes) {
  EXPECT_EQ(Resolve("0, :, 10:20:3", {4, 2, 32}).value().shape, (Shape{2, 4}));
  EXPECT_EQ(Resolve("0,1", {2, 3}).value().shape, Shape{});
  EXPECT_EQ(Resolve("5:", {2, 3}).value().shape, (Shape{0, 3}));
}

// So that a link keeps showing the same where the shape has changed, and people see what they got.
TEST(Slice, WritesItselfInFull) {
  EXPECT_EQ(Resolve("..., -1", {2, 3}).value().text, ":, 2");
  EXPECT_EQ(Resolve("1:100:2", {9}).value().text, "1:8:2");
  for (const char* text : {"::-1", "3:0:-2", "4:2", "2:3", "5::-5", "::4", "-2:", "7"}) {
    const std::string full = Resolve(text, {9}).value().text;
    EXPECT_EQ(Places(full, {9}), Places(text, {9})) << text << " is " << full;
  }
}

TEST(Slice, EmptyAxes) {
  EXPECT_EQ(Places("", {0, 3}), P{});
  EXPECT_EQ(Places("::-1", {0}), P{});
  EXPECT_EQ(ErrorOf("0", {0, 3}), "slice index 0: axis 0 is empty");
}

// A shape with an empty axis may say anything of the others.
TEST(Slice, CountsWithoutOverflow) {
  const int64_t large = int64_t{1} << 40;
  EXPECT_EQ(Resolve("", {large, large, 0}).value().count, 0U);
  EXPECT_EQ(Resolve("", {large, large}).value().count, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(Resolve("5, 0:3", {large, large}).value().count, 3U);
}

TEST(Slice, ErrorsNameTheAxisAndItsSize) {
  EXPECT_EQ(ErrorOf("0, 5", {2, 3}),
            "slice index 5 is out of range for axis 1 with 3 elements; expected -3 to 2");
  EXPECT_EQ(ErrorOf("-3", {2, 3}),
            "slice index -3 is out of range for axis 0 with 2 elements; expected -2 to 1");
  EXPECT_EQ(ErrorOf("0,0,0", {2, 3}), "the slice has 3 axes, the tensor has 2: 2 x 3");
  EXPECT_EQ(ErrorOf("0", {}), "the slice has 1 axes, the tensor has 0: scalar");
}

TEST(Slice, RefusesWhatIsNoSlice) {
  for (const char* text :
       {"a", "1.5", "0,,1", ",", "1:2:3:4", "::0", "None", "[0", "0;1", "1 2", "--1", "0x1",
        "99999999999999999999", "1:99999999999999999999", "....", "..", "...,..."}) {
    const std::string message = ErrorOf(text, {2, 3, 4});
    EXPECT_NE(message.find("expected comma-separated whole numbers, ranges"), message.npos)
        << message;
  }
}

}  // namespace
}  // namespace warden::view
