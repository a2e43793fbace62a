#include <fmt/format.h>

#include "warden/rules/running_window.h"
#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

constexpr size_t kWaitWindow = 50;
constexpr int64_t kLeastWaits = 15;
// Of these, a smaller number is enough.
constexpr double kLongShare = 0.7;
constexpr int64_t kLeastLongWaits = 8;

class SlowLoader : public LogRule {
 public:
  explicit SlowLoader(const Params& params)
      : share_(params.Number("share")), seconds_(params.Number("seconds")) {}

 protected:
  bool Check(Verdicts* verdicts) override {
    const auto step_seconds = log().Now("step_seconds");
    const auto waited = log().Now("loader_seconds");
    if (!step_seconds || !waited || *step_seconds <= 0) return Repeat(verdicts);
    step_seconds_ += *step_seconds;
    waited_ += *waited;
    // Between two updates may be several forward passes, of which the loader feeds one.
    if (!log().Now("optimizer_step") && log().Last("optimizer_step")) return Repeat(verdicts);
    shares_.Add(waited_ / step_seconds_, kWaitWindow);
    waits_.Add(waited_, kWaitWindow);
    step_seconds_ = waited_ = 0;
    const bool is_long = shares_.size() >= kLeastLongWaits && shares_.Median() > kLongShare;
    if (shares_.size() < kLeastWaits && !is_long) {
      verdicts->TooLittle(fmt::format("needs {} steps with a data loader", kLeastWaits));
      return false;
    }
    slow_ = shares_.Median() > share_ && waits_.Median() > seconds_;
    return Repeat(verdicts);
  }

 private:
  bool Repeat(Verdicts* verdicts) {
    if (!slow_) return shares_.size() >= kLeastWaits;
    verdicts->FireRun(
        "", "",
        {shares_.Median(), share_,
         fmt::format("training waits for the data loader {:.0f} % of the time "
                     "({:.0f} ms of each step){}",
                     100 * shares_.Median(), 1000 * waits_.Median(), log().Line("loader_line"))});
    return true;
  }

  const double share_;
  const double seconds_;
  RunningWindow shares_;
  RunningWindow waits_;
  double step_seconds_ = 0;  // Since the last update.
  double waited_ = 0;
  bool slow_ = false;
};

}  // namespace

RuleEntry SlowDataLoader() {
  static constexpr Param kParams[] = {
      {"share", ParamType::kNumber, "0.5", "Share of the step time spent waiting", 0, 1},
      {"seconds", ParamType::kNumber, "0.02", "Least wait in each step, in seconds", 0}};
  static constexpr RuleSpec kSpec{
      "SlowDataLoader",
      "Training waits for its data most of the time.",
      "Use more workers in the DataLoader (num_workers), persistent_workers and pin_memory, or do "
      "slow preprocessing once and store the result.",
      kParams,
      {},
      RuleKind::kDebug,
      Severity::kWarning};
  return {&kSpec, Make<SlowLoader>};
}

}  // namespace warden::rules
