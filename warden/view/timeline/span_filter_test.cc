#include "warden/view/timeline/span_filter.h"

#include <gtest/gtest.h>

namespace warden::view {
namespace {

SpanFilter FilterOf(std::string_view text) {
  auto filter = SpanFilter::Parse(text);
  EXPECT_TRUE(filter.ok()) << filter.status().message();
  return std::move(filter.value());
}

std::string RefusalOf(std::string_view text) {
  const auto filter = SpanFilter::Parse(text);
  return filter.ok() ? "accepted" : std::string(filter.status().message());
}

const TrackName kThread{"algo-1-88", "algo-1", false, "process 88", "operators, thread 11"};
const TrackName kStream{"algo-2-9", "algo-2", true, "GPU 1, process 9", "stream 7"};

TEST(SpanFilterTest, WordsAreTakenTogether) {
  EXPECT_TRUE(FilterOf("HtoD  (page").MatchesName("Memcpy HtoD (Pageable -> Device)"));
  EXPECT_FALSE(FilterOf("HtoD Memcpy").MatchesName("Memcpy HtoD"));
  EXPECT_TRUE(FilterOf("").MatchesName("anything"));
  // Only known keys are conditions.
  EXPECT_TRUE(FilterOf("a>b").MatchesName("cond a>b"));
}

TEST(SpanFilterTest, NamesByRegularExpression) {
  const SpanFilter filter = FilterOf("name~^aten::(mm|conv) name!~backward");
  EXPECT_TRUE(filter.MatchesName("Aten::MM"));
  EXPECT_FALSE(filter.MatchesName("aten::conv_backward"));
  EXPECT_FALSE(filter.MatchesName("my aten::mm"));
  EXPECT_TRUE(FilterOf("name=a.b").MatchesName("a.b"));
  EXPECT_FALSE(FilterOf("name=a.b").MatchesName("acb"));
  EXPECT_TRUE(FilterOf("name=\\Ea").MatchesName("\\Ea"));
  EXPECT_FALSE(FilterOf("name=a").MatchesName("a\n"));
  EXPECT_TRUE(FilterOf("name~\"b c\" a").MatchesName("a b c"));
}

TEST(SpanFilterTest, Durations) {
  const SpanFilter filter = FilterOf("dur>5ms dur<=0.02s");
  EXPECT_FALSE(filter.MatchesDuration(5'000'000));
  EXPECT_TRUE(filter.MatchesDuration(5'000'001));
  EXPECT_TRUE(filter.MatchesDuration(20'000'000));
  EXPECT_FALSE(filter.MatchesDuration(20'000'001));
  EXPECT_TRUE(FilterOf("dur>=3us dur<4µs").MatchesDuration(3000));
  EXPECT_FALSE(FilterOf("dur<4us").MatchesDuration(4000));
}

TEST(SpanFilterTest, Tracks) {
  EXPECT_TRUE(FilterOf("thread=11 process=88 host=algo-1").MatchesTrack(kThread));
  EXPECT_TRUE(FilterOf("thread=Operators").MatchesTrack(kThread));
  EXPECT_FALSE(FilterOf("thread=1").MatchesTrack(kThread));
  EXPECT_FALSE(FilterOf("host=algo-2").MatchesTrack(kThread));
  EXPECT_FALSE(FilterOf("gpu=1").MatchesTrack(kThread));
  EXPECT_TRUE(FilterOf("gpu=1 track=7").MatchesTrack(kStream));
  EXPECT_FALSE(FilterOf("gpu=9").MatchesTrack(kStream));
}

TEST(SpanFilterTest, SaysWhatIsAccepted) {
  EXPECT_EQ(RefusalOf("dur>5"),
            "dur>5 is not a duration; expected one such as dur>5ms or dur<=200us, with ns, us, ms "
            "or s");
  EXPECT_EQ(RefusalOf("dur>"), "dur> has no value; expected dur>VALUE");
  EXPECT_EQ(RefusalOf("name>a"), "unknown condition 'name>'; expected name~, name!~ or name=");
  EXPECT_EQ(RefusalOf("host~a"), "unknown condition 'host~'; expected host=");
  EXPECT_NE(RefusalOf("name~("), "accepted");
  EXPECT_NE(RefusalOf("dur=5ms"), "accepted");
}

}  // namespace
}  // namespace warden::view
