#include "warden/dashboard/profile/report_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/timeline/timeline_for_test.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

class ReportFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.Write("rule-output/ProfilerReport-17/profiler-output/profiler-report.html", "<p>");
    folder_.Write("rule-output/ProfilerReport-17/profiler-output/profiler-report.ipynb", "{}");
    folder_.Write("rule-output/ProfilerReport-17/profiler-output/profiler-reports/StepOutlier.json",
                  "[1]");
    folder_.Write("rule-output/CreateXgboostReport/xgboost_report.html", "<b>");
    folder_.Write("rule-output/CreateXgboostReport/xgboost_report.json", "{}");
    folder_.Write("rule-output/CreateXgboostReport/status.json", "{}");
    folder_.Write("secret.txt", "secret");
    places_.reports = {folder_.PathOf("rule-output")};
  }

  std::string Body(const http::Response& response) {
    if (!response.file) return response.body;
    std::string text = timeline::ReadText(response.file->path);
    EXPECT_EQ(text.size(), response.file->length);
    return text;
  }
  Code CodeOf(std::string_view path) { return ReportFile(places_, path, false).status().code(); }
  static std::string HeaderOf(const http::Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return "";
  }

  timeline::ProfilerFolderForTest folder_;
  RunPlaces places_;
};

TEST_F(ReportFilesTest, FindsReports) {
  const auto reports = FindReports(places_);
  ASSERT_EQ(reports.size(), 2);
  const auto& profiler = reports[0].xgboost ? reports[1] : reports[0];
  const auto& xgboost = reports[0].xgboost ? reports[0] : reports[1];
  EXPECT_EQ(profiler.name, "ProfilerReport-17");
  ASSERT_EQ(profiler.files.size(), 3);
  EXPECT_EQ(profiler.files[0].path, "profiler-report.html");
  EXPECT_EQ(profiler.files[2].path, "profiler-reports/StepOutlier.json");
  EXPECT_EQ(profiler.files[2].bytes, 3);
  EXPECT_GT(profiler.modified, 1.7e9);
  EXPECT_EQ(xgboost.name, "CreateXgboostReport");
  EXPECT_EQ(xgboost.files.size(), 2);
}

TEST_F(ReportFilesTest, FindsThoseOfAJobAndTellsThemApart) {
  // A job's rule has a folder of its own, which another one may be the parent of.
  folder_.Write("jobs/a/ProfilerReport/profiler-output/profiler-report.html", "1");
  folder_.Write("jobs/b/ProfilerReport/profiler-output/profiler-report.html", "2");
  places_.reports = {folder_.PathOf("jobs/a/ProfilerReport"),
                     folder_.PathOf("jobs/b/ProfilerReport/"), folder_.PathOf("jobs"), "",
                     folder_.PathOf("not there")};
  std::set<std::string> names;
  for (const auto& report : FindReports(places_)) names.insert(report.name);
  EXPECT_EQ(names, (std::set<std::string>{"ProfilerReport", "ProfilerReport-2"}));
  EXPECT_EQ(Body(ReportFile(places_, "ProfilerReport-2/profiler-report.html", false).value()), "2");
}

TEST_F(ReportFilesTest, SendsFilesThatCanOnlyDrawThemselves) {
  const auto page = ReportFile(places_, "ProfilerReport-17/profiler-report.html", false);
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(Body(page.value()), "<p>");
  EXPECT_EQ(HeaderOf(page.value(), "Content-Type"), "text/html; charset=utf-8");
  EXPECT_TRUE(HeaderOf(page.value(), "Content-Security-Policy").starts_with("sandbox "));
  EXPECT_EQ(HeaderOf(page.value(), "Content-Disposition"), "");
  const auto json =
      ReportFile(places_, "ProfilerReport-17/profiler-reports/StepOutlier.json", true);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(HeaderOf(json.value(), "Content-Type"), "application/json");
  EXPECT_EQ(HeaderOf(json.value(), "Content-Disposition"),
            "attachment; filename=\"ProfilerReport-17-StepOutlier.json\"");
}

TEST_F(ReportFilesTest, NamesOfDownloadsAreSafe) {
  folder_.Write("rule-output/a\"b\r\nc/profiler-report.html", "x");
  const auto page = ReportFile(places_, "a\"b\r\nc/profiler-report.html", true);
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(HeaderOf(page.value(), "Content-Disposition"),
            "attachment; filename=\"a_b__c-profiler-report.html\"");
}

TEST_F(ReportFilesTest, OpensNothingElse) {
  const std::string own = "rule-output/ProfilerReport-17/profiler-output/";
  fs::create_symlink(folder_.PathOf("secret.txt"), folder_.PathOf(own + "link.html"));
  fs::create_directory_symlink(folder_.path(), folder_.PathOf(own + "up"));
  for (const std::string_view path :
       {"", "ProfilerReport-17", "ProfilerReport-17/", "ProfilerReport-17/../../../secret.txt",
        "ProfilerReport-17//profiler-report.html", "ProfilerReport-17/./profiler-report.html",
        "ProfilerReport-17/link.html", "ProfilerReport-17/up/secret.txt",
        "ProfilerReport-17/profiler-reports", "ProfilerReport-17/none.html",
        "ProfilerReport-17//etc/passwd", "../secret.txt",
        "ProfilerReport-18/profiler-report.html"}) {
    EXPECT_EQ(CodeOf(path), Code::kNotFound) << path;
  }
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(CodeOf("ProfilerReport-17/profiler-report.html\0.txt"sv), Code::kNotFound);
  EXPECT_EQ(CodeOf("ProfilerReport-17/profiler-report.html"), Code::kOk);
}

TEST_F(ReportFilesTest, PassesLinksOver) {
  fs::create_directory_symlink(folder_.PathOf("rule-output/ProfilerReport-17"),
                               folder_.PathOf("rule-output/again"));
  fs::create_directories(folder_.PathOf("rule-output/other"));
  fs::create_symlink(folder_.PathOf("secret.txt"),
                     folder_.PathOf("rule-output/other/profiler-report.html"));
  EXPECT_EQ(FindReports(places_).size(), 2);
}

}  // namespace
}  // namespace warden::dashboard
