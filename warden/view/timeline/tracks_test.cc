#include "warden/view/timeline/tracks.h"

#include <gtest/gtest.h>

#include "warden/view/timeline/argument_finder.h"

namespace warden::view {
namespace {

TEST(InOrder, AsPeopleLookAtThem) {
  const std::vector<TrackName> tracks = {
      {"", "algo-10", false, "process 1", "Forward"},
      {"", "algo-2", true, "GPU 0", "stream 7"},
      {"", "algo-2", false, "process 9", "thread 10"},
      {"", "algo-2", false, "process 9", "thread 9"},
      {"", "algo-2", false, "process 9", "Forward"},
      {"", "algo-2", false, "process 9", "Step:X"},
      {"", "algo-2", false, "process 10", "Step:X"},
  };
  EXPECT_EQ(InOrder(tracks), (std::vector<TrackId>{5, 4, 3, 2, 6, 1, 0}));
}

TEST(ReadSpanArgs, TakesWhatItCan) {
  // Parsers read some bytes at a time, beyond the end too.
  const auto read = [](std::string text) {
    const size_t size = text.size();
    text.resize(size + timeline::kTracePadding);
    return ReadSpanArgs(std::string_view(text).substr(0, size));
  };
  const SpanArgs args =
      read(R"({"tid": "12", "stream": 7, "correlation": 5, "start_cpu_thread": 3,)"
           R"( "cpu_thread_start_time": 99, "other": [1, {"tid": 4}]})");
  EXPECT_EQ(args.tid, 12);
  EXPECT_EQ(args.stream, 7);
  EXPECT_EQ(args.correlation, 5);
  EXPECT_EQ(args.launch_thread, 3);
  EXPECT_EQ(args.launch_us, 99);
  for (const std::string odd : {"", "{}", "[]", "{", R"({"tid": )", R"({"tid": "x"})", "5"}) {
    EXPECT_EQ(read(odd).tid, std::nullopt) << odd;
  }
}

TEST(TimesOf, KeepsNanosecondsAndRefusesWhatIsNoTime) {
  const auto times = TimesOf(1'767'268'800'000'000, 10.125, 0.5);
  ASSERT_TRUE(times);
  EXPECT_EQ(times->start_ns, 1'767'268'800'000'010'125);
  EXPECT_EQ(times->duration_ns, 500);
  EXPECT_EQ(TimesOf(0, 1'767'268'800'000'040, 0)->start_ns, 1'767'268'800'000'040'000);
  EXPECT_EQ(TimesOf(0, -0.25, 0)->start_ns, -250);
  for (const double odd : {1e18, -1e18, 1e300}) {
    EXPECT_FALSE(TimesOf(0, odd, 0)) << odd;
    EXPECT_FALSE(TimesOf(4'000'000'000'000'000'000, odd, 0)) << odd;
  }
  EXPECT_FALSE(TimesOf(0, 0, 1e18));
  EXPECT_FALSE(TimesOf(4'000'000'000'000'000'000, 0, 0));
}

}  // namespace
}  // namespace warden::view
