#include "warden/jobs/supervise/hosts.h"

#include <gtest/gtest.h>

namespace warden::jobs {
namespace {

using Phase = HostState::Phase;

HostState Host(const std::string& name, Phase phase, int exit_code = 0, int64_t ended = 0) {
  HostState host;
  host.host = name;
  host.phase = phase;
  host.exit_code = exit_code;
  if (ended != 0) host.ended = Time(std::chrono::milliseconds(ended));
  return host;
}

TEST(Hosts, AreOverTogether) {
  EXPECT_TRUE(ViewOf({Host("algo-1", Phase::kEnded), Host("algo-2", Phase::kEnded)}).all_ended);
  const HostsView half = ViewOf({Host("algo-1", Phase::kEnded), Host("algo-2", Phase::kRunning)});
  EXPECT_TRUE(half.any_running && half.all_started);
  EXPECT_FALSE(half.all_ended);
  const HostsView none = ViewOf({Host("algo-1", Phase::kNotStarted)});
  EXPECT_FALSE(none.any_running || none.all_started || none.all_ended);
  EXPECT_FALSE(none.failure);
}

TEST(Hosts, MayWaitInAQueue) {
  HostState queued = Host("algo-2", Phase::kQueued);
  queued.waiting = "Resources";
  HostState running = Host("algo-1", Phase::kRunning);
  running.started = Time(std::chrono::milliseconds(7));
  const HostsView view = ViewOf({running, queued});
  EXPECT_TRUE(view.all_started && view.any_running);
  EXPECT_FALSE(view.all_ended || view.failure);
  EXPECT_EQ(view.queued, "Resources");
  EXPECT_EQ(view.started, running.started);
}

TEST(Hosts, ALostHostMayBringItsReason) {
  HostState lost = Host("algo-1", Phase::kLost);
  lost.failure = "InternalServerError: node node2 failed";
  EXPECT_EQ(ViewOf({lost}).failure, lost.failure);
}

TEST(Hosts, TheFirstFailureIsTheReason) {
  HostState first = Host("algo-2", Phase::kEnded, 1, 100);
  first.failure = "first";
  HostState second = Host("algo-1", Phase::kEnded, 2, 200);
  second.failure = "second";
  EXPECT_EQ(ViewOf({second, first}).failure, "AlgorithmError: first, exit code: 1");
  EXPECT_EQ(ViewOf({second, first, Host("algo-3", Phase::kLost)}).failure,
            "InternalServerError: host algo-3 was lost: the process that supervises its training "
            "was killed");
}

TEST(Hosts, ReasonsAreShortAndTellTheCode) {
  HostState host = Host("algo-1", Phase::kEnded);
  host.signal = 9;
  EXPECT_EQ(ViewOf({host}).failure, "AlgorithmError: exit code: 137");
  host.failure = "AlgorithmError: as it is";
  EXPECT_EQ(ViewOf({host}).failure, "AlgorithmError: as it is");
  host.failure = std::string(959, 'x') + "\xF0\x9F\x98\x80\xFF";
  const std::string reason = *ViewOf({host}).failure;
  EXPECT_LE(reason.size(), 1024u);
  EXPECT_TRUE(reason.ends_with("x, exit code: 137")) << "no half of a character";
}

}  // namespace
}  // namespace warden::jobs
