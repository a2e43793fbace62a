#include <cstdlib>

#include "warden/base/checkout_for_test.h"
#include "warden/rules/custom/custom_for_test.h"
#include "warden/rules/custom/find_python.h"

namespace warden::rules {
namespace {

// The example, which is built beside this test.
std::string Spike() {
  return (std::filesystem::path(OwnProgramFile()).parent_path() / "spike.so:Spike").string();
}

class SharedObjectRuleTest : public OwnRuleTest {
 protected:
  // A shared object of this source in C, which the header has to do for; its path.
  std::string Compile(const std::string& source) {
    const std::string number = std::to_string(++count_);
    const std::string file = Write("rule" + number + ".c", source);
    const std::string object = (folder_.path() / ("rule" + number + ".so")).string();
    const std::string command = "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -I" +
                                SourceFile("") + " -o " + object + " " + file;
    EXPECT_EQ(std::system(command.c_str()), 0);
    return object;
  }
  // A rule whose function Check consists of these lines.
  std::string Own(const std::string& lines) {
    return Compile(
               "#include <stdio.h>\n#include <string.h>\n"
               "#include \"warden/rules/custom/warden_rule.h\"\n"
               "static int Create(const struct WardenParam* p, uint64_t n, void** r, char* m) {"
               " (void)p; (void)n; (void)m; *r = 0; return 0; }\n"
               "static int Check(void* r, const struct WardenStep* s, struct WardenVerdict* v) {"
               " (void)r; (void)s; (void)v;\n" +
               lines +
               "\n}\n"
               "static void Destroy(void* r) { (void)r; }\n"
               "const struct WardenRules* warden_rules(void) {\n"
               "  static const struct WardenRule kRules[] = {\n"
               "    {\"Own\", \"Doc.\", \"Advice.\", Create, Check, Destroy},\n"
               "    {\"Half\", \"\", \"\", Create, 0, Destroy}};\n"
               "  static const struct WardenRules kAll = {kWardenRuleVersion, 2, kRules};\n"
               "  return &kAll;\n}\n") +
           ":Own";
  }

 private:
  int count_ = 0;
};

TEST_F(SharedObjectRuleTest, TheExample) {
  Save(0, Tensors{{"gradient/a", FloatTensor({2}, {1, -2})}, {"w", FloatTensor({1}, {1})}});
  Save(1, Tensors{{"gradient/a", FloatTensor({2}, {1, -20})}, {"w", FloatTensor({1}, {1})}});
  Save(2, Tensors{{"gradient/a", FloatTensor({2}, {1, -201})}, {"w", FloatTensor({1}, {50})}});
  const RuleReport report = Evaluate(Spike() + ",collection_names=gradients");
  EXPECT_EQ(report.status, RuleStatus::kIssuesFound) << report.reason;
  EXPECT_EQ(report.rule, "Spike");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message,
            "gradient/a: rose from 20 to 201, more than 10 times at step 2");
  EXPECT_EQ(report.findings[0].worker, "worker_0");
  EXPECT_EQ(report.findings[0].value, 201);
  EXPECT_EQ(report.findings[0].threshold, 200);
  EXPECT_TRUE(report.findings[0].advice.starts_with("Lower the learning rate"));
  EXPECT_EQ(report.coverage.tensors, 1);
  EXPECT_EQ(report.coverage.steps, 3);

  EXPECT_EQ(Evaluate(Spike() + ",factor=300").status, RuleStatus::kNoIssuesFound);
  EXPECT_EQ(Evaluate(Spike() + ",tensor_regex=^w$").findings.at(0).tensor, "w");
  EXPECT_EQ(Evaluate(Spike() + ",tensor_regex=nothing").status, RuleStatus::kNotEvaluated);
}

TEST_F(SharedObjectRuleTest, WhatARuleSees) {
  const std::string one(1, '\1');
  Save(3,
       Tensors{{"b", {DType::kBool, {1}, one}},
               {"d", MakeTensor<double>(DType::kFloat64, {2, 1}, {0.5, 2})},
               {"s", {DType::kString, {1}, "", {"text"}}}},
       Mode::kEval);
  const RuleReport report = Evaluate(
      Own("const struct WardenTensor* d = &s->tensors[1];\n"
          "if (s->tensor_count != 2 || s->step != 3 || strcmp(s->mode, \"EVAL\") != 0) return 0;\n"
          "if (strcmp(d->name, \"d\") != 0 || strcmp(d->worker, \"worker_0\") != 0) return 0;\n"
          "if (d->dtype != kWardenFloat64 || d->rank != 2 || d->shape[0] != 2) return 0;\n"
          "if (d->count != 2 || (uintptr_t)d->data % sizeof(double) != 0) return 0;\n"
          "v->value = ((const double*)d->data)[1];\n"
          "return kWardenFired;"));
  ASSERT_EQ(report.findings.size(), 1u) << report.reason;
  EXPECT_EQ(report.findings[0].message, "the rule's condition was met at step 3 (EVAL)");
  EXPECT_EQ(report.findings[0].value, 2);
  EXPECT_EQ(report.notes, std::vector<std::string>{"1 tensor skipped (first: s): contains strings, "
                                                   "not numbers"});
}

TEST_F(SharedObjectRuleTest, ReductionsAreNotShown) {
  Save(0, SavedReduction("a", "mean", 1));
  const RuleReport report = Evaluate(Own("return kWardenFired;"));
  EXPECT_EQ(report.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(report.reason,
            "all matching tensors were skipped: full tensors were not saved; add --reductions "
            "none");
}

TEST_F(SharedObjectRuleTest, SkipsAndErrors) {
  Save(0, "a", {1});
  const RuleReport skipped =
      Evaluate(Own("snprintf(v->message, kWardenMessageSize, \"too early\"); return 2;"));
  EXPECT_EQ(skipped.status, RuleStatus::kNotEvaluated);
  EXPECT_EQ(skipped.reason, "not checked at step 0: too early");
  const RuleReport failed = Evaluate(
      Own("memset(v->message, 'x', kWardenMessageSize); return kWardenError;"));  // No zero.
  EXPECT_EQ(failed.status, RuleStatus::kError);
  EXPECT_EQ(failed.reason, "at step 0: " + std::string(511, 'x'));
  EXPECT_EQ(Evaluate(Own("return 7;")).reason,
            "at step 0: the rule returned 7; expected a WardenVerdictKind");
  EXPECT_EQ(Evaluate(Own("v->tensor = 1; return kWardenFired;")).reason,
            "the rule returned tensor index 1; the step has 1");
}

TEST_F(SharedObjectRuleTest, Refusals) {
  const std::string missing = (folder_.path() / "none.so").string();
  EXPECT_EQ(Refusal(missing + ":Own"), missing + ": no such file");
  const std::string text = Write("text.so", "text");
  EXPECT_TRUE(Refusal(text + ":Own").starts_with(text + ":Own: cannot load: ")) << text;
  const std::string empty = Compile("int nothing;\n");
  EXPECT_EQ(Refusal(empty + ":Own"),
            empty + ":Own: the file does not export 'warden_rules' (see warden_rule.h)");
  const std::string newer = Compile(
      "#include \"warden/rules/custom/warden_rule.h\"\n"
      "const struct WardenRules* warden_rules(void) {\n"
      "  static const struct WardenRules kAll = {9, 0, 0};\n"
      "  return &kAll;\n}\n");
  EXPECT_EQ(Refusal(newer + ":Own"), newer + ":Own: interface version is 9; expected 1");
  std::string own = Own("return 0;");
  own.resize(own.size() - 4);
  EXPECT_EQ(Refusal(own + ":Onw"), own + ":Onw: unknown rule 'Onw'; the file contains: Own, Half");
  EXPECT_EQ(Refusal(own + ":Half"), own +
                                        ":Half: the rule does not define all its functions (see "
                                        "warden_rule.h)");
  EXPECT_EQ(Refusal(Spike() + ",factor=1"), Spike() + ": factor is '1'; expected a number above 1");
  EXPECT_EQ(Refusal(Spike() + ",start_step=x"),
            Spike() + ": start_step is 'x'; expected a non-negative integer");
}

TEST_F(SharedObjectRuleTest, OtherFilesAreNoRules) {
  const auto refusal = [](const std::string& source) {
    std::vector<std::string> notices;
    return PrepareRules({RuleConfig{"Own", "Own", source}}, &notices).status().message();
  };
  const std::string text = Write("rules.txt", "");
  EXPECT_EQ(refusal(text), text + ": expected a .py or .so file");
  EXPECT_EQ(refusal("s3://bucket/rules.py"),
            "s3://bucket/rules.py: remote files cannot be loaded; copy the file to this machine");
  EXPECT_EQ(refusal(folder_.path().string()), folder_.path().string() + ": not a regular file");
}

}  // namespace
}  // namespace warden::rules
