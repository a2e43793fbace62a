#include "warden/rules/engine/records.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

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
}

}  // namespace
}  // namespace warden::rules
