// The commands "warden timeline ..." on the recorded profile.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "warden/base/checkout_for_test.h"
#include "warden/base/json.h"
#include "warden/cli/command.h"
#include "warden/cli/output_for_test.h"
#include "warden/cli/program/run_program.h"

namespace warden::cli {
namespace {

const std::string kProfileFolder = SourceFile("python/tests/profiler/data/aligned");
const char* const kProfile = kProfileFolder.c_str();

class TimelineCommandsTest : public testing::Test {
 protected:
  TimelineCommandsTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("warden-timeline-cli-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~TimelineCommandsTest() override { std::filesystem::remove_all(folder_); }

  int Warden(std::vector<std::string> words) {
    words.insert(words.begin(), {"warden", "timeline"});
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    CapturedOutput out;
    const int code = RunProgram(static_cast<int>(arguments.size()), arguments.data(), out.output());
    results_ = out.results();
    messages_ = out.messages();
    return code;
  }
  Json Results() const { return ParseJson(results_).value(); }

  const std::filesystem::path folder_;
  std::string results_;
  std::string messages_;
};

TEST_F(TimelineCommandsTest, MergesStepsIntoAFile) {
  const std::string out = folder_ / "steps.json";
  ASSERT_EQ(
      Warden({"merge", kProfile, "--first-step", "2", "--last-step", "3", "--out", out, "--json"}),
      kDone)
      << messages_;
  const Json told = Results();
  EXPECT_EQ(told["path"], out);
  EXPECT_GT(told["spans"], 0);
  EXPECT_GT(told["counters"], 0);
  std::stringstream text;
  text << std::ifstream(out).rdbuf();
  EXPECT_TRUE(ParseJson(text.str()).ok());
  ASSERT_EQ(
      Warden({"merge", kProfile, "--start", "0", "--end", "0.01", "--no-system", "--out", out}),
      kDone)
      << messages_;
  EXPECT_NE(results_.find("0 metrics"), std::string::npos) << results_;
}

TEST_F(TimelineCommandsTest, FindsTheProfilerOfARun) {
  const auto inside = folder_ / "run" / "profiler-output";
  std::filesystem::create_directories(inside.parent_path() / "debug-output");
  std::filesystem::copy(kProfile, inside, std::filesystem::copy_options::recursive);
  for (const char* run : {"run", "run/profiler-output", "run/debug-output"}) {
    EXPECT_EQ(Warden({"summary", folder_ / run, "--json"}), kDone) << run << messages_;
    EXPECT_EQ(Results()["spans"], 96);
  }
}

TEST_F(TimelineCommandsTest, SumsUpByPhaseOperatorAndStep) {
  ASSERT_EQ(Warden({"summary", kProfile}), kDone) << messages_;
  EXPECT_NE(results_.find("Step:ModeKeys.TRAIN"), std::string::npos);
  ASSERT_EQ(Warden({"summary", kProfile, "--by", "operator", "--top", "2"}), kDone);
  EXPECT_NE(results_.find("more rows; use --top to show them"), std::string::npos) << results_;
  ASSERT_EQ(Warden({"summary", kProfile, "--by", "step", "--json"}), kDone);
  const Json steps = Results()["steps"];
  ASSERT_EQ(steps.size(), 2);
  EXPECT_EQ(steps[1]["mode"], "TRAIN");
  EXPECT_EQ(Warden({"summary", kProfileFolder + "/framework/pevents/2026111501/"
                                                "1794705514619539_8616-vm_pythontimeline.json"}),
            kDone)
      << messages_;
}

TEST_F(TimelineCommandsTest, AddsUpStacks) {
  ASSERT_EQ(Warden({"flame", kProfile, "--top", "5"}), kDone) << messages_;
  EXPECT_NE(results_.find("main thread"), std::string::npos) << results_;
  EXPECT_NE(results_.find("others"), std::string::npos) << results_;
  ASSERT_EQ(Warden({"flame", kProfile, "--by", "all", "--json"}), kDone) << messages_;
  EXPECT_EQ(Results()["nodes"][0]["name"], "all");
  ASSERT_EQ(Warden({"flame", kProfile, "--by", "all", "--collapsed"}), kDone) << messages_;
  EXPECT_NE(results_.find("Step:ModeKeys.TRAIN"), std::string::npos) << results_;
  EXPECT_EQ(Warden({"flame", kProfile, "--start", "1e8"}), kFailed);
  EXPECT_NE(messages_.find("no spans in this time range"), std::string::npos) << messages_;
  EXPECT_EQ(Warden({"flame", kProfile, "--top", "0"}), kMisused);
}

TEST_F(TimelineCommandsTest, FollowsAStepBack) {
  ASSERT_EQ(Warden({"path", kProfile, "--step", "2"}), kDone) << messages_;
  EXPECT_NE(results_.find("Step 2 (TRAIN) of 8616-vm"), std::string::npos) << results_;
  EXPECT_NE(results_.find("forward"), std::string::npos) << results_;
  EXPECT_NE(messages_.find("no GPU work"), std::string::npos) << messages_;
  ASSERT_EQ(Warden({"path", kProfile, "--step", "2", "--json"}), kDone) << messages_;
  EXPECT_EQ(Results()["step"], 2);
  ASSERT_EQ(Warden({"path", kProfile}), kDone) << messages_;
  EXPECT_NE(results_.find("median duration"), std::string::npos) << results_;
  ASSERT_EQ(Warden({"path", kProfile, "--mode", "EVAL", "--json"}), kDone) << messages_;
  EXPECT_EQ(Results()["mode"], "EVAL");
  EXPECT_EQ(Warden({"path", kProfile, "--step", "999"}), kFailed);
  EXPECT_NE(messages_.find("no step 999 in the timeline; it has TRAIN"), std::string::npos);
}

TEST_F(TimelineCommandsTest, ErrorsSayWhatIsAccepted) {
  EXPECT_EQ(Warden({"summary", folder_ / "none"}), kFailed);
  EXPECT_NE(messages_.find("no such folder"), std::string::npos) << messages_;
  EXPECT_EQ(Warden({"summary", folder_}), kFailed);
  EXPECT_NE(messages_.find("profiler-output"), std::string::npos) << messages_;
  EXPECT_EQ(Warden({"merge", kProfile, "--start", "soon"}), kMisused);
  EXPECT_NE(messages_.find("--start is 'soon'"), std::string::npos) << messages_;
  EXPECT_EQ(Warden({"merge", kProfile, "--first-step", "-1"}), kMisused);
  EXPECT_EQ(Warden({"merge", kProfile, "--first-step", "999"}), kFailed);
  EXPECT_NE(messages_.find("step 999 not found"), std::string::npos) << messages_;
  EXPECT_EQ(Warden({"merge", kProfile, "--start", "1", "--first-step", "1"}), kMisused);
  EXPECT_EQ(Warden({"summary", kProfile, "--top", "0"}), kMisused);
}

}  // namespace
}  // namespace warden::cli
