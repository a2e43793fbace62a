#ifndef WARDEN_RULES_CUSTOM_PYTHON_PROFILE_RULE_H_
#define WARDEN_RULES_CUSTOM_PYTHON_PROFILE_RULE_H_

#include <string>
#include <vector>

#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/custom/asked_worker.h"
#include "warden/rules/custom/loaded_rule.h"
#include "warden/rules/profiler/profiler_rule.h"

namespace warden::rules {

// A Python rule whose trial is the profiler's data of a run. Its process reads the files; it is
// asked whenever the run's own time has advanced, and says itself whether there is enough new data.
// An exception, a crash or a look that takes too long stops this rule alone.
class PythonProfileRule : public ProfilerRule {
 public:
  // worker: has loaded the rule. config: has `profile` set.
  PythonProfileRule(const RuleConfig& config, std::string doc, Severity severity,
                    AskedWorker worker);

  const RuleSpec& spec() const { return spec_.spec(); }

  void EvaluateSoFar(int64_t now_us, Verdicts* verdicts) override;
  Status status() const override { return status_; }
  // Nothing: the report shows built-in rules.
  std::vector<ProfilerResult> Results() const override { return {}; }

 private:
  // Lets it look once. Whether it may look again at once.
  bool Look(Verdicts* verdicts);

  const OwnSpec spec_;
  const std::string profile_;
  const std::string output_;
  AskedWorker worker_;
  bool opened_ = false;
  bool over_ = false;    // It said that it has ended, or failed.
  bool looked_ = false;  // At least once.
  Status status_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_PYTHON_PROFILE_RULE_H_
