#include <gtest/gtest.h>

#include "warden/config/collection.h"

namespace warden::config {
namespace {

// The built-in collections that hold a tensor of that name.
std::vector<std::string> Holding(Framework framework, std::string_view tensor) {
  std::vector<std::string> names;
  for (const auto& [name, collection] : BuiltinCollections(framework)) {
    if (CollectionMatcher::Make(collection).value().Matches(tensor)) names.push_back(name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(BuiltinCollections, EveryFrameworkHasItsDefaultsAndGoodPatterns) {
  for (Framework framework : kAllFrameworks) {
    const Collections builtins = BuiltinCollections(framework);
    EXPECT_TRUE(builtins.contains("all"));
    EXPECT_TRUE(builtins.contains("default"));
    for (const auto& name : DefaultCollections(framework)) EXPECT_TRUE(builtins.contains(name));
    for (const auto& [name, collection] : builtins) {
      EXPECT_EQ(collection.name, name);
      EXPECT_TRUE(CollectionMatcher::Make(collection).ok()) << name;
    }
  }
}

TEST(BuiltinCollections, PyTorch) {
  const auto holding = [](std::string_view tensor) { return Holding(Framework::kPyTorch, tensor); };
  EXPECT_EQ(holding("Net_fc.weight"), Names{"weights"});
  EXPECT_EQ(holding("Net_fc.bias"), Names{"biases"});
  EXPECT_EQ(holding("gradient/Net_fc.bias"), Names{"gradients"});
  EXPECT_EQ(holding("CrossEntropyLoss_output_0"), Names{"losses"});
  EXPECT_EQ(holding("nll_loss_output_0"), Names{"losses"});
  EXPECT_EQ(holding("CrossEntropyLoss_input_0"), Names{});
  EXPECT_EQ(holding("relu_output_0"), Names{});
  EXPECT_EQ(DefaultCollections(Framework::kPyTorch), Names{"losses"});
  EXPECT_EQ(BuiltinCollections(Framework::kPlain), BuiltinCollections(Framework::kPyTorch));
}

TEST(BuiltinCollections, MxNetHasTheEleventhLossToo) {
  for (const char* tensor : {"softmaxcrossentropyloss0_output_0", "l2loss10_output_0"}) {
    EXPECT_EQ(Holding(Framework::kMxNet, tensor), Names{"losses"}) << tensor;
  }
  EXPECT_EQ(Holding(Framework::kMxNet, "l2loss10_input_0"), Names{});
}

TEST(BuiltinCollections, TensorFlow) {
  const Collections builtins = BuiltinCollections(Framework::kTensorFlow);
  for (const char* name : {"all", "default", "weights", "biases", "gradients", "losses", "metrics",
                           "inputs", "outputs", "layers", "sm_metrics", "optimizer_variables"}) {
    EXPECT_TRUE(builtins.contains(name)) << name;
  }
  EXPECT_EQ(builtins.size(), 12u);
  EXPECT_EQ(DefaultCollections(Framework::kTensorFlow), (Names{"metrics", "losses", "sm_metrics"}));
}

TEST(BuiltinCollections, XgBoost) {
  const auto holding = [](std::string_view tensor) { return Holding(Framework::kXgBoost, tensor); };
  EXPECT_EQ(holding("train-rmse"), (Names{"metrics", "losses"}));
  EXPECT_EQ(holding("validation-auc"), Names{"metrics"});
  EXPECT_EQ(holding("hyperparameters/eta"), Names{"hyperparameters"});
  EXPECT_EQ(holding("predictions"), Names{"predictions"});
  EXPECT_EQ(holding("labels"), Names{"labels"});
  EXPECT_EQ(holding("feature_importance/gain/f0"), Names{"feature_importance"});
  EXPECT_EQ(holding("average_shap/f0"), Names{"average_shap"});
  EXPECT_EQ(holding("average_shap/bias"), Names{});
  EXPECT_EQ(holding("full_shap/f0"), Names{"full_shap"});
  EXPECT_EQ(holding("trees/Split"), Names{"trees"});
  EXPECT_EQ(DefaultCollections(Framework::kXgBoost), Names{"metrics"});
}

}  // namespace
}  // namespace warden::config
