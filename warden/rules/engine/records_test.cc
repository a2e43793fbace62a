#include "warden/rules/engine/records.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/storage_for_test.h"

namespace warden::rules {
namespace {

class RecordsTest : public testing::Test {
 protected:
  RecordsTest() { std::filesystem::remove_all(folder_); }
  ~RecordsTest() override { std::filesystem::remove_all(folder_); }

  Records Open() {
    auto records = Records::Open(folder_);
    EXPECT_TRUE(records.ok()) << records.status().message();
    return std::move(records.value());
  }
  static RuleReport Report(const std::string& threshold = "1") {
    RuleReport report;
    report.name = "my/rule";
    report.rule = "AllZero";
    report.parameters = {{"threshold", threshold}};
    return report;
  }
  static Finding At(Step step, const std::string& tensor = "a") {
    Finding finding;
    finding.step = finding.last_step = step;
    finding.tensor = tensor;
    finding.message = tensor + " is wrong";
    return finding;
  }
  static std::vector<RuleReport> Write(Records* records, RuleReport report) {
    std::vector<RuleReport> reports = {std::move(report)};
    const Status status = records->Write(&reports, 7);
    EXPECT_TRUE(status.ok()) << status.message();
    return reports;
  }

  const std::string folder_ =
      std::filesystem::temp_directory_path() / ("records-test-" + std::to_string(getpid()));
};

TEST_F(RecordsTest, WhatIsOnRecordIsNotNew) {
  {
    Records records = Open();
    records.Begin({Report()});
    EXPECT_TRUE(records.Add("my/rule", At(3)));
    EXPECT_FALSE(records.Add("my/rule", At(3)));
    Write(&records, Report());
  }
  Records again = Open();
  again.Begin({Report()});
  EXPECT_FALSE(again.Add("my/rule", At(3)));
  EXPECT_TRUE(again.Add("my/rule", At(3, "b")));
  EXPECT_TRUE(again.Add("my/rule", At(4)));
}

TEST_F(RecordsTest, FindingsThatWereNotFoundAgainAreKept) {
  {
    Records records = Open();
    records.Begin({Report()});
    records.Add("my/rule", At(3));
    Write(&records, Report());
  }
  Records again = Open();
  again.Begin({Report()});
  const auto reports = Write(&again, Report());
  ASSERT_EQ(reports[0].findings.size(), 1u);
  EXPECT_EQ(reports[0].findings[0].step, 3);
  EXPECT_EQ(reports[0].status, RuleStatus::kIssuesFound);
}

TEST_F(RecordsTest, OtherParametersBeginAnew) {
  {
    Records records = Open();
    records.Begin({Report("1")});
    records.Add("my/rule", At(3));
    Write(&records, Report("1"));
  }
  Records again = Open();
  again.Begin({Report("2")});
  EXPECT_TRUE(Write(&again, Report("2"))[0].findings.empty());
  EXPECT_TRUE(again.Add("my/rule", At(3)));
}

TEST_F(RecordsTest, ADamagedLineIsPassedOver) {
  {
    Records records = Open();
    records.Begin({Report()});
    records.Add("my/rule", At(3));
    Write(&records, Report());
  }
  const auto store = storage::OpenStore(folder_);
  ASSERT_TRUE(store.ok());
  const std::string lines = storage::Text(*store.value(), "my_rule/firings.jsonl");
  const Status put = store.value()->Put("my_rule/firings.jsonl", AsBytes("{\"id\": tor\n" + lines));
  ASSERT_TRUE(put.ok());
  Records again = Open();
  again.Begin({Report()});
  EXPECT_FALSE(again.Add("my/rule", At(3)));
}

TEST(RecordsFolderTest, IsInTheRunOrBesideIt) {
  EXPECT_EQ(RecordsFolder("runs/a"), "runs/a/rule-output");
  EXPECT_EQ(RecordsFolder("runs/a/"), "runs/a/rule-output");
  EXPECT_EQ(RecordsFolder("runs/a/debug-output"), "runs/a/rule-output");
  EXPECT_EQ(RecordsFolder("s3://b/a/"), "s3://b/a/rule-output");
  EXPECT_EQ(RecordsFolder("s3://b/a/debug-output"), "s3://b/a/rule-output");
}

TEST_F(RecordsTest, ShadowRulesAreRecordedApart) {
  RuleReport shadow = Report();
  shadow.name = "AllZero";
  shadow.shadow = true;
  {
    Records records = Open();
    records.Begin({shadow});
    EXPECT_TRUE(records.Add("AllZero", At(3), /*shadow=*/true));
    Write(&records, shadow);
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/shadow/AllZero/status.json"));
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/shadow/AllZero/firings.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/AllZero"));
  Records again = Open();
  again.Begin({shadow});
  EXPECT_FALSE(again.Add("AllZero", At(3), /*shadow=*/true));
  EXPECT_TRUE(again.Add("AllZero", At(3), /*shadow=*/false));
}

TEST_F(RecordsTest, ReportsAreReadBack) {
  RuleReport shadow = Report("2");
  shadow.shadow = true;
  shadow.coverage = {3, 40};
  const os::TempFolder run;
  const std::string folder = RecordsFolder(run.path().string());
  auto opened = Records::Open(folder);
  ASSERT_TRUE(opened.ok());
  Records& records = opened.value();
  records.Begin({Report(), shadow});
  records.Add("my/rule", At(3), /*shadow=*/true);
  std::vector<RuleReport> reports = {Report(), shadow};
  ASSERT_TRUE(records.Write(&reports, 7).ok());
  for (const char* text : {"", "[]", "{}", R"({"name": "x", "rule": "y", "status": "z"})"}) {
    std::filesystem::create_directories(folder + "/bad");
    std::ofstream(folder + "/bad/status.json") << text;
    const auto read = ReadRecordedReports(run.path().string());
    ASSERT_EQ(read.size(), 2u);
    EXPECT_FALSE(read[0].shadow);
    EXPECT_TRUE(read[1].shadow);
    EXPECT_EQ(read[1].name, "my/rule");
    EXPECT_EQ(read[1].status, RuleStatus::kIssuesFound);
    ASSERT_EQ(read[1].findings.size(), 1u);
    EXPECT_EQ(read[1].findings[0].step, 3);
    EXPECT_EQ(read[1].coverage.steps, 40);
    EXPECT_EQ(read[1].parameters, shadow.parameters);
  }
  EXPECT_TRUE(ReadRecordedReports(run.File("none")).empty());
}

TEST_F(RecordsTest, ReportsAreReadThroughLinksInsideTheRunOnly) {
  const os::TempFolder all;
  const auto write = [&](const std::string& folder) {
    auto records = Records::Open(all.File(folder));
    ASSERT_TRUE(records.ok());
    records.value().Begin({Report()});
    Write(&records.value(), Report());
  };
  write("others");
  write("leads/rule-output-of-mine");
  write("follows/rule-output/real");
  write("beside/data");
  std::filesystem::create_directories(all.File("part/rule-output"));
  std::filesystem::create_directories(all.File("beside/debug-output"));
  const auto link = [&](const std::string& to, const std::string& at) {
    std::filesystem::create_directory_symlink(to, all.File(at));
  };
  link(all.File("others"), "leads/rule-output");
  link(all.File("others/my_rule"), "part/rule-output/my_rule");
  link("real/my_rule", "follows/rule-output/linked");
  link("data", "beside/rule-output");
  EXPECT_TRUE(ReadRecordedReports(all.File("leads")).empty());
  EXPECT_TRUE(ReadRecordedReports(all.File("part")).empty());
  EXPECT_EQ(ReadRecordedReports(all.File("follows")).size(), 2U);
  EXPECT_EQ(ReadRecordedReports(all.File("beside/debug-output")).size(), 1U);
}

}  // namespace
}  // namespace warden::rules
