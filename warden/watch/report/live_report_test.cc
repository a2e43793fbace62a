#include "warden/watch/report/live_report.h"

#include <gtest/gtest.h>

namespace warden::watch {
namespace {

TEST(LiveReportTest, TheLastVersionSaysThatTheRunIsOver) {
  std::vector<bool> still_running;
  LiveReport report("profiling", "out/page.html", [&](bool running) {
    still_running.push_back(running);
    return Status();
  });
  report.Moment();
  EXPECT_TRUE(still_running.empty()) << "not due yet";
  EXPECT_EQ(report.Finish().value(), "out/page.html");
  EXPECT_EQ(still_running, std::vector<bool>({false}));
}

TEST(LiveReportTest, NothingToReportIsNotAnError) {
  LiveReport report("profiling", "page",
                    [](bool) { return Status(Code::kUnavailable, "nothing"); });
  EXPECT_EQ(report.Finish().value(), "");
}

TEST(LiveReportTest, AnErrorNamesTheReport) {
  LiveReport report("XGBoost", "page", [](bool) { return Status(Code::kIo, "disk full"); });
  EXPECT_EQ(report.Finish().status().message(), "cannot write the XGBoost report: disk full");
}

}  // namespace
}  // namespace warden::watch
