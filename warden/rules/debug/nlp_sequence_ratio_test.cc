#include <cmath>

#include "warden/rules/rules_for_test.h"

namespace warden::rules {
namespace {

using NLPSequenceRatioTest = RuleTest;

constexpr const char* kSequences = "embedding0_input_0";

TestTensor Tokens(std::vector<int64_t> tokens) {
  const auto size = static_cast<int64_t>(tokens.size());
  return MakeTensor(DType::kInt64, {1, size}, tokens);
}

TEST_F(NLPSequenceRatioTest, FiresAboveTheThresholdAtEachStepAlone) {
  Save(0, Tensors{{kSequences, Tokens({0, 0, 5, 7})}});  // Exactly 50 %.
  Save(1, Tensors{{kSequences, Tokens({0, 0, 0, 7})}});
  Save(2, Tensors{{kSequences, Tokens({1, 1, 1, 7})}});
  const RuleReport report = Evaluate("NLPSequenceRatio");
  ASSERT_EQ(FiredAt(report), std::vector<Step>{1});
  EXPECT_EQ(report.findings[0].value, 75);
  EXPECT_EQ(report.findings[0].threshold, 50);
  EXPECT_EQ(report.findings[0].message,
            "embedding0_input_0: token 0 makes up 75 % of the values, above 50 % at step 1");
  EXPECT_EQ(report.coverage.steps, 3);
}

TEST_F(NLPSequenceRatioTest, EachTokenHasItsThreshold) {
  Save(0, Tensors{{kSequences, Tokens({-100, -100, 3, 3})}});
  const std::string tokens = "NLPSequenceRatio:token_values=-100, 3;token_thresholds_percent=";
  EXPECT_TRUE(Evaluate(tokens + "50, 50").findings.empty());
  const RuleReport one = Evaluate(tokens + "50, 20");
  ASSERT_EQ(one.findings.size(), 1u);
  EXPECT_EQ(one.findings[0].threshold, 20);
  EXPECT_EQ(Evaluate(tokens + "10,20").findings[0].message,
            "embedding0_input_0: token -100 makes up 50 % of the values, above 10 % and token 3 "
            "makes up 50 % of the values, above 20 % at step 0");
}

TEST_F(NLPSequenceRatioTest, AnyTypeWillDo) {
  Save(0, Tensors{{kSequences, MakeTensor<int32_t>(DType::kInt32, {3}, {2, 2, 1})},
                  {"b_embedding0_input_0", MakeTensor<uint8_t>(DType::kUInt8, {3}, {2, 2, 1})},
                  {"c_embedding0_input_0", FloatTensor({3}, {2, 2, 1})}});
  EXPECT_EQ(Evaluate("NLPSequenceRatio:token_values=2").findings.size(), 3u);
  EXPECT_EQ(Evaluate("NLPSequenceRatio:token_values=258").findings.size(), 0u);  // 2, modulo 256.
  EXPECT_EQ(Evaluate("NLPSequenceRatio:token_values=2.5").findings.size(), 0u);
  EXPECT_EQ(Evaluate("NLPSequenceRatio:token_values=-1e300").findings.size(), 0u);
}

TEST_F(NLPSequenceRatioTest, PercentagesAreOfTheFiniteValues) {
  Save(0, kSequences, {0, 0, 1, NAN, INFINITY});
  const RuleReport report = Evaluate("NLPSequenceRatio");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_DOUBLE_EQ(report.findings[0].value, 200.0 / 3);
  Save(0, kSequences, {});
  EXPECT_EQ(Evaluate("NLPSequenceRatio").reason,
            "all matching tensors were skipped: no finite "
            "values");
  Save(0, SavedReduction(kSequences, "max", 0));
  EXPECT_EQ(Evaluate("NLPSequenceRatio").reason,
            "all matching tensors were skipped: full tensors were not saved; add --reductions "
            "none");
}

TEST_F(NLPSequenceRatioTest, FindsTheInputByRoleForEveryWorker) {
  Manifest(2, {{"first_embedding_input", {"emb_input_"}}});
  Save(0, Tensors{{"emb_input_0", Tokens({0})}}, Mode::kEval, 0);
  Save(0, Tensors{{"emb_input_0", Tokens({1})}}, Mode::kEval, 1);
  const RuleReport report = Evaluate("NLPSequenceRatio");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].worker, "worker_0");
  EXPECT_EQ(Evaluate("NLPSequenceRatio:tensor_regex=no").reason,
            "no tensors matching 'no' were "
            "saved; check the pattern, or save "
            "the tensors with --include-regex");
}

TEST_F(NLPSequenceRatioTest, Refusals) {
  EXPECT_EQ(Refusal("NLPSequenceRatio:token_values=0,1"),
            "NLPSequenceRatio: token_values has 2 entries and token_thresholds_percent has 1; "
            "expected one threshold per token");
  EXPECT_EQ(Refusal("NLPSequenceRatio:token_values=pad"),
            "NLPSequenceRatio: token_values is 'pad'; expected comma-separated numbers");
  EXPECT_EQ(Refusal("NLPSequenceRatio:token_thresholds_percent=101"),
            "NLPSequenceRatio: token_thresholds_percent is '101'; expected comma-separated numbers "
            "from 0 to 100");
}

}  // namespace
}  // namespace warden::rules
