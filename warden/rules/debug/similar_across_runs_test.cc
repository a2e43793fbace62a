#include <cmath>

#include "warden/os/temp_folder_for_test.h"
#include "warden/rules/rules_for_test.h"
#include "warden/storage/storage_for_test.h"

namespace warden::rules {
namespace {

class SimilarAcrossRunsTest : public RuleTest {
 protected:
  // Another run, in a folder.
  struct Other {
    Other() {
      store = storage::OpenStore(path()).value();
      builder.emplace(store.get());
    }
    void Save(Step step, const std::string& tensor, const std::vector<float>& values,
              Mode mode = Mode::kTrain, int worker = 0) {
      const auto size = static_cast<int64_t>(values.size());
      trial::StepOptions options;
      options.mode = mode;
      builder->Tensors(step, worker, {{tensor, FloatTensor({size}, values)}}, options);
    }

    std::string path() const { return folder.path().string(); }

    os::TempFolder folder;
    std::unique_ptr<storage::Store> store;
    std::optional<trial::RunBuilder> builder;
  };

  std::string Rule(const std::string& more = "") const {
    return "SimilarAcrossRuns:other_trials=" + other_.path() + more;
  }

  Other other_;
};

TEST_F(SimilarAcrossRunsTest, NamesTheTensorAndStepWhereTheRunsPart) {
  other_.builder->Manifests(1);
  for (const Step step : {0, 1, 2}) {
    const float off = step == 0 ? 0.f : 0.5f;
    Save(step, Tensors{{"a", FloatTensor({2}, {1, 2})}, {"b", FloatTensor({2}, {1, 2})}});
    other_.builder->Tensors(step, 0,
                            {{"a", FloatTensor({2}, {1, 2})},
                             {"b", FloatTensor({2}, {1, 2 - off})},
                             {"c", FloatTensor({1}, {1})}},
                            {.mode = Mode::kTrain});
  }
  other_.builder->End();
  const RuleReport report = Evaluate(Rule());
  EXPECT_EQ(report.status, RuleStatus::kIssuesFound);
  ASSERT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.findings[0].tensor, "b");
  EXPECT_EQ(report.findings[0].count, 2);
  EXPECT_EQ(report.findings[0].value, 0.5);
  EXPECT_EQ(report.findings[0].message, "b: differs from " + other_.store->Locate("") +
                                            " by up to 0.5 (1 of 2 values) at step 1");
  EXPECT_EQ(report.notes, std::vector<std::string>{"the runs first differ at step 1, in b"});
  EXPECT_EQ(report.coverage.tensors, 2);
  EXPECT_EQ(report.coverage.steps, 3);
}

TEST_F(SimilarAcrossRunsTest, WithinTheToleranceTheyAreSimilar) {
  other_.builder->Manifests(1);
  Save(0, "a", {100, NAN, INFINITY});
  other_.Save(0, "a", {100.0009f, NAN, INFINITY});  // 1e-8 + 1e-5 * 100.
  Save(1, "a", {100});
  other_.Save(1, "a", {100.0012f});
  other_.builder->End();
  EXPECT_EQ(FiredAt(Evaluate(Rule())), std::vector<Step>{1});
}

TEST_F(SimilarAcrossRunsTest, StepsOfAModeAreComparedWithThoseOfTheMode) {
  other_.builder->Manifests(1);
  Save(0, "a", {1});
  Save(1, "a", {5}, Mode::kEval);
  other_.Save(0, "a", {1});
  other_.Save(1, "a", {7}, Mode::kTrain);
  other_.builder->End();
  const RuleReport report = Evaluate(Rule());
  EXPECT_EQ(report.status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(report.coverage.steps, 1);
  EXPECT_EQ(report.notes,
            std::vector<std::string>{"1 tensor skipped (first: a): not saved by another run at the "
                                     "same step"});
}

TEST_F(SimilarAcrossRunsTest, EachWorkerIsComparedWithItself) {
  Manifest(2);
  other_.builder->Manifests(2);
  for (const int worker : {0, 1}) {
    Save(0, "a", {static_cast<float>(worker)}, Mode::kTrain, worker);
    other_.Save(0, "a", {0}, Mode::kTrain, worker);
  }
  other_.builder->End();
  const RuleReport report = Evaluate(Rule());
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_1");
}

TEST_F(SimilarAcrossRunsTest, AnotherShapeIsADifferenceAndSavedReductionsWillDo) {
  other_.builder->Manifests(1);
  Save(0, "a", {1, 1});
  other_.Save(0, "a", {1});
  Save(1, SavedReduction("b", "mean", 1));
  other_.builder->Tensors(1, 0, SavedReduction("b", "mean", 2), {.mode = Mode::kTrain});
  other_.builder->End();
  const RuleReport report = Evaluate(Rule());
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].message,
            "a: differs from " + other_.store->Locate("") + " in shape: (2) and (1) at step 0");
  EXPECT_EQ(report.findings[1].message,
            "b: differs from " + other_.store->Locate("") + " in mean: 1 and 2 at step 1");
}

TEST_F(SimilarAcrossRunsTest, ARunThatGoesOnIsReadAgain) {
  other_.builder->Manifests(1);
  other_.Save(0, "a", {1});
  Save(0, "a", {1});
  Save(1, "a", {2});
  Save(2, "a", {3});
  Manifest(1);
  builder_.End();
  std::vector<std::string> notices;
  auto rules = PrepareRules(ParseRuleText(Rule()).value(), &notices);
  auto trial = trial::Trial::Open(store_, trial::LookOptions());
  auto engine = Engine::Make(std::move(rules.value()), std::move(trial.value()), {});
  const auto ignore = [](const RuleState&, const Finding&) {};
  engine.value()->Advance(1, ignore);
  other_.Save(1, "a", {7});  // After it was opened.
  engine.value()->Advance(2, ignore);
  const RuleReport report = engine.value()->Reports(true).at(0);
  EXPECT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.coverage.steps, 2);
  ASSERT_EQ(report.notes.size(), 3u);
  EXPECT_EQ(report.notes[1], other_.store->Locate("") +
                                 " is still running; steps it had not reached were not compared");
}

TEST_F(SimilarAcrossRunsTest, SeveralRunsAndASelection) {
  Other second;
  for (Other* other : {&other_, &second}) other->builder->Manifests(1);
  Save(0, Tensors{{"a", FloatTensor({1}, {1})}, {"b", FloatTensor({1}, {1})}});
  other_.Save(0, "a", {1});
  second.builder->Tensors(0, 0, {{"a", FloatTensor({1}, {3})}, {"b", FloatTensor({1}, {3})}},
                          {.mode = Mode::kTrain});
  for (Other* other : {&other_, &second}) other->builder->End();
  EXPECT_EQ(Evaluate(Rule()).findings.size(), 0u);
  EXPECT_EQ(Evaluate(Rule("," + second.path())).findings.size(), 2u);
  EXPECT_EQ(Evaluate(Rule("," + second.path() + ";tensor_regex=b")).findings.size(), 1u);
}

TEST_F(SimilarAcrossRunsTest, Refusals) {
  EXPECT_EQ(Refusal("SimilarAcrossRuns"),
            "SimilarAcrossRuns: no run to compare with; set other_trials");
}

}  // namespace
}  // namespace warden::rules
