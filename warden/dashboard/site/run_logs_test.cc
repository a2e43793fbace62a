#include "warden/dashboard/site/run_logs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/jobs/logs/log_folder.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/trial/run_record.h"

namespace warden::dashboard {
namespace {

constexpr int kLines = 3000;

class RunLogsTest : public ::testing::Test {
 protected:
  RunLogsTest() {
    RunPlaces places;
    places.tensors = folder_.path() / "run";
    log_ = trial::LogFolder(places.tensors);
    run_ = std::make_shared<OpenRun>(places);
    std::filesystem::create_directories(log_);
  }

  // Lines "step <i>", one each second.
  void WriteSteps() {
    std::string text;
    for (int i = 0; i < kLines; ++i) {
      const bool slow = i % 1000 == 10;
      text += fmt::format("{}000 \x1B[1mstep\x1B[0m {}{}\n", i, i, slow ? " WARNING slow" : "");
    }
    Write(0, text);
  }
  void Write(uint64_t start, const std::string& text) {
    std::ofstream(log_ + "/" + jobs::LogFileName(start)) << text;
  }

  http::Response Ask(const std::string& query) {
    return RunLogs(options_, {run_, Query(query), "", nullptr});
  }
  Json Get(const std::string& query) {
    const http::Response response = Ask(query);
    EXPECT_EQ(response.status, 200) << query << ": " << response.body;
    auto json = ParseJson(response.body);
    return json.ok() ? json.value() : Json();
  }
  // "count: first .. last" of the numbers of the steps.
  static std::string Steps(const Json& log) {
    const Json& lines = log["lines"];
    if (lines.empty()) return "none";
    const auto step = [](const Json& line) { return line["time"].get<double>(); };
    return fmt::format("{}: {} .. {}", lines.size(), step(lines.front()), step(lines.back()));
  }

  os::TempFolder folder_;
  service::ServiceOptions options_;
  std::string log_;
  std::shared_ptr<OpenRun> run_;
};

TEST_F(RunLogsTest, AllOfALogIsReachedFromItsEnd) {
  WriteSteps();
  Json log = Get("");
  EXPECT_EQ(Steps(log), "500: 2500 .. 2999");
  EXPECT_EQ(log["older"], true);
  EXPECT_EQ(log["newer"], false);
  const auto size = std::filesystem::file_size(log_ + "/" + jobs::LogFileName(0));
  EXPECT_EQ(log["kept"], Json({{0, size}}));
  EXPECT_FALSE(log.contains("here"));
  EXPECT_EQ(Steps(Get("after=" + TextOf(&log["next"]))), "none");
  int pages = 1;
  for (; log["older"] == true; ++pages) log = Get("before=" + TextOf(&log["previous"]));
  EXPECT_EQ(pages, 6);
  EXPECT_EQ(Steps(log), "500: 0 .. 499");
  EXPECT_EQ(log["newer"], true);
  EXPECT_EQ(Steps(Get("after=" + TextOf(&log["next"]))), "500: 500 .. 999");
  const int64_t position = log["lines"][7]["position"];
  EXPECT_EQ(Steps(Get(fmt::format("before={}", position))), "7: 0 .. 6");
  EXPECT_EQ(Steps(Get(fmt::format("after={}", position))), "500: 7 .. 506");
}

TEST_F(RunLogsTest, AMomentHasItsLinesAround) {
  WriteSteps();
  Json log = Get("at=1234");
  EXPECT_EQ(Steps(log), "500: 984 .. 1483");
  EXPECT_EQ(log["here"], log["lines"][250]["position"]);
  EXPECT_EQ(log["lines"][250]["time"], 1234);
  EXPECT_EQ(log["older"], true);
  EXPECT_EQ(log["newer"], true);
  EXPECT_EQ(Steps(Get("after=" + TextOf(&log["next"]))), "500: 1484 .. 1983");
  EXPECT_EQ(Steps(Get("before=" + TextOf(&log["previous"]))), "500: 484 .. 983");
  log = Get("at=1233.25");
  EXPECT_EQ(log["here"], log["lines"][250]["position"]);
  EXPECT_EQ(log["lines"][250]["time"], 1234);
  log = Get("at=0");
  EXPECT_EQ(Steps(log), "250: 0 .. 249");
  EXPECT_EQ(log["older"], false);
  log = Get("at=2999.5");
  EXPECT_EQ(Steps(log), "250: 2750 .. 2999");
  EXPECT_EQ(log["here"].dump(), TextOf(&log["next"])) << "behind the last line";
  EXPECT_EQ(log["newer"], false);
}

TEST_F(RunLogsTest, TheWholeLogIsSearched) {
  WriteSteps();
  Json log = Get("q=STEP%201");
  EXPECT_EQ(Steps(log), "500: 1500 .. 1999");
  EXPECT_EQ(log["older"], true);
  log = Get("q=step%201&before=" + TextOf(&log["previous"]));
  EXPECT_EQ(Steps(log), "500: 1000 .. 1499");
  log = Get("q=step%207&level=");
  EXPECT_EQ(Steps(log), "111: 7 .. 799");
  EXPECT_EQ(log["older"], false);
  EXPECT_EQ(Steps(Get("q=step%207&after=0")), "111: 7 .. 799");
  log = Get("level=warning");
  EXPECT_EQ(Steps(log), "3: 10 .. 2010");
  EXPECT_EQ(log["lines"][0]["level"], "warning");
  EXPECT_FALSE(Get("q=step")["lines"][0].contains("level"));
  EXPECT_EQ(Steps(Get("level=warning&q=2010")), "1: 2010 .. 2010");
  EXPECT_EQ(Steps(Get("level=error")), "none");
  EXPECT_EQ(Steps(Get("q=no+such")), "none");
  log = Get("level=warning&at=1500");
  EXPECT_EQ(Steps(log), "3: 10 .. 2010");
  EXPECT_GT(log["lines"][2]["position"], log["here"]);
  EXPECT_LT(log["lines"][1]["position"], log["here"]);
}

TEST_F(RunLogsTest, GapsAreToldBesideTheLines) {
  const std::string first = "1000 first\n" + jobs::GapLine(Time(std::chrono::seconds(9)));
  Write(0, first);
  Write(5000, "8000 last\n");
  const Json log = Get("");
  EXPECT_EQ(log["kept"], Json({{0, first.size()}, {5000, 5010}}));
  ASSERT_EQ(log["lines"].size(), 2U);
  EXPECT_EQ(log["lines"][1]["text"], "last");
  EXPECT_EQ(log["lines"][1]["position"], 5000);
  EXPECT_EQ(Get("at=4")["here"], 5000);
}

TEST_F(RunLogsTest, AnEmptyLogIsAnAnswer) {
  for (const char* query : {"", "after=0", "after=77", "before=77", "at=5", "q=x", "level=error"}) {
    const Json log = Get(query);
    EXPECT_EQ(Steps(log), "none") << query;
    EXPECT_EQ(log["older"], false) << query;
    EXPECT_EQ(log["newer"], false) << query;
    EXPECT_EQ(log["kept"], Json::array()) << query;
    EXPECT_EQ(log["hosts"], Json({"local"})) << query;
  }
}

TEST_F(RunLogsTest, OddNumbersAreRefusedOrHarmless) {
  WriteSteps();
  for (const char* query :
       {"after=-1", "before=-1", "before=1.5", "before=x", "after=9223372036854775808", "at=nan",
        "at=inf", "at=1e309", "at=x", "at=1&before=2", "after=1&before=2", "at=1&after=2",
        "level=Error", "host=other"}) {
    EXPECT_EQ(Ask(query).status, 400) << query;
  }
  EXPECT_EQ(Steps(Get("at=-1e308")), "250: 0 .. 249");
  EXPECT_EQ(Steps(Get("at=1e308")), "250: 2750 .. 2999");
  EXPECT_EQ(Steps(Get("before=0")), "none");
  EXPECT_EQ(Steps(Get("before=1")), "1: 0 .. 0");
  EXPECT_EQ(Steps(Get("before=9223372036854775807")), "500: 2500 .. 2999");
  EXPECT_EQ(Steps(Get("after=9223372036854775807")), "none");
}

}  // namespace
}  // namespace warden::dashboard
