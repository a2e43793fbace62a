#include <gtest/gtest.h>

#include "warden/base/json.h"
#include "warden/report/charts.h"
#include "warden/report/report_document.h"
#include "warden/report/report_for_test.h"

namespace warden::report {
namespace {

TEST(ReportJson, HasAllOfAReport) {
  MadeUpJob job({"algo-1", "algo-2"}, {"gpu0", "gpu1"});
  const Report report = BuildProfilerReport(job.Inputs());
  const Json json = ToJson(report);
  EXPECT_EQ(json["title"], report.title);
  EXPECT_EQ(json["subtitle"], "resnet50-imagenet");
  EXPECT_EQ(json["still_running"], false);
  EXPECT_EQ(json["written_at"], report.written_at);
  ASSERT_EQ(json["first"].size(), report.first.size());
  EXPECT_EQ(json["first"][0]["section"], report.first[0].section);
  ASSERT_EQ(json["sections"].size(), report.sections.size());
  for (size_t i = 0; i < report.sections.size(); ++i) {
    const Section& section = report.sections[i];
    const Json& told = json["sections"][i];
    EXPECT_EQ(told["id"], section.id);
    EXPECT_EQ(told["text"].size(), section.text.size());
    EXPECT_EQ(told["parts"].size(), section.parts.size());
    ASSERT_EQ(told["charts"].size(), section.charts.size());
    for (size_t j = 0; j < section.charts.size(); ++j) {
      EXPECT_EQ(told["charts"][j]["kind"], ChartKindName(section.charts[j].kind));
      EXPECT_EQ(told["charts"][j]["data"], *section.charts[j].data);
      EXPECT_EQ(told["charts"][j]["table"]["rows"].size(), section.charts[j].table.rows.size());
    }
  }
}

TEST(ReportJson, TellsTablesAndTones) {
  Section section = {.id = "a", .title = "A"};
  section.text = {{"Good.", Tone::kGood}, {"Bad.", Tone::kWarning}, {"Hush.", Tone::kQuiet}};
  section.tables = {{"c", {"x", "y"}, {{"a", "1"}}, {false, true}, 5}};
  section.charts.emplace_back();  // Without data.
  const Json json = ToJson(section);
  EXPECT_EQ(json["text"][0]["tone"], "good");
  EXPECT_EQ(json["text"][1]["tone"], "warning");
  EXPECT_EQ(json["text"][2]["tone"], "quiet");
  EXPECT_EQ(json["tables"][0].dump(),
            R"({"caption":"c","columns":["x","y"],"rows":[["a","1"]],"numeric":[false,true],)"
            R"("shown":5})");
  EXPECT_TRUE(json["charts"][0]["data"].is_null());
}

}  // namespace
}  // namespace warden::report
