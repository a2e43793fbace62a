#include <span>

#include "warden/config/collection.h"

namespace warden::config {
namespace {

struct Builtin {
  std::string_view name;
  std::string_view regex;  // Empty: none.
};

constexpr std::string_view kBiases = "^(?!gradient).*bias";
constexpr std::string_view kWeights = "^(?!gradient).*weight";
constexpr std::string_view kGradients = "^gradient";

constexpr Builtin kPyTorch[] = {{"biases", kBiases},   {"all", ""},
                                {"weights", kWeights}, {"gradients", kGradients},
                                {"default", ""},       {"losses", "[Ll]oss_(?!input).*output"}};

// The original's pattern has one character between "loss" and "_" and misses the eleventh block.
constexpr Builtin kMxNet[] = {{"biases", kBiases},   {"all", ""},
                              {"weights", kWeights}, {"gradients", kGradients},
                              {"default", ""},       {"losses", ".*loss.\\d*_(?!input).*output"}};

// The others get the names of their tensors from the adapter.
constexpr Builtin kTensorFlow[] = {
    {"all", ""},       {"default", ""}, {"weights", ""},    {"biases", kBiases},
    {"gradients", ""}, {"losses", ""},  {"metrics", ""},    {"inputs", ""},
    {"outputs", ""},   {"layers", ""},  {"sm_metrics", ""}, {"optimizer_variables", ""}};

// "A-z" and "[^/bias]" are the original's: which tensors a collection holds depends on them.
constexpr Builtin kXgBoost[] = {{"labels", "^labels$"},
                                {"all", ""},
                                {"full_shap", "^full_shap/.*[^/bias]$"},
                                {"hyperparameters", "^hyperparameters/.*$"},
                                {"predictions", "^predictions$"},
                                {"trees", "^trees/.*"},
                                {"average_shap", "^average_shap/.*[^/bias]$"},
                                {"default", ""},
                                {"feature_importance", "^feature_importance/.*"},
                                {"metrics", "^[a-zA-z]+-[a-zA-z0-9]+$"},
                                {"losses", "^[a-zA-z]+-.+(?<!(auc|map))$"}};

std::span<const Builtin> Builtins(Framework framework) {
  switch (framework) {
    case Framework::kPyTorch: return kPyTorch;
    case Framework::kMxNet: return kMxNet;
    case Framework::kTensorFlow: return kTensorFlow;
    case Framework::kXgBoost: return kXgBoost;
    case Framework::kPlain: return kPyTorch;
  }
  return {};
}

}  // namespace

Collections BuiltinCollections(Framework framework) {
  Collections collections;
  for (const Builtin& builtin : Builtins(framework)) {
    Collection& collection = collections[builtin.name];
    if (!builtin.regex.empty()) collection.include_regex.emplace_back(builtin.regex);
  }
  return collections;
}

std::vector<std::string> DefaultCollections(Framework framework) {
  if (framework == Framework::kTensorFlow) return {"metrics", "losses", "sm_metrics"};
  if (framework == Framework::kXgBoost) return {"metrics"};
  return {"losses"};
}

}  // namespace warden::config
