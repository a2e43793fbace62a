#include "warden/timeline/merge/merge.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "warden/timeline/timeline_for_test.h"

namespace warden::timeline {
namespace {

constexpr int64_t kFirstUs = 1794705514568837;  // Of the recorded run.

class MergeTest : public testing::Test {
 protected:
  MergeTest() { options_.out = folder_.PathOf("merged.json"); }

  Json Merge(const std::string& folder) {
    const auto merged = MergeTimelines(folder, options_);
    EXPECT_TRUE(merged.ok()) << merged.status().message();
    if (merged.ok()) result_ = merged.value();
    return ReadJsonFile(options_.out);
  }

  ProfilerFolderForTest folder_;
  MergeOptions options_;
  MergeResult result_;
};

// Events of some kinds as the recorded answers have them, without regard to order and to what
// threads are called by number.
std::multiset<std::string> Comparable(const Json& events, std::string_view kinds) {
  std::multiset<std::string> found;
  for (Json event : events) {
    event.erase("tid");
    if (event["name"] == "thread_name") {
      const std::string name = event["args"]["name"];
      event["args"]["name"] = name.substr(0, name.rfind('_'));
    }
    const std::string kind = event["ph"];
    if (kinds.find(kind) == std::string_view::npos) continue;
    found.insert(nlohmann::json::parse(event.dump()).dump());  // Keys in order.
  }
  return found;
}

TEST_F(MergeTest, GivesTheEventsOfTheOriginal) {
  const Json expected = ReadJsonFile(kRecorded / "expected.json")["merged"];
  options_.range = {kFirstUs, kFirstUs + 20000};
  const Json events = Merge(kRecorded / "aligned");
  EXPECT_EQ(Comparable(events, "XMC"), Comparable(expected["time"], "XMC"));
  EXPECT_EQ(result_.counters, 42);
  EXPECT_EQ(result_.marks, 1);
  const auto mark = std::find_if(events.begin(), events.end(),
                                 [](const Json& event) { return event["ph"] == "i"; });
  ASSERT_NE(mark, events.end());
  EXPECT_EQ((*mark)["args"].size(), 14);
}

TEST_F(MergeTest, GivesTheStepsOfTheOriginal) {
  const Json expected = ReadJsonFile(kRecorded / "expected.json")["merged"];
  const std::string folder = kRecorded / "aligned";
  const auto range = TimeOfSteps(folder, 2, 4, /*last_included=*/false);
  ASSERT_TRUE(range.ok()) << range.status().message();
  options_.range = range.value();
  EXPECT_EQ(Comparable(Merge(folder), "XMCi"), Comparable(expected["step"], "XMCi"));
  const auto more = TimeOfSteps(folder, 2, 3, /*last_included=*/true);
  ASSERT_TRUE(more.ok());
  EXPECT_EQ(more.value().start_us, range.value().start_us);
  EXPECT_EQ(more.value().end_us, range.value().end_us);
  const Status none = TimeOfSteps(folder, 2, 4000, true).status();
  EXPECT_EQ(none.code(), Code::kNotFound);
  EXPECT_NE(none.message().find("step 4000 not found; expected 0 to"), std::string::npos)
      << none.message();
}

TEST_F(MergeTest, SystemMetricsCanBeLeftOut) {
  options_.range = {kFirstUs, kFirstUs + 20000};
  options_.bottlenecks = false;
  EXPECT_TRUE(Comparable(Merge(kRecorded / "aligned"), "i").empty());
  EXPECT_EQ(result_.counters, 42);
  options_.system = false;
  EXPECT_TRUE(Comparable(Merge(kRecorded / "aligned"), "Ci").empty());
  options_.suffixes = {"model_timeline.json"};
  EXPECT_TRUE(Merge(kRecorded / "aligned").empty());
}

TEST_F(MergeTest, PackedIsTheSame) {
  const std::string plain = Merge(kRecorded / "aligned").dump();
  options_.out = folder_.PathOf("merged.json.gz");
  options_.gzip = true;
  ASSERT_TRUE(MergeTimelines(kRecorded / "aligned", options_).ok());
  std::string text(1 << 20, '\0');
  gzFile file = gzopen(options_.out.c_str(), "rb");
  text.resize(static_cast<size_t>(gzread(file, text.data(), static_cast<unsigned>(text.size()))));
  gzclose(file);
  EXPECT_EQ(ParseJson(text).value().dump(), plain);
}

std::string Event(const std::string& name, int pid, int64_t ts, int64_t dur,
                  const std::string& more = "") {
  return R"({"name":")" + name + R"(","pid":)" + std::to_string(pid) + R"(,"ph":"X","ts":)" +
         std::to_string(ts) + R"(,"dur":)" + std::to_string(dur) + more + "},\n";
}

constexpr char kPevents[] = "framework/pevents/2026010112/";

// Two hosts, the clock of the second 12.3 ms ahead: each of its steps begins 1 ms after the same
// one of the first, and seems to begin 13.3 ms after it.
TEST_F(MergeTest, TimesOfAllHostsAreByOneClock) {
  constexpr int64_t kOriginUs = 1767268800000000;
  constexpr int64_t kAhead = 12'300;
  ProfilerFolderForTest run;
  const auto trace = [&](const std::string& node, int64_t later) {
    std::string text = R"([{"name":"process_name","ph":"M","pid":0,"args":{)"
                       R"("start_time_since_epoch_in_micros":1767268800000000}},)"
                       "\n";
    for (int step = 0; step < 20; ++step) {
      text += Event("step", 1, step * 5000 + later, 2000,
                    R"(,"args":{"step_num":")" + std::to_string(step) + R"("})");
    }
    text.resize(text.size() - 2);
    run.Write(kPevents + std::to_string(kOriginUs + 200'000) + "_" + node + "_pythontimeline.json",
              text + "\n]\n");
  };
  trace("88-algo-1", 0);
  trace("88-algo-2", 1000 + kAhead);
  const auto sample = [](const std::string& node, const std::string& seconds) {
    return R"({"Type":"cpu","Dimension":"CPUUtilization","Value":1,"NodeId":")" + node +
           R"(","Name":"cpu0","Timestamp":)" + seconds + "}\n";
  };
  run.Write("system/incremental/2026010112/1767268800.algo-1.json",
            sample("algo-1", "1767268800.010000"));
  run.Write("system/incremental/2026010112/1767268800.algo-2.json",
            sample("algo-2", "1767268800.022300"));
  const auto starts = [&](std::string_view kind) {
    std::vector<int64_t> found;
    for (const Json& event : Merge(run.path())) {
      if (event["ph"] == kind) found.push_back(event["ts"].get<int64_t>() - kOriginUs);
    }
    return found;
  };
  EXPECT_EQ(starts("C"), (std::vector<int64_t>{10'000, 22'300}));
  const std::vector<int64_t> apart = starts("X");
  EXPECT_EQ((std::vector<int64_t>{apart[2], apart[3], apart[4]}),
            (std::vector<int64_t>{10'000, 13'300, 15'000}));

  options_.clocks = {{"algo-2", "", kAhead, 400}};
  EXPECT_EQ(starts("C"), (std::vector<int64_t>{10'000, 10'000}));
  std::vector<int64_t> together;
  for (int step = 0; step < 20; ++step) {
    together.push_back(step * 5000);
    together.push_back(step * 5000 + 1000);
  }
  EXPECT_EQ(starts("X"), together);
  const Json told = ReadJsonFile(options_.out)[0];
  EXPECT_EQ(told["ph"], "M");
  EXPECT_EQ(told["args"], (Json{{"host", "algo-2"},
                                {"moved_us", -kAhead},
                                {"error_us", 400},
                                {"text", "clock of algo-2 moved by −12.3 ms ± 0.4 ms"}}));

  // What is asked for is by that clock, too.
  const auto range = TimeOfSteps(run.path(), 3, 4, /*last_included=*/true, options_.clocks);
  ASSERT_TRUE(range.ok()) << range.status().message();
  EXPECT_EQ(range.value().start_us - kOriginUs, 15'000);
  EXPECT_EQ(range.value().end_us - kOriginUs, 24'999);
  options_.range = {kOriginUs + 9'500, kOriginUs + 10'500};
  EXPECT_EQ(starts("C"), (std::vector<int64_t>{10'000, 10'000}));
  EXPECT_EQ(starts("X"), std::vector<int64_t>{10'000});
}

// Many files of many writers, in any order, with spans that began long before, on both sides of
// the borders between the pieces that are read: all come out, once, in order.
TEST_F(MergeTest, OrderHoldsForAnyFiles) {
  std::mt19937 random(11);
  for (int round = 0; round < 6; ++round) {
    const int longest = round == 0 ? 4000 : 200;  // Files that are read in several pieces, in one.
    ProfilerFolderForTest run;
    std::multiset<std::string> written;
    for (int writer = 0; writer < 3; ++writer) {
      for (int number = 0; number < 3; ++number) {
        std::string text =
            "[\n"
            R"({"name":"process_name","ph":"M","pid":0,"args":{)"
            R"("start_time_since_epoch_in_micros":1767268800000000}},)"
            "\n";
        const int count = static_cast<int>(random() % 900);
        for (int i = 0; i < count; ++i) {
          const int64_t end = number * 1000000 + i * 100;
          const int64_t dur = random() % 500 == 0 ? random() % 3000000 : random() % 900;
          const std::string name =
              std::to_string(writer) + "-" + std::to_string(number) + "-" + std::to_string(i);
          text += Event(name, 1 + static_cast<int>(random() % 3), end - dur, dur,
                        R"(,"args":{"x":")" + std::string(random() % longest, 'x') + "\"}");
          written.insert(name);
        }
        text.resize(text.size() - 2);
        run.Write(kPevents + std::to_string(1767268801000000 + number * 1000000) + "_" +
                      std::to_string(writer) + "-algo-1_pythontimeline.json",
                  text + "\n]");
      }
    }
    int64_t last = 0;
    for (const Json& event : Merge(run.path())) {
      if (event["ph"] != "X") continue;
      EXPECT_GE(event["ts"].get<int64_t>(), last);
      last = event["ts"];
      const auto found = written.find(event["name"].get<std::string>());
      ASSERT_NE(found, written.end());
      written.erase(found);
    }
    EXPECT_TRUE(written.empty());
    EXPECT_TRUE(result_.problems.empty());
  }
}

TEST_F(MergeTest, PhasesAreInBandsAndNamedBeforeTheirFirstEvent) {
  ProfilerFolderForTest run;
  std::string text = "[\n";
  const std::vector<std::pair<std::string, int>> phases = {
      {"Step:ModeKeys.TRAIN", 1},  {"Step:ModeKeys.EVAL", 2},      {"Forward", 10000},
      {"Backward", 20000},         {"cpu_functions", 80000},       {"gpu_functions-dev:0", 70000},
      {"mine \\\"x\\\"", 1000000}, {"gpu_functions-dev:1", 70001}, {"DataLoaderIter", 1000001}};
  for (size_t i = 0; i < phases.size(); ++i) {
    text += R"({"name":"process_name","ph":"M","pid":)" + std::to_string(i + 1) +
            R"(,"args":{"name":")" + phases[i].first + "\"}},\n";
    text += Event("e" + std::to_string(i), static_cast<int>(i + 1), static_cast<int64_t>(i), 1);
  }
  run.Write(kPevents + std::string("1767268800000000_88-algo-1_pythontimeline.json"),
            text.substr(0, text.size() - 2) + "]");
  std::set<int64_t> named;
  std::set<std::pair<int64_t, int64_t>> threads;
  size_t spans = 0;
  for (const Json& event : Merge(run.path())) {
    const int64_t pid = event["pid"];
    if (event["name"] == "process_name") named.insert(pid);
    if (event["name"] == "thread_name") {
      threads.insert({pid, event["tid"]});
      EXPECT_EQ(event["args"]["name"], "algo-1-88_" + event["tid"].dump());
    }
    if (event["ph"] != "X") continue;
    EXPECT_EQ(pid, phases[spans].second);
    EXPECT_TRUE(named.contains(pid));
    EXPECT_TRUE(threads.contains({pid, event["tid"]}));
    ++spans;
  }
  EXPECT_EQ(spans, phases.size());
}

TEST_F(MergeTest, HostileNamesAndArgumentsStayJson) {
  ProfilerFolderForTest run;
  run.Write(kPevents + std::string("1767268800000000_88-algo-1_pythontimeline.json"),
            "[\n" +
                Event(R"(a \"b\" \\ \u0000 </script>)", 1, 1, 1,
                      R"(,"args":{"x":NaN,"y":[-Infinity,"NaN \" Infinity"],"z":1})") +
                Event("bad", 1, 2, 1, ",\"args\":{\"x\":01}") + Event("raw \x01", 1, 3, 1) +
                Event("end", 1, 4, 1) + "]");
  folder_.Write("system/incremental/1767268800.algo-1.json", "");
  const Json events = Merge(run.path());
  ASSERT_EQ(result_.spans, 2);
  const auto span = std::find_if(events.begin(), events.end(),
                                 [](const Json& event) { return event["ph"] == "X"; });
  EXPECT_EQ((*span)["name"], std::string("a \"b\" \\ \0 </script>", 19));
  EXPECT_EQ((*span)["args"].dump(), R"({"x":null,"y":[null,"NaN \" Infinity"],"z":1})");
  ASSERT_EQ(result_.problems.size(), 1);
}

TEST_F(MergeTest, WhatBeginsInOneFileMayEndInTheNext) {
  ProfilerFolderForTest run;
  run.Write(kPevents + std::string("1767268800000000_88-algo-1_horovod_timeline.json"),
            R"([{"name":"process_name","ph":"M","pid":1,"args":{"name":"Horovod"}},
               {"name":"long","ph":"B","pid":1,"ts":5}])");
  run.Write(kPevents + std::string("1767268900000000_88-algo-1_horovod_timeline.json"),
            R"([{"ph":"E","pid":1,"ts":50}])");
  const Json events = Merge(run.path());
  ASSERT_EQ(events.size(), 4);
  EXPECT_EQ(events[3]["name"], "long");
  EXPECT_EQ(events[3]["ts"], 5);
  EXPECT_EQ(events[3]["dur"], 45);
}

TEST_F(MergeTest, NothingIsLeftWhereItCannotBeWritten) {
  options_.out = folder_.PathOf("missing/merged.json");
  EXPECT_EQ(MergeTimelines(kRecorded / "aligned", options_).status().code(), Code::kIo);
  options_.out = folder_.PathOf("merged.json");
  EXPECT_EQ(MergeTimelines("/nonexistent", options_).status().code(), Code::kNotFound);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST(MergedTimelinePathTest, IsTheOriginals) {
  EXPECT_EQ(MergedTimelinePath("/a/b/", 12, "7-my_host"), "/a/b/12_7-my-host_merged_timeline.json");
}

}  // namespace
}  // namespace warden::timeline
