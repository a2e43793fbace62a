#ifndef WARDEN_RULES_VIEW_FOR_TEST_H_
#define WARDEN_RULES_VIEW_FOR_TEST_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/rules/rules_for_test.h"
#include "warden/rules/step_tensors.h"
#include "warden/trial/step_reader.h"

// For tests of what rules look at.
namespace warden::rules {

// The tensors of the steps that a test saves, seen through selectors.
class ViewTest : public RuleTest {
 protected:
  // After all steps were saved.
  void Look(const std::vector<Selector>& selectors = {{.all = true}}) {
    if (!has_manifest_) Manifest(1);
    builder_.End();
    trial_ = trial::Trial::Open(store_, trial::LookOptions()).value();
    std::vector<Matcher> matchers;
    for (const Selector& selector : selectors) {
      matchers.push_back(Matcher::Make(selector, *trial_).value());
    }
    tensors_.emplace(trial_.get(), std::move(matchers));
  }
  const StepView::Tensors& At(Step step, size_t selector = 0) {
    if (!tensors_) Look();
    reader_ = std::make_unique<trial::StepReader>(trial_->ReaderOf(step));
    tensors_->Load(reader_.get());
    return tensors_->Selected(selector);
  }

  std::unique_ptr<trial::Trial> trial_;
  std::optional<StepTensors> tensors_;
  std::unique_ptr<trial::StepReader> reader_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_VIEW_FOR_TEST_H_
