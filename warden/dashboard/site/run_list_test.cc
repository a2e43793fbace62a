#include "warden/dashboard/site/run_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/dashboard/site/places.h"
#include "warden/jobs/db/store_for_test.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

constexpr char kRecord[] = R"({"command": ["a"], "started": 100, "ended": 200, "exit_code": 0})";

class RunListTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    const fs::path file = fs::path(folder_.folder()) / "runs" / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  // A run that ended long ago.
  void Finish(const std::string& name) {
    Write(name + "/warden/run.json", kRecord);
    Write(name + "/index/000000000/000000000003_worker_0.json", "{}");
  }
  // Rules that have ended, and are written where no stamp shows it.
  void Judge(const std::string& name, const std::string& status) {
    Write(name + "/rule-output/Vanish/status.json",
          fmt::format(R"({{"name": "Vanish", "rule": "VanishingGradient", "status": "{}"}})",
                      status));
  }
  Json List(SummaryTexts* summaries, size_t* pending) {
    RunList list(&options_, summaries, patience_);
    for (const RunPlaces& places : FindRuns({folder_.folder() + "/runs"}).runs) {
      OpenRun run(places);
      list.Add(&run);
    }
    *pending = list.pending();
    return ParseJson("[" + list.TakeText() + "]").value();
  }

  jobs::StoreFolder folder_;
  const std::string file_ = folder_.folder() + "/summaries.jsonl";
  service::ServiceOptions options_;
  std::chrono::milliseconds patience_{250};
};

TEST_F(RunListTest, SummariesAreKeptOverARestart) {
  Finish("a");
  Judge("a", "Error");
  size_t pending = 0;
  {
    SummaryTexts first(file_, "1");
    EXPECT_EQ(List(&first, &pending)[0]["rules"]["errors"], 1);
  }
  // Only a text that was kept can still say that.
  Judge("a", "NoIssuesFound");
  {
    SummaryTexts same(file_, "1");
    EXPECT_EQ(List(&same, &pending)[0]["rules"]["errors"], 1);
  }
  SummaryTexts other(file_, "2");
  EXPECT_EQ(List(&other, &pending)[0]["rules"]["errors"], 0) << "written by another version";
}

TEST_F(RunListTest, ThousandsAreKeptOverARestart) {
  constexpr int kRuns = 1200;
  const Json over = {{"status", "Completed"}, {"rules", {{"running", 0}}}};
  {
    SummaryTexts first(file_, "1");
    for (int i = 0; i < kRuns; ++i) first.Make(fmt::format("run{}", i), "", [&] { return over; });
    first.Make("still running", "", [] { return Json{{"status", "InProgress"}}; });
  }
  SummaryTexts second(file_, "1");
  for (int i = 0; i < kRuns; ++i) {
    EXPECT_EQ(second.Find(fmt::format("run{}", i), "").text, JsonText(over)) << i;
  }
  EXPECT_EQ(second.Find("still running", "").text, "");
}

TEST_F(RunListTest, WhenRunsBeganIsKnownAfterARestart) {
  for (const char* name : {"a", "b", "c"}) Finish(name);
  Write("b/warden/run.json", R"({"command": ["a"], "started": 150})");  // Not over.
  const std::vector<RunPlaces> runs = FindRuns({folder_.folder() + "/runs"}).runs;
  constexpr double kEver = std::numeric_limits<double>::infinity();
  size_t pending = 0;
  {
    SummaryTexts first(file_, "1");
    EXPECT_EQ(first.Began(runs), (std::vector<double>{kEver, kEver, kEver}));
    List(&first, &pending);
    EXPECT_EQ(first.Began(runs), (std::vector<double>{100, 150, 100}));
  }
  SummaryTexts second(file_, "1");
  EXPECT_EQ(second.Began(runs), (std::vector<double>{100, kEver, 100}));
}

TEST_F(RunListTest, ARunThatGoesOnIsReadEachTime) {
  Finish("a");
  Write("a/warden/run.json", R"({"command": ["a"], "started": 100})");
  SummaryTexts summaries(file_, "1");
  size_t pending = 0;
  for (const int step : {4, 5}) {
    Write(fmt::format("a/index/000000000/{:012}_worker_0.json", step), "{}");
    EXPECT_EQ(List(&summaries, &pending)[0]["last_step"], step);
  }
  summaries.Save();
  EXPECT_FALSE(fs::exists(file_)) << "nothing worth keeping";
}

TEST_F(RunListTest, RunsBeyondItsPatienceArePendingAtFirst) {
  constexpr size_t kRuns = 30, kAtOnce = 20;
  for (size_t i = 0; i < kRuns; ++i) {
    Finish(fmt::format("run{:02}", i));
    Judge(fmt::format("run{:02}", i), "IssuesFound");
  }
  patience_ = {};
  SummaryTexts summaries(file_, "1");
  size_t pending = 0;
  const Json first = List(&summaries, &pending);
  ASSERT_EQ(first.size(), kRuns);
  EXPECT_EQ(pending, kRuns - kAtOnce);
  EXPECT_EQ(MemberOf(first[kAtOnce - 1], "pending"), nullptr);
  const Json& unread = first[kAtOnce];
  EXPECT_EQ(unread["pending"], true);
  EXPECT_EQ(unread["name"], "run20");
  EXPECT_EQ(unread["status"], "Unknown");
  EXPECT_EQ(unread["rules"]["total"], 0);
  const Json second = List(&summaries, &pending);
  EXPECT_EQ(pending, 0u);
  EXPECT_EQ(second[kAtOnce]["status"], "Completed");
  EXPECT_EQ(second[kAtOnce]["rules"]["issues"], 1);
}

}  // namespace
}  // namespace warden::dashboard
