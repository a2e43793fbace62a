#include "warden/base/checkout_for_test.h"
#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

class TreeDepthTest : public RuleTest {
 protected:
  void SetUp() override { Manifest(1, {}, config::Framework::kXgBoost); }

  using Column = std::vector<std::string>;
  static TestTensor Texts(const Column& texts) {
    return {DType::kString, {std::ssize(texts)}, {}, texts};
  }
  void Tree(Step step, const Column& ids, const Column& yes, const Column& no) {
    Save(step, {{"trees/ID", Texts(ids)}, {"trees/Yes", Texts(yes)}, {"trees/No", Texts(no)}},
         Mode::kGlobal);
  }
  // A chain: each node's second child is split again.
  void Chain(Step step, int depth) {
    Column ids, yes, no;
    const std::string tree = std::to_string(step) + "-";
    for (int i = 0; i <= 2 * depth; ++i) {
      const bool split = i % 2 == 0 && i < 2 * depth;
      ids.push_back(tree + std::to_string(i));
      yes.push_back(split ? tree + std::to_string(i + 1) : "nan");
      no.push_back(split ? tree + std::to_string(i + 2) : "nan");
    }
    Tree(step, ids, yes, no);
  }
};

TEST_F(TreeDepthTest, FollowsTheLinks) {
  Chain(0, 4);
  Chain(1, 5);
  Chain(2, 0);
  const RuleReport report = Evaluate("TreeDepth");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].step, 1);
  EXPECT_EQ(report.findings[0].value, 5);
  EXPECT_EQ(report.findings[0].threshold, 4);
  EXPECT_EQ(report.findings[0].tensor, "trees/ID");
  EXPECT_EQ(report.findings[0].message, "trees/ID: tree 1 has a depth of 5, above 4 at step 1");
  EXPECT_EQ(report.coverage.steps, 3);
  EXPECT_EQ(report.notes, std::vector<std::string>{
                              "only one tree per round is saved; other trees of a round are not "
                              "checked"});
}

TEST_F(TreeDepthTest, WithoutLinksTheNumbersAreALowerBound) {
  Save(0, {{"trees/ID", Texts({"0-0", "0-14"})}}, Mode::kGlobal);  // 14: depth 3.
  Save(1, {{"trees/ID", Texts({"1-0", "1-15"})}}, Mode::kGlobal);  // 15: depth 4.
  const RuleReport report = Evaluate("TreeDepth:depth=3");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message,
            "trees/ID: tree 1 has a depth of at least 4, above 3 at step 1");
}

TEST_F(TreeDepthTest, BrokenTablesAreSkipped) {
  Tree(0, {"0-0", "0-1"}, {"0-1", "0-0"}, {"nan", "nan"});  // A circle.
  Tree(1, {"0-0", "0-1"}, {"0-1"}, {"nan", "nan"});
  Tree(2, {}, {}, {});
  Save(3, {{"trees/ID", FloatTensor({1}, {1})}}, Mode::kGlobal);
  const RuleReport report = Evaluate("TreeDepth:depth=0");
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.notes.size(), 2u);
}

TEST_F(TreeDepthTest, SaysWhatIsMissing) {
  Save(0, {{"trees/Gain", FloatTensor({1}, {1})}}, Mode::kGlobal);
  const RuleReport report = Evaluate("TreeDepth");
  EXPECT_EQ(report.reason, "node ids (trees/ID) were not saved; save the collection trees");
}

TEST_F(TreeDepthTest, RecordedRuns) {
  // Trained with max_depth 3, and as deep as that.
  for (const std::string run : {"xgb_binary", "xgb_regression"}) {
    auto store = storage::OpenStore(SourceFile("tests/golden/") + run + "/trial");
    ASSERT_TRUE(store.ok());
    store_ = std::move(store.value());
    const auto evaluate = [&](const std::string& text) {
      std::vector<std::string> notices;
      auto rules = PrepareRules(ParseRuleText(text).value(), &notices);
      std::shared_ptr<trial::Trial> trial =
          trial::Trial::Open(store_, trial::LookOptions()).value();
      auto engine = Engine::Make(std::move(rules.value()), trial, {});
      engine.value()->Advance(INT64_MAX, [](const RuleState&, const Finding&) {});
      return engine.value()->Reports(true).at(0);
    };
    const RuleReport fine = evaluate("TreeDepth:depth=3");
    EXPECT_EQ(fine.status, RuleStatus::kNoIssuesFound) << run;
    EXPECT_GE(fine.coverage.steps, 3);
    const RuleReport deep = evaluate("TreeDepth:depth=2");
    ASSERT_EQ(deep.findings.size(), 1u) << run;
    EXPECT_EQ(deep.findings[0].step, 0);
    EXPECT_EQ(deep.findings[0].value, 3);
  }
}

TEST_F(TreeDepthTest, Refusals) {
  EXPECT_EQ(Refusal("TreeDepth:depth=-1"),
            "TreeDepth: depth is '-1'; expected an integer from 0 to 1000000");
}

}  // namespace
}  // namespace warden::rules
