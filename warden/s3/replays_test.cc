#include "warden/s3/replays.h"

#include <gtest/gtest.h>

namespace warden::s3 {
namespace {

TEST(ReplaysTest, ARetryIsAcceptedAndAReplayIsNot) {
  Replays::Clock::time_point now{std::chrono::hours(1)};
  Replays replays([&now] { return now; });
  EXPECT_TRUE(replays.Admit("a"));
  now += std::chrono::seconds(5);
  EXPECT_TRUE(replays.Admit("a")) << "a client that got no answer";
  EXPECT_TRUE(replays.Admit("b"));
  now += std::chrono::seconds(6);
  EXPECT_FALSE(replays.Admit("a"));
  EXPECT_TRUE(replays.Admit("b"));
  now += std::chrono::minutes(14);
  EXPECT_FALSE(replays.Admit("a")) << "the attempt above does not count as new";
  EXPECT_FALSE(replays.Admit("b"));
  now += std::chrono::minutes(20);
  EXPECT_TRUE(replays.Admit("a")) << "forgotten: its signature has expired";
}

TEST(ReplaysTest, DoesNotGrowForEver) {
  Replays::Clock::time_point now{std::chrono::hours(1)};
  Replays replays([&now] { return now; });
  EXPECT_TRUE(replays.Admit("first"));
  for (int i = 0; i < 200'000; ++i) replays.Admit(std::to_string(i));
  now += std::chrono::minutes(1);
  EXPECT_TRUE(replays.Admit("first")) << "forgotten for newer ones";
  EXPECT_FALSE(replays.Admit("199999"));
}

}  // namespace
}  // namespace warden::s3
