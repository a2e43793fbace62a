#include <fmt/format.h>

#include <chrono>

#include "warden/rules/debug/debug_rules.h"

namespace warden::rules {
namespace {

using Milliseconds = std::chrono::milliseconds;

double Seconds(Milliseconds time) { return std::chrono::duration<double>(time).count(); }

class Stalled : public Rule {
 public:
  explicit Stalled(const Params& params)
      : limit_(std::chrono::ceil<Milliseconds>(
            std::chrono::duration<double>(params.Number("threshold")))) {}

  // Whatever is saved is a sign of life.
  std::vector<Selector> inputs() const override { return {{.all = true}}; }

  Status Evaluate(const StepView& /*step*/, Verdicts* verdicts) override {
    begun_ = true;
    verdicts->HealthyRun();
    return Status();
  }

  std::optional<Milliseconds> patience() const override { return limit_; }

  void Silence(Milliseconds waited, Verdicts* verdicts) override {
    verdicts->FireRun("", "",
                      {Seconds(waited), Seconds(limit_),
                       fmt::format("no {} step for {:.4g} s (limit {:g} s): training {}",
                                   begun_ ? "new" : "first", Seconds(waited), Seconds(limit_),
                                   begun_ ? "is stalled" : "has not started")});
  }

 private:
  const Milliseconds limit_;
  bool begun_ = false;
};

}  // namespace

RuleEntry StalledTraining() {
  // A year: what is longer would not fit the clock.
  static constexpr Param kParams[] = {
      {"threshold", ParamType::kNumber, "1800", "Seconds without a new step before the rule fires",
       0.001, 31'536'000},
      {"stop_training_on_fire", ParamType::kSwitch, "False",
       "Stop the training job that training_job_name_prefix matches"},
      {"training_job_name_prefix", ParamType::kText, "",
       "Prefix of the name of the job to stop; if several jobs match, none is stopped"}};
  static constexpr Saves kSaves[] = {{"losses", ""}};
  static constexpr RuleSpec kSpec{
      "StalledTrainingRule", "The job is running, but no step has been saved for a long time.",
      "Find out what the processes are waiting for (py-spy dump, nvidia-smi): a collective "
      "operation that one rank never joins, data loading, or a full disk. Check that the save "
      "interval is shorter than the threshold.",
      kParams, kSaves};
  return {&kSpec, Make<Stalled>};
}

}  // namespace warden::rules
