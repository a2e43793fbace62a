#include "warden/view/timeline/slices.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "warden/view/timeline/search.h"
#include "warden/view/timeline/statistics.h"

namespace warden::view {
namespace {

class SlicesTest : public testing::Test {
 protected:
  EventId Add(TrackId track, int64_t start, int64_t duration, const std::string& name = "a") {
    if (track >= ids_.size()) ids_.resize(track + 1);
    const EventId id = store_->Add({start, duration, store_->LabelOf(names_.IdOf(name), 0), track});
    ids_[track].push_back(id);
    return id;
  }

  TimelineSnapshot Snapshot() const {
    TimelineSnapshot snapshot;
    snapshot.store = store_;
    snapshot.events = store_->size();
    snapshot.labels = store_->labels();
    for (size_t i = 0; i < ids_.size(); ++i) {
      snapshot.tracks.push_back({{}, std::make_shared<TrackIndex>(*store_, ids_[i])});
      snapshot.order.push_back(static_cast<TrackId>(i));
    }
    return snapshot;
  }

  Slices Ask(int64_t from, int64_t to, int64_t width, std::vector<TrackId> tracks = {},
             size_t most = 100'000) const {
    return SlicesOf(Snapshot(), {{from, to}, width, std::move(tracks), most});
  }

  timeline::Names names_;
  std::shared_ptr<EventStore> store_ = std::make_shared<EventStore>(names_);
  std::vector<std::vector<EventId>> ids_;
};

TEST_F(SlicesTest, LongEventsComeSinglyAndShortOnesByPixel) {
  const EventId outer = Add(0, 0, 100'000, "step");
  for (int i = 0; i < 10; ++i) Add(0, 10'000 + i * 10, 5, i < 7 ? "many" : "few");
  const EventId alone = Add(0, 50'000, 5, "alone");
  const EventId last = Add(1, 99'000, 40'000, "other");
  const Slices slices = Ask(0, 100'000, 100);  // 1000 ns for a pixel.
  ASSERT_EQ(slices.size(), 4u);
  EXPECT_EQ(slices.id, (std::vector<EventId>{outer, 1, alone, last}));
  EXPECT_EQ(slices.count, (std::vector<uint32_t>{1, 10, 1, 1}));
  EXPECT_EQ(slices.depth, (std::vector<uint32_t>{0, 1, 1, 0}));
  EXPECT_EQ(slices.track, (std::vector<uint32_t>{0, 0, 0, 1}));
  EXPECT_EQ(slices.start, (std::vector<double>{0, 10, 50, 99}));
  EXPECT_EQ(slices.duration, (std::vector<double>{100, 0.095, 0.005, 40}));
  EXPECT_EQ(*store_->Text(slices.name[1]).name, "many");
  EXPECT_FALSE(slices.cut);
}

TEST_F(SlicesTest, OnlyTheWindowAndTheTracksAskedFor) {
  Add(0, 0, 10);
  const EventId reaches_in = Add(0, 50, 100);
  const EventId inside = Add(0, 200, 10);
  Add(0, 300, 10);
  Add(1, 200, 10);
  EXPECT_EQ(Ask(100, 300, 200, {0}).id, (std::vector<EventId>{reaches_in, inside}));
  EXPECT_EQ(Ask(100, 300, 200).size(), 3u);
  EXPECT_EQ(Ask(100, 300, 200, {7, 9}).size(), 0u);
  EXPECT_EQ(Ask(5'000, 6'000, 200).size(), 0u);
  EXPECT_EQ(Ask(-6'000, -5'000, 200).size(), 0u);
}

// At every zoom: each event of the window is in exactly one slice, what is at least a pixel long
// stands alone, and no row has many more slices than pixels.
TEST_F(SlicesTest, NoEventIsLostAtAnyZoom) {
  std::mt19937 random(3);
  int64_t at = 0;
  for (int i = 0; i < 60'000; ++i) {
    const int64_t length = 1 + random() % (random() % 200 == 0 ? 20'000 : 60);
    Add(0, at, length);
    at += length + (random() % 500 == 0 ? random() % 100'000 : random() % 5);
  }
  const TimelineSnapshot snapshot = Snapshot();
  ASSERT_EQ(snapshot.tracks[0].index->rows().size(), 1u);
  for (const int64_t part : {1, 3, 10, 100, 1000}) {
    for (int round = 0; round < 4; ++round) {
      const int64_t from = part == 1 ? 0 : static_cast<int64_t>(random()) % (at - at / part);
      const int64_t to = from + at / part;
      const int64_t width = 300;
      const Slices slices = SlicesOf(snapshot, {{from, to}, width, {}, 1'000'000});
      size_t expected = 0;
      size_t expected_long = 0;
      const double pixel = static_cast<double>(to - from) / static_cast<double>(width);
      for (EventId id = 0; id < snapshot.events; ++id) {
        if (store_->start(id) >= to) continue;
        if (store_->end(id) <= from && store_->start(id) < from) continue;
        ++expected;
        expected_long += static_cast<double>(store_->duration(id)) >= pixel ? 1 : 0;
      }
      size_t found = 0;
      size_t found_long = 0;
      for (size_t i = 0; i < slices.size(); ++i) {
        found += slices.count[i];
        found_long += slices.count[i] == 1 && slices.duration[i] * 1e3 >= pixel ? 1 : 0;
      }
      EXPECT_EQ(found, expected) << part;
      EXPECT_EQ(found_long, expected_long) << part;
      EXPECT_LE(slices.size(), static_cast<size_t>(2 * width + 2)) << part;
    }
  }
}

TEST_F(SlicesTest, TooManyBecomeCoarserAndSayso) {
  for (TrackId track = 0; track < 20; ++track) {
    for (int i = 0; i < 500; ++i) Add(track, i * 100, 50);
  }
  const Slices fine = Ask(0, 50'000, 5000);
  EXPECT_EQ(fine.size(), 10'000u);
  EXPECT_DOUBLE_EQ(fine.pixel_us, 0.01);
  const Slices coarse = Ask(0, 50'000, 5000, {}, 3000);
  EXPECT_LE(coarse.size(), 3000u);
  EXPECT_GT(coarse.pixel_us, fine.pixel_us);
  EXPECT_FALSE(coarse.cut);
  size_t events = 0;
  for (const uint32_t count : coarse.count) events += count;
  EXPECT_EQ(events, 10'000u);
  const Slices hopeless = Ask(0, 50'000, 5000, {}, 10);
  EXPECT_LE(hopeless.size(), 10u);
  EXPECT_TRUE(hopeless.cut);
}

TEST_F(SlicesTest, StatisticsCountSelfTimes) {
  Add(0, 0, 100, "outer");
  Add(0, 10, 30, "inner");
  Add(0, 15, 5, "innermost");
  Add(0, 50, 20, "inner");
  Add(0, 200, 100, "outer");
  Add(1, 0, 7, "elsewhere");
  const TimelineSnapshot snapshot = Snapshot();
  const auto times = TimesByName(snapshot, {0, 1000}, {0});
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(*store_->Text(times[0].label).name, "outer");
  EXPECT_EQ(std::tuple(times[0].count, times[0].total_ns, times[0].self_ns, times[0].longest_ns),
            std::tuple(2u, 200.0, 150.0, 100));
  EXPECT_EQ(std::tuple(times[1].count, times[1].total_ns, times[1].self_ns, times[1].longest_ns),
            std::tuple(2u, 50.0, 45.0, 30));
  EXPECT_EQ(times[2].self_ns, 5);
  EXPECT_EQ(TimesByName(snapshot, {0, 1000}, {}).size(), 4u);
  // Of what reaches beyond the window only the part in it counts.
  const auto few = TimesByName(snapshot, {45, 55}, {0});
  ASSERT_EQ(few.size(), 2u);
  EXPECT_EQ(std::tuple(few[0].count, few[0].total_ns, few[0].self_ns, few[0].longest_ns),
            std::tuple(1u, 10.0, 5.0, 10));
  EXPECT_EQ(std::tuple(few[1].count, few[1].total_ns), std::tuple(1u, 5.0));
}

TEST_F(SlicesTest, SearchFindsTheFirstByTimeInAnyCase) {
  const EventId late = Add(0, 300, 1, "aten::Conv2d");
  const EventId early = Add(0, 100, 1, "cudnn CONV kernel");
  Add(0, 200, 1, "relu");
  const EventId middle = Add(1, 200, 1, "conv");
  const TimelineSnapshot snapshot = Snapshot();
  const SearchResult all = Search(snapshot, SpanFilter::Parse("cOnV").value(), 10);
  EXPECT_EQ(all.total, 3u);
  EXPECT_EQ(all.hits, (std::vector<EventId>{early, middle, late}));
  const SearchResult first = Search(snapshot, SpanFilter::Parse("conv").value(), 2);
  EXPECT_EQ(first.total, 3u);
  EXPECT_EQ(first.hits, (std::vector<EventId>{early, middle}));
  EXPECT_EQ(Search(snapshot, SpanFilter::Parse("conv").value(), 0).total, 3u);
  EXPECT_EQ(Search(snapshot, SpanFilter::Parse("nothing").value(), 2).total, 0u);
  EXPECT_EQ(Search(snapshot, SpanFilter::Parse("conv dur>5ns").value(), 2).total, 0u);
  EXPECT_EQ(Search(snapshot, SpanFilter::Parse("name~conv$").value(), 2).hits,
            (std::vector<EventId>{middle}));
}

}  // namespace
}  // namespace warden::view
