#include <signal.h>

#include "warden/rules/custom/custom_for_test.h"

namespace warden::rules {
namespace {

// The beginning of a class whose evaluation is what a test is about.
const std::string kHead =
    "import os, signal, sys, time\n"
    "from smdebug.exceptions import *\n"
    "from smdebug.rules import Rule\n"
    "class Own(Rule):\n";

class PythonRuleTest : public OwnRuleTest {
 protected:
  // A rule whose invoke_at_step consists of these lines.
  std::string Own(const std::string& lines) const {
    return Write("own.py", kHead + "    def invoke_at_step(self, step):\n        " + lines + "\n") +
           ":Own";
  }
  void SaveSteps(int count) {
    for (Step step = 0; step < count; ++step) {
      Save(step, "gradient/w", {static_cast<float>(step) * 10});
    }
  }
};

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(PythonRuleTest, TheDocumentedRule) {
  SaveSteps(4);
  const std::string file = Write("my_custom_rule.py", R"(from smdebug.rules.rule import Rule
class CustomGradientRule(Rule):
    """Gradients are too large.

    More of it.
    """
    def __init__(self, base_trial, threshold=10.0):
        super().__init__(base_trial)
        self.threshold = float(threshold)

    def invoke_at_step(self, step):
        for tname in self.base_trial.tensor_names(collection="gradients"):
            t = self.base_trial.tensor(tname)
            abs_mean = t.reduction_value(step, "mean", abs=True)
            if abs_mean > self.threshold:
                return True
        return False
)");
  const RuleReport report = Evaluate(file + ":CustomGradientRule,threshold=15.0");
  EXPECT_EQ(report.status, RuleStatus::kIssuesFound) << report.reason;
  EXPECT_EQ(report.rule, "CustomGradientRule");
  EXPECT_EQ(report.doc, "Gradients are too large.");
  EXPECT_EQ(FiredAt(report), std::vector<Step>{2});
  EXPECT_EQ(report.findings[0].count, 2);
  EXPECT_EQ(report.findings[0].message, "the rule's condition was met at step 2");
  EXPECT_EQ(report.coverage.steps, 4);
  EXPECT_EQ(report.coverage.tensors, 1);
  const RuleReport calm = Evaluate(file + ":CustomGradientRule,threshold=300");
  EXPECT_EQ(calm.status, RuleStatus::kNoIssuesFound) << calm.reason;
}

TEST_F(PythonRuleTest, ParametersArriveAsWhatTheySpell) {
  SaveSteps(1);
  const std::string file =
      Write("own.py", kHead +
                          "    def __init__(self, base_trial, action_str, **given):\n"
                          "        super().__init__(base_trial, action_str)\n"
                          "        self.given = given\n"
                          "    def invoke_at_step(self, step):\n"
                          "        self.report['Details'] = repr(self.given)\n"
                          "        return True\n");
  const RuleReport report = Evaluate(
      file + ":Own,a=20,b=-2.5,c=1e-7,d=True,e=false,f=text,start_step=0,timeout_seconds=50");
  ASSERT_EQ(report.findings.size(), 1u) << report.reason;
  EXPECT_EQ(report.findings[0].message,
            "the rule's condition was met: {'a': 20, 'b': -2.5, 'c': 1e-07, 'd': True, 'e': False, "
            "'f': 'text'} at step 0");
}

TEST_F(PythonRuleTest, TheExceptionFiresToo) {
  SaveSteps(4);
  const RuleReport report =
      Evaluate(Own("raise RuleEvaluationConditionMet('Too hot', step, end_of_rule=step == 1)"));
  ASSERT_EQ(report.findings.size(), 1u) << report.reason;
  EXPECT_EQ(report.findings[0].message, "rule Too hot found a problem at step 0");
  EXPECT_EQ(report.findings[0].last_step, 1);  // Then it had enough.
  EXPECT_EQ(report.coverage.steps, 2);
}

TEST_F(PythonRuleTest, NumPysTruthIsTruth) {
  SaveSteps(3);
  const RuleReport report =
      Evaluate(Own("return self.base_trial.tensor('gradient/w').value(step) > 15"));
  EXPECT_EQ(FiredAt(report), std::vector<Step>{2}) << report.reason;
}

TEST_F(PythonRuleTest, WhatIsMissingIsNotEvaluated) {
  SaveSteps(2);
  Save(2, "loss", {5});
  const RuleReport report = Evaluate(Own("return self.base_trial.tensor('loss').value(step) > 1"));
  EXPECT_EQ(FiredAt(report), std::vector<Step>{2}) << report.reason;
  EXPECT_EQ(report.coverage.steps, 1);
  EXPECT_EQ(report.notes,
            std::vector<std::string>{
                "some steps were not checked: tensor 'loss' was not saved at every step"});
}

TEST_F(PythonRuleTest, NothingEvaluatedIsSaid) {
  SaveSteps(2);
  const RuleReport missing = Evaluate(Own("return self.base_trial.tensor('no').value(step) > 1"));
  EXPECT_EQ(missing.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(missing.reason, "not checked at step 1: no tensor named 'no' was saved");
}

TEST_F(PythonRuleTest, NobodyWaitsForALaterStep) {
  SaveSteps(2);
  const RuleReport later =
      Evaluate(Own("self.base_trial.wait_for_steps([step + 1])\n"
                   "        return True"));
  EXPECT_EQ(FiredAt(later), std::vector<Step>{0}) << later.reason;
  EXPECT_EQ(later.findings[0].count, 1);
}

TEST_F(PythonRuleTest, AnExceptionEndsItWithTheTraceback) {
  SaveSteps(3);
  const RuleReport report = Evaluate(Own("return 1 / (1 - step) > 5"));
  EXPECT_EQ(report.status, RuleStatus::kError);
  EXPECT_TRUE(Has(report.reason, "at step 1: ZeroDivisionError: division by zero\nTraceback"))
      << report.reason;
  EXPECT_TRUE(Has(report.reason, "own.py\", line 6, in invoke_at_step")) << report.reason;
  EXPECT_FALSE(Has(report.reason, "worker.py\", line 7")) << report.reason;
  EXPECT_EQ(report.coverage.steps, 1);
}

TEST_F(PythonRuleTest, AConstructorThatFails) {
  SaveSteps(1);
  const std::string file =
      Write("own.py", kHead +
                          "    def __init__(self, base_trial):\n"
                          "        sys.exit('no')\n"
                          "    def invoke_at_step(self, step): return False\n");
  const RuleReport report = Evaluate(file + ":Own");
  EXPECT_EQ(report.status, RuleStatus::kError);
  EXPECT_TRUE(report.reason.starts_with("while the rule was created: SystemExit: no\nTraceback"))
      << report.reason;
}

TEST_F(PythonRuleTest, OnlyABoolIsAVerdict) {
  SaveSteps(1);
  const RuleReport report = Evaluate(Own("return 'yes'"));
  EXPECT_EQ(report.status, RuleStatus::kError);
  EXPECT_TRUE(Has(report.reason, "invoke_at_step returned 'yes'; expected True or False"))
      << report.reason;
  const RuleReport nothing = Evaluate(Own("pass"));
  EXPECT_EQ(nothing.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(nothing.notes,
            std::vector<std::string>{"invoke_at_step returned None; treated as False"});
}

TEST_F(PythonRuleTest, ATimeoutEndsIt) {
  SaveSteps(3);
  const RuleReport report =
      Evaluate(Own("time.sleep(1000 if step == 1 else 0); return False") + ",timeout_seconds=5");
  EXPECT_EQ(report.status, RuleStatus::kError);
  EXPECT_EQ(report.reason, "at step 1, the rule process did not answer within 5 s and was killed");
  EXPECT_EQ(report.coverage.steps, 1);
}

TEST_F(PythonRuleTest, CrashesEndItAlone) {
  SaveSteps(2);
  const RuleReport killed = Evaluate(Own("os.kill(os.getpid(), signal.SIGKILL)"));
  EXPECT_EQ(killed.status, RuleStatus::kError);
  EXPECT_EQ(killed.reason, "at step 0, the rule process was killed by signal 9 (Killed)");
  const RuleReport segv = Evaluate(Own("import ctypes; ctypes.string_at(0)"));
  EXPECT_TRUE(Has(segv.reason, "was killed by signal 11 (Segmentation fault); its output:\nFatal"))
      << segv.reason;
  EXPECT_TRUE(Has(segv.reason, "line 6 in invoke_at_step")) << segv.reason;
  const RuleReport exited = Evaluate(Own("print('bye'); os._exit(3)"));
  EXPECT_EQ(exited.reason, "at step 0, the rule process exited with code 3; its output:\nbye");
}

TEST_F(PythonRuleTest, PrintingAndReadingDoNoHarm) {
  SaveSteps(2);
  const RuleReport report = Evaluate(
      Own("print('{}'); os.write(1, b'{}\\n'); sys.stdin.read(); os.system('echo {}; cat'); return "
          "step == 1"));
  EXPECT_EQ(FiredAt(report), std::vector<Step>{1}) << report.reason;
}

TEST_F(PythonRuleTest, OtherRulesGoOn) {
  Manifest(1);
  SaveSteps(3);
  builder_.End();
  std::vector<RuleConfig> configs = ParseRuleText(Own("os.abort()")).value();
  configs.push_back(ParseRuleText("VanishingGradient").value().at(0));
  std::vector<std::string> notices;
  auto rules = PrepareRules(configs, &notices);
  ASSERT_TRUE(rules.ok()) << rules.status().message();
  auto engine = Engine::Make(std::move(rules.value()),
                             trial::Trial::Open(store_, trial::LookOptions()).value(), {});
  engine.value()->Advance(INT64_MAX, [](const RuleState&, const Finding&) {});
  const auto reports = engine.value()->Reports(/*ended=*/true);
  EXPECT_EQ(reports[0].status, RuleStatus::kError);
  EXPECT_EQ(reports[1].status, RuleStatus::kIssuesFound);
  EXPECT_EQ(reports[1].coverage.steps, 3);
}

TEST_F(PythonRuleTest, ComparesWithOtherRuns) {
  SaveSteps(2);
  std::shared_ptr<storage::Store> other =
      storage::OpenStore((folder_.path() / "other").string()).value();
  trial::RunBuilder builder(other.get());
  builder.Manifests(1);
  builder.Step(0, 0, {{"loss", 1.f}});
  builder.End();
  const std::string file =
      Write("own.py", kHead +
                          "    def __init__(self, base_trial, other_trials):\n"
                          "        super().__init__(base_trial, other_trials=other_trials)\n"
                          "    def invoke_at_step(self, step):\n"
                          "        return self.other_trials[0].tensor_names() == ['loss']\n");
  const RuleReport report =
      Evaluate(file + ":Own,other_trials=" + (folder_.path() / "other").string());
  EXPECT_EQ(FiredAt(report), std::vector<Step>{0}) << report.reason;
}

TEST_F(PythonRuleTest, RefusesWhatCannotBeLoaded) {
  const std::string missing = (folder_.path() / "none.py").string();
  EXPECT_EQ(Refusal(missing + ":Own"), missing + ": no such file");

  const std::string own = Own("return False");
  const std::string file = own.substr(0, own.find(":Own"));
  EXPECT_EQ(Refusal(file + ":Onw"), file + ":Onw: class 'Onw' not found (rules in this file: Own)");
  EXPECT_EQ(Refusal(file + ":StepUnavailable"),
            file +
                ":StepUnavailable: 'StepUnavailable' is not a subclass of smdebug.rules.Rule "
                "(rules in this file: Own)");
  EXPECT_EQ(Refusal(own + ",treshold=3"),
            own +
                ": Own: got an unexpected keyword argument 'treshold' (parameters: action_str, "
                "other_trials)");
  EXPECT_EQ(Refusal(own + ",timeout_seconds=soon"),
            own + ": timeout_seconds is 'soon'; expected a number from 0.001 to 86400");
  EXPECT_EQ(Refusal(own), "");
}

TEST_F(PythonRuleTest, RefusesWhatCannotEvaluate) {
  const auto refusal = [&](const std::string& text) {
    const std::string file = Write("bad.py", text);
    const std::string message = Refusal(file + ":Own");
    EXPECT_TRUE(message.starts_with(file + ":Own: ")) << message;
    return message.substr(std::min(message.size(), file.size() + 6));
  };
  EXPECT_EQ(refusal("class Own(:\n"), "bad.py, line 1: SyntaxError: invalid syntax");
  EXPECT_EQ(refusal("\nimport no_such_module\n"),
            "line 2: ModuleNotFoundError: No module named 'no_such_module'");
  EXPECT_EQ(refusal("raise SystemExit(4)\n"), "line 1: SystemExit: 4");
  EXPECT_EQ(refusal(kHead + "    pass\n"), "Own does not define invoke_at_step");
  EXPECT_EQ(refusal(kHead + "    def __init__(self, base_trial, threshold): pass\n"
                            "    def invoke_at_step(self, step): return False\n"),
            "Own: missing a required argument: 'threshold' (parameters: threshold)");
  EXPECT_TRUE(Has(refusal("import os; os._exit(5)\n"), "exited with code 5"));
}

TEST_F(PythonRuleTest, RefusesWithoutAPython) {
  const std::string own = Own("return False");
  setenv("WARDEN_PYTHON", "/no/such/python", 1);
  EXPECT_EQ(Refusal(own), own +
                              ": WARDEN_PYTHON is '/no/such/python'; expected an executable Python "
                              "interpreter");
  setenv("WARDEN_PYTHON", "true", 1);
  EXPECT_TRUE(Has(Refusal(own), "true exited with code 0\nSet WARDEN_PYTHON to a Python"));
}

}  // namespace
}  // namespace warden::rules
