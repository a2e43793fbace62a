#include "warden/cli/rules/rule_agent_command.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "warden/format/layout.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/events/findings_file.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/os/temp_folder_for_test.h"
#include "warden/os/whole_file.h"
#include "warden/storage/storage_for_test.h"
#include "warden/trial/trial_for_test.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

class RuleAgentTest : public testing::Test {
 protected:
  ~RuleAgentTest() override {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }

  std::string Path(const std::string& name) const { return folder_.path() / name; }
  std::string Agent() const { return Path("agent"); }
  std::string Output() const { return Path("out/rule-output/MyRule"); }

  // Starts the agent as a separate process.
  void Start(const std::string& rule, const std::map<std::string, std::string>& parameters = {},
             const std::string& kind = "debug") {
    Json config = {{"RuleConfigurationName", "MyRule"}, {"RuleEvaluatorImage", "image"}};
    config["RuleParameters"] = {{"rule_to_invoke", rule}};
    for (const auto& [name, value] : parameters) config["RuleParameters"][name] = value;
    fs::create_directories(Agent());
    const Json spec = {{"job", "job-1"},        {"launch", "5"},
                       {"kind", kind},          {"rule", config},
                       {"run", run_},           {"profiler", Path("profiler-output")},
                       {"output", Output()},    {"log", Agent() + "/log"},
                       {"file_bytes", 1 << 20}, {"files", 2}};
    std::ofstream(Agent() + "/spec.json") << DumpLikePython(spec) << std::flush;
    pid_ = fork();
    if (pid_ == 0) _exit(RunRuleAgent(Agent()));
  }

  // What it said last, once it has ended.
  Json Finish() {
    int state = 0;
    EXPECT_EQ(waitpid(std::exchange(pid_, -1), &state, 0) > 0 && WIFEXITED(state), true);
    return jobs::LookAtAgent(Agent()).said;
  }
  Json Said() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < deadline) {
      Json said = jobs::LookAtAgent(Agent()).said;
      if (said.is_object()) return said;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return nullptr;
  }

  // A run with or without a vanishing gradient.
  void Save(Step step, float gradient) {
    if (!begun_) builder_.Manifests(1);
    begun_ = true;
    builder_.Tensors(step, 0,
                     {{"gradient/fc.weight", trial::FloatTensor({2}, {gradient, gradient})},
                      {"gradient/fc.bias", trial::FloatTensor({1}, {gradient})}});
  }
  void EndJob() {
    fs::create_directories(run_);
    std::ofstream(run_ + "/" + std::string(format::kEndMarker)) << "";
    fs::create_directories(Path("profiler-output/system"));
    std::ofstream(Path("profiler-output/system/training_job_end.ts")) << "";
  }
  std::vector<actions::Firing> Findings() { return jobs::FindingsReader(Agent()).Next(); }

  os::TempFolder folder_;
  const std::string run_ = Path("out/debug-output");
  std::unique_ptr<storage::Store> store_ = storage::OpenStore(run_).value();
  trial::RunBuilder builder_{store_.get()};
  bool begun_ = false;
  pid_t pid_ = -1;
};

TEST_F(RuleAgentTest, EndsWhenTheRuleFires) {
  Start("VanishingGradient");
  EXPECT_EQ(Said()["status"], "InProgress");
  Save(0, 1);
  Save(7, 1e-12f);
  // The job continues; the rule has its result.
  const Json said = Finish();
  EXPECT_EQ(said["status"], "IssuesFound");
  EXPECT_EQ(said["ended"], true);
  EXPECT_EQ(said["details"],
            "RuleEvaluationConditionMet: Evaluation of the rule VanishingGradient at step 7 "
            "resulted in the condition being met\n");
  const auto findings = Findings();
  ASSERT_EQ(findings.size(), 2u) << "all of the step";
  EXPECT_EQ(findings[0].job, "job-1");
  EXPECT_EQ(findings[0].launch, "5");
  EXPECT_EQ(findings[0].rule, "MyRule");
  EXPECT_EQ(findings[0].rule_class, "VanishingGradient");
  EXPECT_EQ(findings[0].finding.step, 7);
  EXPECT_TRUE(fs::exists(Output() + "/status.json")) << "records are with its other output";
  const auto log = jobs::ReadLog(Agent() + "/log", 0, 100, 1 << 20);
  ASSERT_TRUE(log.ok());
  ASSERT_FALSE(log.value().lines.empty());
  EXPECT_EQ(log.value().lines[0].text, "warden: rule MyRule checks job job-1");
  EXPECT_EQ(log.value().lines.back().text,
            "warden: rule MyRule: IssuesFound. RuleEvaluationConditionMet: Evaluation of the rule "
            "VanishingGradient at step 7 resulted in the condition being met");
}

TEST_F(RuleAgentTest, JudgesAllThereIsBeforeItsEnd) {
  for (Step step = 0; step < 200; ++step) Save(step, 1);
  EndJob();
  Start("vanishing_gradient");
  const Json said = Finish();
  EXPECT_EQ(said["status"], "NoIssuesFound");
  EXPECT_EQ(said["details"], "");
  EXPECT_EQ(said["step"], 199);
  EXPECT_TRUE(Findings().empty());
}

TEST_F(RuleAgentTest, WhatAnEarlierJobLeftHidesNothing) {
  Save(0, 1e-12f);
  EndJob();
  for (int job = 0; job < 2; ++job) {
    Start("VanishingGradient");
    EXPECT_EQ(Finish()["status"], "IssuesFound");
    EXPECT_EQ(Findings().size(), 2u);
    ASSERT_TRUE(jobs::ForgetAgent(Agent()).ok());
  }
}

TEST_F(RuleAgentTest, AJobThatSavedNothingIsAnError) {
  EndJob();
  Start("VanishingGradient");
  const Json said = Finish();
  EXPECT_EQ(said["status"], "Error");
  EXPECT_EQ(said["details"].get<std::string>().substr(0, 67),
            "ClientError: No debugging data was saved by the training job. Check");
}

TEST_F(RuleAgentTest, ARuleWithoutItsInputsSaysSo) {
  Save(0, 1);
  EndJob();
  Start("WeightUpdateRatio");
  const Json said = Finish();
  EXPECT_EQ(said["status"], "NoIssuesFound");
  EXPECT_NE(said["details"].get<std::string>().find("no weights were saved"), std::string::npos)
      << said["details"];
}

TEST_F(RuleAgentTest, IsStopped) {
  Save(0, 1);
  Start("VanishingGradient");
  ASSERT_EQ(Said()["status"], "InProgress");
  kill(pid_, SIGTERM);
  EXPECT_EQ(Finish()["status"], "Stopped");
}

TEST_F(RuleAgentTest, ARuleThatIsNoneIsTheUsersFault) {
  Start("NoSuchRule");
  const Json said = Finish();
  EXPECT_EQ(said["status"], "Error");
  EXPECT_TRUE(said["details"].get<std::string>().starts_with("ClientError: ")) << said["details"];
  ASSERT_TRUE(jobs::ForgetAgent(Agent()).ok());
  Start("VanishingGradient", {{"threshold", "soon"}});
  EXPECT_TRUE(Finish()["details"].get<std::string>().starts_with("ClientError: ")) << "a parameter";
}

TEST_F(RuleAgentTest, AProfilersRuleWaitsForTheJobsEnd) {
  Start("ProfilerReport", {}, "profiler");
  ASSERT_EQ(Said()["status"], "InProgress");
  const std::string metrics = Path("profiler-output/system/incremental/2026010203/");
  fs::create_directories(metrics);
  std::ofstream file(metrics + "1767323040.algo-1.json");
  for (int i = 0; i < 30; ++i) {
    file << R"({"Type": "cpu", "Name": "cpu0", "Dimension": "CPUUtilization", "Value": 50.0, )"
         << R"("NodeId": "algo-1", "Timestamp": )" << 1767323040 + i << ".0}\n";
  }
  file.close();
  EndJob();
  const Json said = Finish();
  EXPECT_EQ(said["status"], "NoIssuesFound") << said["details"];
  EXPECT_TRUE(fs::exists(Output() + "/profiler-output/profiler-report.html"));
  EXPECT_FALSE(fs::exists(run_ + "/../rule-output/ProfilerReport")) << "in its own folder alone";
}

TEST_F(RuleAgentTest, AnotherAtWorkIsLeftAlone) {
  Start("VanishingGradient");
  ASSERT_EQ(Said()["status"], "InProgress");
  const pid_t second = fork();
  if (second == 0) _exit(RunRuleAgent(Agent()));
  int state = -1;
  ASSERT_EQ(waitpid(second, &state, 0), second);
  EXPECT_EQ(WEXITSTATUS(state), 0);
  EndJob();
  EXPECT_EQ(Finish()["status"], "Error") << "the first one continues to its end";
}

}  // namespace
}  // namespace warden::cli
