#include <fmt/format.h>

#include <chrono>

#include "warden/rules/debug/rules.h"

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

  Status Judge(const StepView& /*step*/, Verdicts* verdicts) override {
    begun_ = true;
    verdicts->HealthyRun();
    return Status();
  }

  std::optional<Milliseconds> patience() const override { return limit_; }

  void Silence(Milliseconds waited, Verdicts* verdicts) override {
    verdicts->FireRun("", "",
                      {Seconds(waited), Seconds(limit_),
                       fmt::format("no {} step has come for {:.4g} s, {:g} s are allowed: training "
                                   "{}",
                                   begun_ ? "new" : "first", Seconds(waited), Seconds(limit_),
                                   begun_ ? "stands still" : "has yet to arrive")});
  }

 private:
  const Milliseconds limit_;
  bool begun_ = false;
};

}  // namespace

RuleEntry StalledTraining() {
  // A year: what is longer would not fit the clock.
  static constexpr Param kParams[] = {
      {"threshold", ParamType::kNumber, "1800", "Seconds without a new step that are too long",
       0.001, 31'536'000},
      {"stop_training_on_fire", ParamType::kSwitch, "False",
       "Stop the training jobs that training_job_name_prefix names"},
      {"training_job_name_prefix", ParamType::kText, "",
       "How the name of the job to stop begins; if two jobs match none is stopped"}};
  static constexpr Saves kSaves[] = {{"losses", ""}};
  static constexpr RuleSpec kSpec{
      "StalledTrainingRule", "The job runs, but no step has been saved for long.",
      "Look at what the processes wait for (py-spy dump, nvidia-smi): a collective operation that "
      "one rank never joins, data loading, a full disk. Check that steps are saved more often than "
      "the threshold.",
      kParams, kSaves};
  return {&kSpec, Make<Stalled>};
}

}  // namespace warden::rules
