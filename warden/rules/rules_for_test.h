#ifndef WARDEN_RULES_RULES_FOR_TEST_H_
#define WARDEN_RULES_RULES_FOR_TEST_H_

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "warden/config/manifest.h"
#include "warden/rules/engine/engine.h"
#include "warden/storage/mem_store.h"
#include "warden/trial/trial_for_test.h"

// For the tests of rules.
namespace warden::rules {

using trial::FloatTensor;
using trial::MakeTensor;
using trial::TestTensor;

// A tensor that is one of the losses by its name.
inline constexpr char kLoss[] = "CrossEntropyLoss_output_0";

// A run that a test makes up, step by step, and has evaluated.
class RuleTest : public testing::Test {
 protected:
  using Tensors = std::map<std::string, TestTensor>;

  // To be called first by tests that are not about one worker, or about roles.
  void Manifest(int workers, const config::Roles& roles = {},
                config::Framework framework = config::Framework::kPyTorch) {
    for (int i = 0; i < workers; ++i) {
      config::Manifest manifest;
      manifest.collections = config::BuiltinCollections(framework);
      manifest.num_workers = workers;
      manifest.roles = roles;
      builder_.Put(format::ManifestKey("worker_" + std::to_string(i)),
                   config::EncodeManifest(manifest));
    }
    has_manifest_ = true;
  }

  void Save(Step step, const Tensors& tensors, Mode mode = Mode::kTrain, int worker = 0) {
    trial::StepOptions options;
    options.mode = mode;
    builder_.Tensors(step, worker, tensors, options);
  }
  // A tensor of rank 1.
  void Save(Step step, const std::string& tensor, const std::vector<float>& values,
            Mode mode = Mode::kTrain, int worker = 0) {
    const auto size = static_cast<int64_t>(values.size());
    Save(step, Tensors{{tensor, FloatTensor({size}, values)}}, mode, worker);
  }
  // A reduction as the hook saves it, e.g. "abs_mean".
  static Tensors SavedReduction(const std::string& tensor, const std::string& reduction,
                                float value) {
    return {{"smdebug/reductions/" + reduction + "/" + tensor, FloatTensor({}, {value})}};
  }

  // What the rule, e.g. "AllZero:threshold=50", says of the run. Fails the test if it is refused.
  RuleReport Evaluate(const std::string& text) {
    if (!has_manifest_) Manifest(1);
    builder_.End();
    std::vector<std::string> notices;
    auto configs = ParseRuleText(text);
    EXPECT_TRUE(configs.ok()) << configs.status().message();
    if (!configs.ok()) return {};
    auto rules = PrepareRules(configs.value(), &notices);
    EXPECT_TRUE(rules.ok()) << rules.status().message();
    if (!rules.ok()) return {};
    auto trial = trial::Trial::Open(store_, trial::LookOptions());
    EXPECT_TRUE(trial.ok()) << trial.status().message();
    if (!trial.ok()) return {};
    auto engine = Engine::Make(std::move(rules.value()), std::move(trial.value()), {});
    EXPECT_TRUE(engine.ok()) << engine.status().message();
    if (!engine.ok()) return {};
    engine.value()->Advance(INT64_MAX, [](const RuleState&, const Finding&) {});
    return engine.value()->Reports(/*ended=*/true).at(0);
  }

  // Why the rule is refused; empty if it is not.
  static std::string Refusal(const std::string& text) {
    std::vector<std::string> notices;
    auto configs = ParseRuleText(text);
    if (!configs.ok()) return configs.status().message();
    return PrepareRules(configs.value(), &notices).status().message();
  }

  // The first step of each finding.
  static std::vector<Step> FiredAt(const RuleReport& report) {
    std::vector<Step> steps;
    for (const Finding& finding : report.findings) steps.push_back(finding.step);
    return steps;
  }

  std::shared_ptr<storage::Store> store_ = storage::NewMemStore();
  trial::RunBuilder builder_{store_.get()};
  bool has_manifest_ = false;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_RULES_FOR_TEST_H_
