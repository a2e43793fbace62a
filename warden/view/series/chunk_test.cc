#include "warden/view/series/chunk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace warden::view {
namespace {

std::map<size_t, double> Content(const Chunk& chunk, size_t first = 0,
                                 size_t last = Chunk::kSlots) {
  std::map<size_t, double> content;
  chunk.ForEach(first, last, [&](size_t slot, double value) { content[slot] = value; });
  return content;
}

TEST(Chunk, WhatIsTheSameEverywhereTakesNoMemory) {
  Chunk chunk;
  for (size_t i = 0; i < Chunk::kSlots; ++i) chunk.Set(i, 0.1);
  EXPECT_EQ(chunk.heap_bytes(), 0u);
  EXPECT_EQ(chunk.count(), Chunk::kSlots);
  EXPECT_EQ(chunk.At(255), 0.1);
}

TEST(Chunk, WhatFitsFloatTakesFourBytesAndNothingIsRounded) {
  Chunk chunk;
  for (size_t i = 0; i < Chunk::kSlots; ++i) chunk.Set(i, static_cast<double>(i) / 8);
  EXPECT_EQ(chunk.heap_bytes(), 4 * Chunk::kSlots);
  chunk.Set(7, 0.1);
  EXPECT_EQ(chunk.heap_bytes(), 8 * Chunk::kSlots);
  chunk.Set(8, 123456789.0123456789);
  EXPECT_EQ(chunk.At(7), 0.1);
  EXPECT_EQ(chunk.At(8), 123456789.0123456789);
  EXPECT_EQ(chunk.At(9), 9.0 / 8);
}

TEST(Chunk, NotFiniteNumbersAreKept) {
  Chunk chunk;
  chunk.Set(3, std::numeric_limits<double>::quiet_NaN());
  chunk.Set(1, -std::numeric_limits<double>::infinity());
  chunk.Set(2, 1e300);
  EXPECT_TRUE(std::isnan(chunk.At(3)));
  EXPECT_EQ(chunk.At(1), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(chunk.At(2), 1e300);
}

// Against a map, in an order that no run has.
TEST(Chunk, DoesAsAMapDoes) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    Chunk chunk;
    std::map<size_t, double> expected;
    for (int i = 0; i < 600; ++i) {
      const size_t slot = random() % Chunk::kSlots;
      if (random() % 4 == 0) {
        chunk.Erase(slot);
        expected.erase(slot);
      } else {
        const double value = random() % (round < 10 ? 3 : 1000) / (round % 2 == 0 ? 10.0 : 4.0);
        chunk.Set(slot, value);
        expected[slot] = value;
      }
    }
    EXPECT_EQ(Content(chunk), expected);
    const size_t first = random() % 200;
    const size_t last = first + random() % 57;
    const std::map<size_t, double> part(expected.lower_bound(first), expected.lower_bound(last));
    EXPECT_EQ(Content(chunk, first, last), part) << first << " to " << last;
  }
}

}  // namespace
}  // namespace warden::view
