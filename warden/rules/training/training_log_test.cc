#include "warden/rules/training/training_log.h"

#include "warden/rules/training/training_for_test.h"
#include "warden/rules/view_for_test.h"

namespace warden::rules {
namespace {

using TrainingLogNames = std::vector<std::string>;

class TrainingLogTest : public ViewTest {
 protected:
  void Note(Step step, const LogNumbers& numbers, const std::string& facts = "") {
    Tensors tensors = LogTensors(numbers, facts);
    tensors["something"] = FloatTensor({1}, {1});
    Save(step, tensors);
  }
  // After all steps were saved.
  void Read(Step step) {
    if (!tensors_) Look({TrainingLog::Input()});
    log_.Read(At(step));
  }
  TrainingLog log_;
};

TEST_F(TrainingLogTest, NumbersBelongToTheirStep) {
  Note(0, {{"learning_rate", 0.1}, {"accuracy", 0.5}});
  Note(1, {{"learning_rate", 0.2}});
  Note(2, {});
  EXPECT_EQ(log_.Last("learning_rate"), std::nullopt);
  Read(0);
  EXPECT_EQ(log_.Now("learning_rate"), 0.1);
  EXPECT_EQ(log_.Now("accuracy"), 0.5);
  EXPECT_EQ(log_.Now("learning"), std::nullopt);
  Read(1);
  EXPECT_EQ(log_.Now("learning_rate"), 0.2);
  EXPECT_EQ(log_.Now("accuracy"), std::nullopt);
  EXPECT_EQ(log_.Last("accuracy"), 0.5);
  Read(2);
  EXPECT_EQ(log_.Now("learning_rate"), std::nullopt);
  EXPECT_EQ(log_.Last("learning_rate"), 0.2);
}

TEST_F(TrainingLogTest, NumbersOfAGroup) {
  Note(0, {{"dead_inputs/Net_fc1", 0.1},
           {"dead_inputs/Net_fc2", 0.2},
           {"dead_inputs2/Net_fc3", 0.3},
           {"dead", 0.4}});
  Note(1, {{"dead_inputs/Net_fc2", 0.5}});
  Read(0);
  auto numbers = log_.NowIn("dead_inputs");
  ASSERT_EQ(numbers.size(), 2u);
  EXPECT_EQ(numbers[0].first, "Net_fc1");
  EXPECT_EQ(numbers[0].second, 0.1);
  EXPECT_EQ(numbers[1].first, "Net_fc2");
  Read(1);
  numbers = log_.NowIn("dead_inputs");
  ASSERT_EQ(numbers.size(), 1u);
  EXPECT_EQ(numbers[0].second, 0.5);
  EXPECT_TRUE(log_.NowIn("nothing").empty());
}

TEST_F(TrainingLogTest, NumbersThatAreNotFiniteAreLeftOut) {
  Note(0, {{"update_ratio", 0.1}});
  Note(1, {{"update_ratio", NAN}, {"accuracy", INFINITY}});
  Save(2, Tensors{{"training/update_ratio", FloatTensor({0}, {})},
                  {"training/accuracy", {DType::kString, {1}, "", {"high"}}}});
  for (const Step step : {0, 1, 2}) Read(step);
  EXPECT_EQ(log_.Now("update_ratio"), std::nullopt);
  EXPECT_EQ(log_.Last("update_ratio"), 0.1);
  EXPECT_EQ(log_.Last("accuracy"), std::nullopt);
}

TEST_F(TrainingLogTest, FactsStayUntilTheyChange) {
  Note(0, {}, R"({"loss_line": "train.py:10", "loss_function": "cross_entropy"})");
  Note(1, {{"accuracy", 0.5}});
  Note(2, {}, R"({"loss_line": "train.py:11"})");
  EXPECT_FALSE(log_.facts_are_new());
  EXPECT_TRUE(log_.facts().is_object());
  EXPECT_EQ(log_.Line("loss_line"), "");
  Read(0);
  EXPECT_TRUE(log_.facts_are_new());
  EXPECT_EQ(log_.Text("loss_function"), "cross_entropy");
  EXPECT_EQ(log_.Line("loss_line"), " (train.py:10)");
  Read(1);
  EXPECT_FALSE(log_.facts_are_new());
  EXPECT_EQ(log_.Text("loss_line"), "train.py:10");
  Read(2);
  EXPECT_TRUE(log_.facts_are_new());
  EXPECT_EQ(log_.Line("loss_line"), " (train.py:11)");
  EXPECT_EQ(log_.Text("loss_function"), "");
}

TEST_F(TrainingLogTest, FactsThatAreNotAnObjectAreLeftOut) {
  const TrainingLogNames bad = {"not JSON", "[1]", "null", "{\"a\": ", "\xff", "\"text\""};
  Note(0, {}, R"({"loss_line": "train.py:10"})");
  Step step = 1;
  for (const std::string& facts : bad) Note(step++, {}, facts);
  Save(step++, Tensors{{"training/facts", FloatTensor({2}, {1, 2})}});
  Save(step++, Tensors{{"training/facts", FloatTensor({0}, {})}});
  Save(step++, Tensors{{"training/facts", {DType::kString, {1}, "", {"{}"}}}});
  Read(0);
  for (Step at = 1; at < step; ++at) {
    Read(at);
    EXPECT_FALSE(log_.facts_are_new()) << at;
    EXPECT_EQ(log_.Text("loss_line"), "train.py:10") << at;
  }
}

TEST_F(TrainingLogTest, FactsOfOtherTypesAreNotThere) {
  Note(0, {}, R"({"line": 3, "names": ["a", 1, null, "b"], "keys": {"x": 1, "y": 2}, "no": null})");
  Read(0);
  EXPECT_EQ(log_.Text("line"), "");
  EXPECT_EQ(log_.Line("line"), "");
  EXPECT_EQ(log_.Names("names"), (TrainingLogNames{"a", "b"}));
  EXPECT_EQ(log_.Names("keys"), (TrainingLogNames{"x", "y"}));
  EXPECT_EQ(log_.Names("line"), TrainingLogNames());
  EXPECT_EQ(log_.Names("no"), TrainingLogNames());
  EXPECT_EQ(log_.Names("nothing"), TrainingLogNames());
}

TEST_F(TrainingLogTest, KnowsTheModulesOfParameters) {
  Note(0, {}, R"({"parameters": [["Net_fc.weight", "Linear"], ["Net_x"], 3, ["Net_y", 1],
                                 ["Net_norm.weight", "LayerNorm"]]})");
  Note(1, {}, R"({"parameters": "Net_fc.weight"})");
  Read(0);
  EXPECT_EQ(log_.ModuleOf("Net_fc.weight"), "Linear");
  EXPECT_EQ(log_.ModuleOf("Net_norm.weight"), "LayerNorm");
  EXPECT_EQ(log_.ModuleOf("Net_x"), "");
  EXPECT_EQ(log_.ModuleOf("Net_y"), "");
  Read(1);
  EXPECT_EQ(log_.ModuleOf("Net_fc.weight"), "");
}

TEST(TrainingLogTextTest, ListsSomeNames) {
  EXPECT_EQ(SomeOf({}), "");
  EXPECT_EQ(SomeOf({"Net_a"}), "a");
  EXPECT_EQ(SomeOf({"Net_a", "Net_b"}), "a, b");
  EXPECT_EQ(SomeOf({"Net_a", "Net_b", "Net_c"}), "a, b and 1 more");
  EXPECT_EQ(SomeOf({"Net_a", "Net_b", "Net_c"}, 1), "a and 2 more");
}

TEST(TrainingLogTextTest, ShortNamesHaveNoModel) {
  EXPECT_EQ(Short("Net_fc1.weight"), "fc1.weight");
  EXPECT_EQ(Short("Net_fc_out.weight"), "fc_out.weight");
  EXPECT_EQ(Short("fc1.weight"), "fc1.weight");
  EXPECT_EQ(Short(""), "");
}

}  // namespace
}  // namespace warden::rules
