#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "warden/base/json.h"
#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report_for_test.h"

namespace warden::report {
namespace {

class WriteProfilerReportTest : public testing::Test {
 protected:
  WriteProfilerReportTest() { std::filesystem::remove_all(folder_); }
  ~WriteProfilerReportTest() override { std::filesystem::remove_all(folder_); }

  std::string Read(const std::string& name) const {
    std::ifstream file(folder_ / "profiler-output" / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("report_test_" + std::to_string(getpid()));
};

TEST_F(WriteProfilerReportTest, WritesPageNotebookAndTheResultOfEachRule) {
  ASSERT_TRUE(WriteProfilerReport(folder_.string(), FullInputs()).ok());
  EXPECT_EQ(Read("profiler-report.html"), ToHtml(BuildProfilerReport(FullInputs())));
  EXPECT_EQ(Read("profiler-report.ipynb"), ToNotebook(FullInputs()));
  for (const rules::ProfilerResult& result : FullInputs().results) {
    const auto json = ParseJson(Read("profiler-reports/" + result.rule + ".json"));
    ASSERT_TRUE(json.ok()) << result.rule;
    EXPECT_EQ(json.value()["RuleTriggered"], result.triggered);
    EXPECT_EQ(json.value()["Datapoints"], result.datapoints);
    EXPECT_EQ(json.value()["RuleParameters"], result.parameters);
    EXPECT_EQ(json.value()["Details"].size(), result.details->size());
  }
}

TEST_F(WriteProfilerReportTest, ReplacesWhatIsThereAndLeavesNothingElse) {
  ASSERT_TRUE(WriteProfilerReport(folder_.string(), EmptyInputs()).ok());
  ASSERT_TRUE(WriteProfilerReport(folder_.string(), HostileInputs()).ok());
  const std::string usage = Read("profiler-reports/OverallSystemUsage.json");
  EXPECT_EQ(usage.find("NaN"), std::string::npos);
  EXPECT_EQ(usage.find("Infinity"), std::string::npos);
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, 13u);
}

TEST_F(WriteProfilerReportTest, SaysWhichFileCannotBeWritten) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "profiler-output") << "in the way";
  const Status status = WriteProfilerReport(folder_.string(), FullInputs());
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("profiler-output/profiler-reports/"), std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace warden::report
