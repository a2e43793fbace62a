#include "warden/rules/custom/python_profile_rule.h"

#include <fmt/format.h>

#include "warden/rules/custom/custom_for_test.h"
#include "warden/rules/engine/engine.h"
#include "warden/timeline/feed/profile_feed.h"

namespace warden::rules {
namespace {

constexpr int64_t kMinute = 1'794'705'480;
constexpr char kSystem[] = "profile/system/incremental/2026111501";

// A run of two minutes: the CPU is at 10 % in the first and at 90 % in the second.
class PythonProfileRuleTest : public OwnRuleTest {
 protected:
  PythonProfileRuleTest() {
    std::filesystem::create_directories(folder_.path() / kSystem);
    for (const int64_t minute : {kMinute, kMinute + 60}) {
      std::string lines;
      for (int second = 0; second < 60; ++second) {
        lines += fmt::format(
            R"({{"Type": "cpu", "Name": "cpu0", "Dimension": "CPUUtilization", "Value": {}, )"
            R"("NodeId": "algo-1", "Timestamp": {}.5}})"
            "\n",
            minute == kMinute ? 10 : 90, minute + second);
      }
      folder_.Write(fmt::format("{}/{}.algo-1.json", kSystem, minute), lines);
    }
  }
  void EndJob() { folder_.Write("profile/system/training_job_end.ts", ""); }

  // The report of a rule whose class has these lines.
  RuleReport Check(const std::string& lines) {
    RuleConfig config;
    config.name = config.rule = "Own";
    config.source = Write("own.py",
                          "from smdebug.rules import Rule\n"
                          "class Own(Rule):\n" +
                              lines);
    config.profile = (folder_.path() / "profile").string();
    config.profile_output = (folder_.path() / "output").string();
    std::vector<std::string> notices;
    auto prepared = PrepareRules({config}, &notices);
    EXPECT_TRUE(prepared.ok()) << prepared.status().message();
    if (!prepared.ok()) return {};
    auto engine = Engine::Make(std::move(prepared).value(), nullptr, {}).value();
    engine->SetProfile(timeline::OpenProfileFeed(config.profile));
    const auto ignore = [](const RuleState&, const Finding&) {};
    for (int rest = 0; rest < 2;) rest = engine->Advance(100, ignore) == 0 ? rest + 1 : 0;
    engine->End(ignore);
    return engine->Reports(/*ended=*/true).front();
  }
};

constexpr char kBusy[] =
    "    def invoke_at_step(self, step):\n"
    "        start = self.base_trial.first_timestamp\n"
    "        events = self.base_trial.get_system_metrics(start, 1 << 62)\n"
    "        assert self.base_trial.get_framework_metrics(start, 1 << 62) == []\n"
    "        return any(e.type == 'cpu' and e.value > 80 for e in events)\n";

TEST_F(PythonProfileRuleTest, ItsTrialIsTheProfile) {
  EndJob();
  const RuleReport report = Check(kBusy);
  EXPECT_EQ(report.status, RuleStatus::kIssuesFound) << report.reason;
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_NE(report.findings[0].message.find("the rule's condition was met"), std::string::npos);
}

// As the original's rules do.
TEST_F(PythonProfileRuleTest, ARuleThatWaitsForIntervals) {
  EndJob();
  const RuleReport report = Check(
      "    def invoke_at_step(self, step):\n"
      "        raise AssertionError('not called')\n"
      "    def invoke(self, step):\n"
      "        from smdebug.exceptions import RuleEvaluationConditionMet\n"
      "        start = self.base_trial.first_timestamp + step * 30_000_000\n"
      "        self.base_trial.wait_for_data(start + 30_000_000, start)\n"
      "        events = self.base_trial.get_system_metrics(start, start + 30_000_000)\n"
      "        assert events, step\n"
      "        if any(e.value > 80 for e in events):\n"
      "            self.report['Details'] = f'interval {step}'\n"
      "            raise RuleEvaluationConditionMet(self.rule_name, step)\n");
  EXPECT_EQ(report.status, RuleStatus::kIssuesFound) << report.reason;
  ASSERT_FALSE(report.findings.empty());
  EXPECT_NE(report.findings[0].message.find("interval 2"), std::string::npos)
      << report.findings[0].message;
}

TEST_F(PythonProfileRuleTest, HealthyRuns) {
  EndJob();
  const RuleReport report = Check("    def invoke_at_step(self, step):\n        return False\n");
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound) << report.reason;
  EXPECT_GE(report.coverage.steps, 1);
}

TEST_F(PythonProfileRuleTest, AnExceptionStopsIt) {
  EndJob();
  const RuleReport report = Check("    def invoke_at_step(self, step):\n        return 1 / 0\n");
  EXPECT_EQ(report.status, RuleStatus::kError);
  EXPECT_NE(report.reason.find("ZeroDivisionError"), std::string::npos) << report.reason;
}

TEST_F(PythonProfileRuleTest, ALiveRunIsCheckedAsItGrows) {
  const RuleReport report = Check(kBusy);
  EXPECT_EQ(report.status, RuleStatus::kIssuesFound) << report.reason;
}

}  // namespace
}  // namespace warden::rules
