#ifndef WARDEN_RULES_TRAINING_TRAINING_LOG_H_
#define WARDEN_RULES_TRAINING_TRAINING_LOG_H_

// What the hook observed of the training loop: optimizers, losses, modes, loaders, activations. The
// hook saves it as tensors "training/<name>" (docs/formats/training.md); all rules of this folder
// read it through a TrainingLog.
//
//   std::vector<Selector> inputs() const override { return {TrainingLog::Input()}; }
//   Status Evaluate(const StepView& step, Verdicts* verdicts) override {
//     log_.Read(step.Input(0));
//     if (log_.Now("steps_without_clearing").value_or(0) >= 3) ...

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// The newest number of each name, and the facts about the script. Belongs to one rule; memory grows
// with the number of names.
class TrainingLog {
 public:
  // The tensors that Read expects.
  static Selector Input();

  // Takes in what was saved at a step, by the first worker that saved anything. Values that cannot
  // be read, and facts that are not JSON, are left out.
  void Read(const StepView::Tensors& tensors);

  // The number of this name at the step that was read last; nothing if it was not saved there.
  std::optional<double> Now(std::string_view name) const;
  // Its newest value.
  std::optional<double> Last(std::string_view name) const;
  // The numbers of this step whose names begin with `group` and a slash, by what follows it.
  std::vector<std::pair<std::string_view, double>> NowIn(std::string_view group) const;

  // Whose loop it is; empty before anything was read.
  const std::string& worker() const { return worker_; }

  // A text, or the empty text if there is none.
  std::string Text(std::string_view fact) const;
  // A list of texts; of an object, its keys. Empty if there is none.
  std::vector<std::string> Names(std::string_view fact) const;
  // All facts: an object.
  const Json& facts() const { return facts_; }
  // Whether facts were read at the step that was read last.
  bool facts_are_new() const { return facts_are_new_; }
  // " (train.py:42)", or nothing if the line is not known.
  std::string Line(std::string_view fact) const;
  // The class of the module that a parameter belongs to: "Linear". Empty if it is not known.
  std::string_view ModuleOf(std::string_view parameter) const;
  // Its number of dimensions; 0 if it is not known.
  int64_t RankOf(std::string_view parameter) const;

 private:
  struct Number {
    double value = 0;
    int64_t at = -1;  // How many calls of Read came before.
  };

  struct Owner {  // The module that a parameter belongs to.
    std::string kind;
    int64_t rank = 0;  // Of the parameter.
  };

  std::string worker_;
  int64_t reads_ = 0;
  std::map<std::string, Number, std::less<>> numbers_;
  Json facts_ = Json::object();
  bool facts_are_new_ = false;
  std::map<std::string, Owner, std::less<>> modules_;  // By parameter.
};

// "fc1.weight, fc2.weight and 3 more".
std::string SomeOf(const std::vector<std::string>& names, size_t most = 2);
// "Net_fc1.weight" without the part before the first underscore, which is the class of the model.
std::string_view Short(std::string_view parameter);

}  // namespace warden::rules

#endif  // WARDEN_RULES_TRAINING_TRAINING_LOG_H_
