#ifndef WARDEN_RULES_TRAINING_LOG_RULE_H_
#define WARDEN_RULES_TRAINING_LOG_RULE_H_

#include <vector>

#include "warden/rules/rule.h"
#include "warden/rules/training/training_log.h"

namespace warden::rules {

// A rule that checks nothing but what was observed of the training loop. A subclass implements
// Check, which calls FireRun for each problem that holds at this step; problems that it does not
// report end.
class LogRule : public Rule {
 public:
  std::vector<Selector> inputs() const override { return {TrainingLog::Input()}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    log_.Read(step.Input(0));
    // A model that stays in eval mode has no other steps. Findings about the script are of no mode,
    // so that none is reported twice.
    verdicts->About(step.step(), Mode::kTrain);
    if (Check(verdicts)) verdicts->HealthyRun();
    return Status();
  }

 protected:
  // For each step. Returns whether there was enough to check.
  virtual bool Check(Verdicts* verdicts) = 0;
  const TrainingLog& log() const { return log_; }

 private:
  TrainingLog log_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_TRAINING_LOG_RULE_H_
