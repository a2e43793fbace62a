#include "warden/view/timeline/track_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace warden::view {
namespace {

class TrackIndexTest : public testing::Test {
 protected:
  EventId Add(int64_t start, int64_t duration, const std::string& name = "a") {
    return store_.Add({start, duration, store_.LabelOf(names_.IdOf(name), 0), 0});
  }
  TrackIndex Build() const {
    std::vector<EventId> ids(store_.size());
    std::iota(ids.begin(), ids.end(), EventId{0});
    return TrackIndex(store_, ids);
  }

  timeline::Names names_;
  EventStore store_{names_};
};

TEST(PackDuration, IsExactWhereItCanBeAndNeverLonger) {
  for (const int64_t exact : {int64_t{0}, int64_t{1}, int64_t{999'999'999}, int64_t{5'000'001'000},
                              int64_t{1'000'000'000'000}, int64_t{500'000'000'000'000}}) {
    EXPECT_EQ(UnpackDuration(PackDuration(exact)), exact);
  }
  EXPECT_EQ(UnpackDuration(PackDuration(2'000'000'001)), 2'000'000'000);
  EXPECT_EQ(PackDuration(-5), 0u);
  EXPECT_EQ(PackDuration(INT64_MAX), UINT32_MAX);
  int64_t before = 0;
  for (int64_t length = 1; length < INT64_MAX / 3; length *= 3) {
    EXPECT_GT(PackDuration(length), PackDuration(before));
    before = length;
  }
}

TEST_F(TrackIndexTest, WhatLiesWithinAnotherStandsBelowIt) {
  const EventId inner = Add(20, 10);
  const EventId innermost = Add(20, 5);
  const EventId outer = Add(0, 100);
  const EventId next = Add(100, 50);
  const TrackIndex index = Build();
  ASSERT_EQ(index.rows().size(), 3u);
  EXPECT_EQ(index.PlaceOf(store_, outer), std::pair(size_t{0}, size_t{0}));
  EXPECT_EQ(index.PlaceOf(store_, next), std::pair(size_t{0}, size_t{1}));
  EXPECT_EQ(index.PlaceOf(store_, inner), std::pair(size_t{1}, size_t{0}));
  EXPECT_EQ(index.PlaceOf(store_, innermost), std::pair(size_t{2}, size_t{0}));
  EXPECT_EQ(index.SelfTime(store_, 0, outer), 90);
  EXPECT_EQ(index.SelfTime(store_, 1, inner), 5);
  EXPECT_EQ(index.SelfTime(store_, 2, innermost), 5);
  EXPECT_EQ(index.SelfTime(store_, 0, next), 50);
}

TEST_F(TrackIndexTest, WhatOverlapsTakesTheFirstFreeRow) {
  const EventId a = Add(0, 10);
  const EventId b = Add(5, 10);
  const EventId c = Add(12, 10);
  const TrackIndex index = Build();
  ASSERT_EQ(index.rows().size(), 2u);
  EXPECT_EQ(index.PlaceOf(store_, a).first, 0u);
  EXPECT_EQ(index.PlaceOf(store_, b).first, 1u);
  EXPECT_EQ(index.PlaceOf(store_, c).first, 0u);
}

TEST_F(TrackIndexTest, RowsAreLimited) {
  for (int i = 0; i < 1000; ++i) Add(i, 10'000);
  const TrackIndex index = Build();
  EXPECT_EQ(index.rows().size(), TrackIndex::kMostRows);
  EXPECT_EQ(index.size(), 1000u);
  std::vector<EventId> ids = index.Ids();
  std::sort(ids.begin(), ids.end());
  for (EventId i = 0; i < 1000; ++i) EXPECT_EQ(ids[i], i);
}

// Searches through blocks find what going through all finds.
TEST_F(TrackIndexTest, FindsTheSameAsALookAtEach) {
  std::mt19937 random(7);
  int64_t at = -50'000;
  std::vector<int64_t> starts;
  for (int i = 0; i < 5000; ++i) {
    const int64_t length = 1 + random() % (random() % 9 == 0 ? 500 : 5);
    starts.push_back(at);
    Add(at, length);
    at += length + (random() % 4 == 0 ? 0 : random() % 20);
  }
  const TrackIndex index = Build();
  ASSERT_EQ(index.rows().size(), 1u);
  const Row& row = index.rows()[0];
  for (int i = 0; i < 20'000; ++i) {
    const auto time = static_cast<int64_t>(random() % 200'000) - 60'000;
    const size_t from = random() % 5001;
    const auto expected = std::max<size_t>(
        std::lower_bound(starts.begin(), starts.end(), time) - starts.begin(), from);
    ASSERT_EQ(row.FirstFrom(store_, from, time), expected) << time << " from " << from;
    const size_t first = row.FirstAt(store_, time);
    EXPECT_TRUE(first == row.size() || store_.end(row[first]) >= time);
    EXPECT_TRUE(first == 0 || store_.end(row[first - 1]) <= time);
  }
}

TEST_F(TrackIndexTest, TellsWhatMostOfTheTimeWentTo) {
  for (int i = 0; i < 4000; ++i) {
    Add(i * 10, i % 4 == 0 ? 9 : 1, i % 4 == 0 ? "long" : i % 4 == 1 ? "b" : "c");
  }
  const TrackIndex index = Build();
  const Row& row = index.rows()[0];
  const LabelId wanted = store_.LabelOf(names_.IdOf("long"), 0);
  for (const size_t count : {4, 16, 17, 100, 1000, 4000}) {
    EXPECT_EQ(row.Dominant(store_, 0, count), wanted) << count;
    EXPECT_EQ(row.Dominant(store_, 4000 - count, 4000), wanted) << count;
  }
  EXPECT_EQ(store_.Text(row.Dominant(store_, 1, 2)).name, &names_.Text(names_.IdOf("b")));
}

}  // namespace
}  // namespace warden::view
