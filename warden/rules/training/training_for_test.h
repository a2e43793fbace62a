#ifndef WARDEN_RULES_TRAINING_TRAINING_FOR_TEST_H_
#define WARDEN_RULES_TRAINING_TRAINING_FOR_TEST_H_

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "warden/rules/rules_for_test.h"

// For the tests of rules about the training loop.
namespace warden::rules {

using LogNumbers = std::map<std::string, double>;

// What was observed at a step, as the hook saves it. Empty facts are not saved.
inline std::map<std::string, TestTensor> LogTensors(const LogNumbers& numbers,
                                                    const std::string& facts = "") {
  std::map<std::string, TestTensor> tensors;
  for (const auto& [name, value] : numbers) {
    tensors["training/" + name] = MakeTensor<double>(DType::kFloat64, {1}, {value});
  }
  if (!facts.empty()) {
    tensors["training/facts"] = {
        DType::kUInt8, {static_cast<int64_t>(facts.size())}, facts, /*strings=*/{}};
  }
  return tensors;
}

// Facts that no hook saves: not JSON, not an object, members of other types.
inline const std::vector<std::string>& BadFacts() {
  static const std::vector<std::string> texts = {
      "not JSON",
      R"({"frozen": )",
      "\xff\xfe",
      "[1, 2]",
      "null",
      "3",
      "{}",
      R"({"parameters": 3, "frozen": [1], "not_in_optimizer": 7, "without_gradient": "fc",
          "foreign_parameters": "many", "optimizers": {"weight_decay": []}, "step_line": 4,
          "backward_line": {}, "loss_line": [], "loss_function": 1, "loss_reduction": null,
          "loss_shapes": {}, "input_is_normalized": "yes"})",
      R"({"parameters": "fc", "frozen": "fc", "optimizers": "SGD", "loss_shapes": [1]})",
      R"({"parameters": [[1, 2], ["Net_a.weight"], "Net_b.weight", null, ["a", "b", "c"], {}],
          "frozen": {"Net_a.weight": 1, "Net_b.weight": null},
          "not_in_optimizer": [1, null, {}], "without_gradient": [[]],
          "optimizers": [1, null, {"weight_decay": "5", "line": 3}]})"};
  return texts;
}

// A training whose loop was observed.
class TrainingTest : public RuleTest {
 protected:
  // A step at which these numbers and facts were observed, and these tensors saved.
  void Note(Step step, const LogNumbers& numbers, const std::string& facts = "",
            const Tensors& tensors = {}, Mode mode = Mode::kTrain) {
    Tensors all = LogTensors(numbers, facts);
    all.insert(tensors.begin(), tensors.end());
    Save(step, all, mode);
  }
  // The same, of training, with a loss.
  void Train(Step step, double loss, const LogNumbers& numbers = {}, const std::string& facts = "",
             Tensors tensors = {}) {
    tensors[kLoss] = FloatTensor({1}, {static_cast<float>(loss)});
    Note(step, numbers, facts, tensors);
  }

  // A loss that wavers around 2.3.
  static double FlatLoss(Step step) { return 2.26 + 0.02 * static_cast<double>(7 * step % 5); }
  // A loss that falls at each step, from 2 to 0.5 in 60 steps.
  static double FallingLoss(Step step) { return 2 / (1 + 0.05 * static_cast<double>(step)); }

  // Training that is healthy but for what was observed of it: these numbers are not finite, have
  // no value or are texts, and facts are bad.
  void BadSteps(const std::vector<std::string>& names, double (*loss)(Step) = FallingLoss) {
    for (Step step = 0; step < 200; ++step) {
      Tensors tensors;
      for (const std::string& name : names) {
        TestTensor& tensor = tensors["training/" + name];
        switch (step % 5) {
          case 0: tensor = FloatTensor({1}, {NAN}); break;
          case 1: tensor = FloatTensor({2}, {INFINITY, -INFINITY}); break;
          case 2: tensor = FloatTensor({0}, {}); break;
          case 3: tensor = {DType::kString, {1}, "", {"many"}}; break;
          default: tensor = MakeTensor<double>(DType::kFloat64, {1}, {-INFINITY}); break;
        }
      }
      const auto& facts = BadFacts();
      Train(step, loss(step), {}, facts[static_cast<size_t>(step) % facts.size()], tensors);
    }
  }

  // The finding that a test is about. Fails the test if it is not the only one.
  static Finding Only(const RuleReport& report) {
    EXPECT_EQ(report.findings.size(), 1u) << Texts(report);
    return report.findings.empty() ? Finding() : report.findings[0];
  }
  // Whether it found nothing, and did not fail.
  static testing::AssertionResult IsSilent(const RuleReport& report) {
    if (report.findings.empty() && report.status != RuleStatus::kError) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << Texts(report);
  }
  // Whether a text has all these words.
  static testing::AssertionResult Says(const std::string& text,
                                       const std::vector<std::string_view>& words) {
    for (const std::string_view word : words) {
      if (text.find(word) == text.npos) {
        return testing::AssertionFailure() << "'" << word << "' is not in '" << text << "'";
      }
    }
    return testing::AssertionSuccess();
  }

 private:
  static std::string Texts(const RuleReport& report) {
    std::string texts = report.reason;
    for (const Finding& finding : report.findings) texts += "\n" + finding.message;
    return texts;
  }
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_TRAINING_TRAINING_FOR_TEST_H_
