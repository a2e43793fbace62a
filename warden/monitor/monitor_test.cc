#include "warden/monitor/monitor.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <set>

#include "warden/format/metric_line.h"
#include "warden/format/profiler_layout.h"
#include "warden/monitor/monitor_for_test.h"
#include "warden/monitor/node_name.h"

namespace warden::monitor {
namespace {

using std::chrono::milliseconds;

TEST(Ticker, LateTicksDoNotShiftLaterOnes) {
  Ticker ticker(1000, 100);
  EXPECT_EQ(ticker.next_ns(), 1000);
  int64_t now = 1000;
  for (int i = 1; i <= 1000; ++i) {
    ticker.Advance(now);
    EXPECT_EQ(ticker.next_ns(), 1000 + i * 100);
    now = ticker.next_ns() + (i * 37) % 100;  // Always late, by less than an interval.
  }
  EXPECT_EQ(ticker.missed(), 0);
}

TEST(Ticker, MissedTicksAreCountedAndNotMadeUpFor) {
  Ticker ticker(0, 100);
  ticker.Advance(0);
  ticker.Advance(555);  // Those of 200, 300, 400 and 500 are missed.
  EXPECT_EQ(ticker.missed(), 4);
  EXPECT_EQ(ticker.next_ns(), 600);
  ticker.Advance(600);
  EXPECT_EQ(ticker.missed(), 4);
}

TEST(Ticker, AnotherInterval) {
  Ticker ticker(0, 60'000);
  ticker.Advance(0);
  ticker.SetInterval(500, 100);  // More than that has passed: at once.
  EXPECT_EQ(ticker.next_ns(), 500);
  ticker.Advance(500);
  EXPECT_EQ(ticker.next_ns(), 600);
  ticker.SetInterval(510, 1000);
  EXPECT_EQ(ticker.next_ns(), 1500);
}

// Counts how often it is asked.
class CountingCollector : public Collector {
 public:
  CountingCollector(int pace_ms, int* count, int* restarts)
      : pace_(pace_ms), count_(count), restarts_(restarts) {}
  milliseconds pace() const override { return milliseconds(pace_); }
  void Collect(const Moment& /*now*/, Slots* /*slots*/, Tick* /*tick*/) override { ++*count_; }
  void Restart() override { ++*restarts_; }

 private:
  const int pace_;
  int* count_;
  int* restarts_;
};

TEST(Sampler, EachCollectorAtItsOwnPace) {
  int fast = 0, slow = 0, restarts = 0;
  std::vector<std::unique_ptr<Collector>> collectors;
  collectors.push_back(std::make_unique<CountingCollector>(0, &fast, &restarts));
  collectors.push_back(std::make_unique<CountingCollector>(100, &slow, &restarts));
  Sampler sampler(std::move(collectors));
  // Every millisecond, a little early or late.
  for (int i = 0; i < 1000; ++i) {
    sampler.Sample({kSecondNs + i * 1'000'000 + (i % 3 - 1) * 100'000, milliseconds(1)}, 1);
  }
  EXPECT_EQ(fast, 1000);
  EXPECT_EQ(slow, 10);
  // At its own pace, each tick, however early.
  for (int i = 0; i < 10; ++i) {
    sampler.Sample({10 * kSecondNs + i * 100'000'000 + (i % 3 - 1) * 100'000, milliseconds(100)},
                   1);
  }
  EXPECT_EQ(slow, 20);
  sampler.Restart();
  EXPECT_EQ(restarts, 2);
}

TEST(Catalogue, KeepsClearOfTheOriginalsStatistics) {
  std::set<std::string> seen;
  for (const MetricDesc& desc : MetricCatalogue()) {
    EXPECT_TRUE(seen.insert(fmt::format("{}/{}/{}", desc.type, desc.dimension, desc.name)).second);
    EXPECT_FALSE(desc.doc.empty());
    // These are pooled by their Type there, whatever the rest says.
    const std::set<std::string_view> originals = {"cpu", "gpu", "memory", "i/o", "network"};
    if (originals.contains(desc.type)) {
      EXPECT_LE(desc.metric, Metric::kGpuMemory) << desc.type;
      continue;
    }
    for (const std::string_view word : originals) {
      EXPECT_EQ(desc.type.find(word), std::string_view::npos) << desc.type;
    }
  }
}

TEST(NodeName, OnlyNamesThatReadersSee) {
  for (const char* name : {"algo-1", "algo-12"}) EXPECT_TRUE(IsNodeName(name)) << name;
  for (const char* name : {"", "algo-", "algo-1x", "host", "xalgo-1", "algo-1/.."}) {
    EXPECT_FALSE(IsNodeName(name)) << name;
  }
  setenv("SM_CURRENT_HOST", "algo-3", 1);
  EXPECT_EQ(NodeName(), "algo-3");
  setenv("TENSORWARDEN_NODE", "algo-4", 1);
  EXPECT_EQ(NodeName(), "algo-4");
  setenv("TENSORWARDEN_NODE", "my-host", 1);
  EXPECT_EQ(NodeName(), "algo-3");
  unsetenv("TENSORWARDEN_NODE");
  unsetenv("SM_CURRENT_HOST");
  EXPECT_EQ(NodeName(), "algo-1");
}

// Of all files of a folder, finished or not.
std::map<std::string, int> LinesBelow(const std::string& folder) {
  std::map<std::string, int> lines;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string key = entry.path().string().substr(folder.size() + 1);
    if (!format::ParseMetricFileKey(key)) continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    const auto read = format::ReadMetricLines(text, [&](const format::MetricLine& line) {
      ++lines[fmt::format("{}/{}/{}", line.type, line.dimension, line.name)];
    });
    EXPECT_EQ(read.broken, 0) << read.first_broken;
    EXPECT_EQ(read.bytes, text.size());
  }
  return lines;
}

void WaitFor(const std::function<bool()>& done) {
  for (int i = 0; i < 30'000 && !done(); ++i) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_TRUE(done());
}

TEST(Monitor, WatchesThisMachine) {
  const FilesForTest folder;
  auto monitor = Monitor::Start({.folder = folder.path(),
                                 .node = "algo-1",
                                 .interval = milliseconds(20),
                                 .training = getpid()});
  ASSERT_TRUE(monitor.ok()) << monitor.status().message();
  WaitFor([&] { return monitor.value()->ticks() >= 30; });
  EXPECT_FALSE(folder.Has("system/training_job_end.ts"));
  monitor.value()->Stop();
  EXPECT_TRUE(folder.Has("system/training_job_end.ts"));
  const auto lines = LinesBelow(folder.path());
  EXPECT_GE(lines.at("memory//MemoryUsedPercent"), 25);
  EXPECT_TRUE(lines.contains("process/Processes/training"));
  EXPECT_TRUE(lines.contains("load//Load1"));
  EXPECT_GE(lines.size(), 8U);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    EXPECT_NE(entry.path().extension(), ".part");
  }
}

TEST(Monitor, AMachineThatTellsNothing) {
  const FilesForTest folder;
  auto monitor = Monitor::Start({.folder = folder.path() + "/out",
                                 .node = "algo-1",
                                 .interval = milliseconds(1),
                                 .training = 1,
                                 .root = folder.path() + "/nothing"});
  ASSERT_TRUE(monitor.ok());
  WaitFor([&] { return monitor.value()->ticks() >= 20; });
  monitor.value()->Stop();
  monitor.value()->Stop();  // Twice is once.
}

TEST(Monitor, RefusesWhatItCannotDo) {
  EXPECT_EQ(Monitor::Start({.interval = milliseconds(0)}).status().code(), Code::kInvalid);
  EXPECT_EQ(Monitor::Start({.interval = milliseconds(60'001)}).status().code(), Code::kInvalid);
  EXPECT_EQ(Monitor::Start({.node = "my-host"}).status().message(),
            "node is 'my-host'; expected algo-1, algo-2, ...");
  EXPECT_EQ(Monitor::Start({.training = 0x7ffffff0}).status().code(), Code::kInvalid);
}

TEST(Monitor, IsChangedWhileItRuns) {
  const FilesForTest folder;
  auto monitor = Monitor::Start({.folder = folder.path(), .interval = milliseconds(60'000)});
  ASSERT_TRUE(monitor.ok());
  WaitFor([&] { return monitor.value()->ticks() == 1; });
  ASSERT_TRUE(monitor.value()->SetInterval(milliseconds(1)).ok());
  EXPECT_FALSE(monitor.value()->SetInterval(milliseconds(0)).ok());
  WaitFor([&] { return monitor.value()->ticks() > 10; });
  monitor.value()->SetEnabled(false);
  // Off: what there is gets its name, and nothing more comes.
  WaitFor([&] {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
      if (entry.path().extension() == ".part") return false;
    }
    return true;
  });
  const int64_t ticks = monitor.value()->ticks();
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(monitor.value()->ticks(), ticks);
  EXPECT_FALSE(folder.Has("system/training_job_end.ts"));
  monitor.value()->SetEnabled(true);
  WaitFor([&] { return monitor.value()->ticks() > ticks + 10; });
}

TEST(Monitor, FollowsItsConfiguration) {
  const FilesForTest folder;
  folder.Write("config.json", R"({"DisableProfiler": true})");
  auto monitor =
      Monitor::Start({.interval = milliseconds(1), .config_file = folder.path() + "/config.json"});
  ASSERT_TRUE(monitor.ok());
  std::this_thread::sleep_for(milliseconds(30));
  EXPECT_EQ(monitor.value()->ticks(), 0);
  folder.Write("config.json", fmt::format(R"({{"ProfilingIntervalInMilliseconds": "2",
      "ProfilingParameters": {{"LocalPath": "{}/out"}}}})",
                                          folder.path()));
  WaitFor([&] { return monitor.value()->ticks() > 10; });
  std::filesystem::remove(folder.path() + "/config.json");
  WaitFor([&] {
    const int64_t ticks = monitor.value()->ticks();
    std::this_thread::sleep_for(milliseconds(50));
    return monitor.value()->ticks() == ticks;
  });
  monitor.value()->Stop();
  EXPECT_TRUE(LinesBelow(folder.path() + "/out").contains("memory//MemoryUsedPercent"));
  EXPECT_TRUE(folder.Has("out/system/training_job_end.ts"));
}

// Signals go to the threads that wait for them.
TEST(Monitor, ItsThreadGetsNoSignals) {
  static std::atomic<int> blocked{-1};
  auto monitor =
      Monitor::Start({.interval = milliseconds(1), .on_tick = [](const Tick&, const Slots&) {
                        sigset_t mask;
                        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
                        blocked =
                            sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 1;
                      }});
  ASSERT_TRUE(monitor.ok());
  WaitFor([] { return blocked != -1; });
  EXPECT_EQ(blocked, 1);
}

}  // namespace
}  // namespace warden::monitor
