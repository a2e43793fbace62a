#include "warden/watch/task/rule_task.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "warden/base/json.h"
#include "warden/os/temp_folder_for_test.h"

namespace warden::watch {
namespace {

namespace fs = std::filesystem;

std::string ReadText(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class RuleTaskTest : public testing::Test {
 protected:
  RuleTaskTest() {
    std::string lines;
    for (int second = 0; second < 30; ++second) {
      lines += fmt::format(
          R"({{"Type": "cpu", "Name": "cpu0", "Dimension": "CPUUtilization", "Value": 50, )"
          R"("NodeId": "algo-1", "Timestamp": {}.5}})"
          "\n",
          1'794'705'480 + second);
    }
    Write("profiler/system/incremental/2026111501/1794705480.algo-1.json", lines);
  }

  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_.path() / name).parent_path());
    folder_.Write(name, text);
  }

  // Of the profiler, with these parameters.
  RuleTask Task(const std::string& rule, Json more = Json::object()) {
    Json parameters = std::move(more);
    parameters["rule_to_invoke"] = rule;
    const Json spec = {
        {"job", "demo"},
        {"launch", "1"},
        {"kind", "profiler"},
        {"rule", {{"RuleConfigurationName", "mine"}, {"RuleParameters", parameters}}},
        {"run", ""},
        {"profiler", (folder_.path() / "profiler").string()},
        {"output", (folder_.path() / "output/mine").string()},
        {"log", (folder_.path() / "log").string()}};
    auto task = RuleTask::FromJson(spec);
    EXPECT_TRUE(task.ok()) << task.status().message();
    return task.ok() ? task.value() : RuleTask();
  }
  fs::path Page() const {
    return folder_.path() / "output/mine/profiler-output/profiler-report.html";
  }

  os::TempFolder folder_;
};

// Stops once the report was written for the first time.
class StopWithPage : public RuleListener {
 public:
  explicit StopWithPage(fs::path page) : page_(std::move(page)) {}
  bool IsToStop() override {
    if (!fs::exists(page_)) return false;
    if (first_.empty()) first_ = ReadText(page_);
    return true;
  }
  const std::string& first() const { return first_; }

 private:
  const fs::path page_;
  std::string first_;
};

TEST_F(RuleTaskTest, AStoppedReportIsNotLeftRunning) {
  StopWithPage listener(Page());
  const RuleVerdict verdict = EvaluateByRule(Task("ProfilerReport"), &listener);
  EXPECT_EQ(verdict.status, "Stopped");
  EXPECT_NE(listener.first().find("<header data-running"), std::string::npos);
  EXPECT_EQ(ReadText(Page()).find("<header data-running"), std::string::npos);
}

TEST_F(RuleTaskTest, TheRuleOfSageMakerProfilerWritesAReport) {
  Write("profiler/framework/pevents/2026111501/1794705490000000_7-algo-1_pythontimeline.json",
        R"([
{"name": "process_name", "ph": "M", "pid": 0,
 "args": {"start_time_since_epoch_in_micros": 1794705480000000}},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "cpu_functions"}},
{"name": "aten::linear", "pid": 1, "ph": "X", "ts": 1000, "dur": 500, "args": {"tid": 1}}
])");
  Write("profiler/system/training_job_end.ts", "");
  RuleListener listener;
  const RuleVerdict verdict = EvaluateByRule(Task("DetailedProfilerProcessing"), &listener);
  EXPECT_EQ(verdict.status, "NoIssuesFound") << verdict.details;
  const std::string page = ReadText(Page());
  EXPECT_NE(page.find("aten::linear"), std::string::npos);
  EXPECT_EQ(page.find("was not run"), std::string::npos)
      << "sections of rules that are not part of it";
}

TEST_F(RuleTaskTest, ACustomRuleOfTheProfilerGetsItsData) {
  Write("own.py", "");
  const std::string file = (folder_.path() / "own.py").string();
  const RuleTask task = Task("Own", {{"source_s3_uri", file}});
  EXPECT_EQ(task.config.source, file);
  EXPECT_EQ(task.config.profile, task.profiler);
  EXPECT_EQ(task.config.profile_output, task.output);
  EXPECT_TRUE(Task("ProfilerReport").config.profile.empty());
}

}  // namespace
}  // namespace warden::watch
