#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warden/rules/finite_statistics.h"
#include "warden/rules/running_window.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

constexpr size_t kStragglerWindow = 50;
constexpr int64_t kLeastStragglerSteps = 15;
// Noise makes any worker the slowest of a step now and then; a straggler is it nearly always.
constexpr double kOften = 0.75;

constexpr std::string_view kStepSeconds = "training/step_seconds";
constexpr std::string_view kExchangeSeconds = "training/exchange_seconds";
constexpr std::string_view kLoaderSeconds = "training/loader_seconds";

// Times of a step of one worker, in seconds.
struct WorkerStep {
  std::optional<double> step;
  std::optional<double> exchange;
  std::optional<double> loader;

  // What it took itself: all but the wait for the others.
  std::optional<double> Own() const {
    if (!step || !exchange || *step <= 0 || *exchange < 0) return std::nullopt;
    return std::max(*step - *exchange, 0.0);
  }
};
using WorkerSteps = std::map<std::string, WorkerStep, std::less<>>;

// The last steps of one worker.
struct Worker {
  RunningWindow own;
  RunningWindow loader;
  RunningWindow slowest;  // 1 where no other one took longer, else 0.
};

class Straggler : public Rule {
 public:
  explicit Straggler(const Params& params)
      : factor_(params.Number("factor")), seconds_(params.Number("seconds")) {}

  std::vector<Selector> inputs() const override {
    return {{.patterns = {"^training/(step|exchange|loader)_seconds$"}}};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    if (!step.IsTraining()) return Status();
    const WorkerSteps now = Read(step.Input(0));
    if (now.size() < 2) {
      verdicts->TooLittle(
          "needs step times of 2 workers, found 1; add --workers all, or the hook parameter "
          "include_workers=all");
      return Status();
    }
    const bool all =
        std::ranges::all_of(now, [](const auto& one) { return one.second.Own().has_value(); });
    // A step that a worker left out compares nobody.
    if (all) Add(now);
    Check(verdicts);
    return Status();
  }

 private:
  static WorkerSteps Read(const StepView::Tensors& tensors) {
    WorkerSteps steps;
    for (TensorView* tensor : tensors) {
      const auto value = Mean(*tensor);
      if (!value) continue;
      WorkerStep& step = steps[std::string(tensor->worker())];
      if (tensor->name() == kStepSeconds) step.step = value->value;
      if (tensor->name() == kExchangeSeconds) step.exchange = value->value;
      if (tensor->name() == kLoaderSeconds) step.loader = value->value;
    }
    return steps;
  }

  void Add(const WorkerSteps& now) {
    double longest = 0;
    for (const auto& [name, step] : now) longest = std::max(longest, *step.Own());
    for (const auto& [name, step] : now) {
      Worker& worker = workers_[name];
      worker.own.Add(*step.Own(), kStragglerWindow);
      worker.loader.Add(step.loader.value_or(0), kStragglerWindow);
      worker.slowest.Add(*step.Own() == longest ? 1 : 0, kStragglerWindow);
    }
  }

  void Check(Verdicts* verdicts) {
    std::vector<std::pair<double, std::string_view>> medians;
    for (const auto& [name, worker] : workers_) {
      if (worker.own.size() >= kLeastStragglerSteps)
        medians.emplace_back(worker.own.Median(), name);
    }
    if (medians.size() < 2) {
      verdicts->TooLittle(fmt::format(
          "needs {} steps in which 2 workers average gradients on a CPU", kLeastStragglerSteps));
      return;
    }
    std::ranges::sort(medians);
    const auto [slow, name] = medians.back();
    medians.pop_back();
    const double usual = medians[medians.size() / 2].first;
    const Worker& worker = workers_.find(name)->second;
    // Noise does not end what was found.
    const bool often = worker.slowest.Mean() >= kOften || straggler_ == name;
    straggler_.clear();
    if (slow > factor_ * usual && slow - usual > seconds_ && often) {
      straggler_ = name;
      verdicts->FireRun("", name,
                        {slow, factor_ * usual, What(worker, slow, usual, medians.size())});
    }
    verdicts->HealthyRun();
  }

  static std::string What(const Worker& worker, double slow, double usual, size_t others) {
    std::string what =
        fmt::format("its part of a step takes {:.3g} ms, that of {} {:.3g} ms", 1000 * slow,
                    others == 1 ? "the other worker" : "the others", 1000 * usual);
    const double loader = worker.loader.Median();
    if (loader > (slow - usual) / 2) {
      what += fmt::format("; it waits {:.3g} ms for its data loader", 1000 * loader);
    }
    return what;
  }

  const double factor_;
  const double seconds_;
  std::map<std::string, Worker, std::less<>> workers_;
  std::string straggler_;  // Empty: none was found.
};

}  // namespace

RuleEntry StragglerRank() {
  static constexpr Param kParams[] = {
      {"factor", ParamType::kNumber, "1.25",
       "How many times longer than the others a worker may take", 1},
      {"seconds", ParamType::kNumber, "0.005", "Least difference in each step, in seconds", 0}};
  static constexpr RuleSpec kSpec{
      "StragglerRank",
      "One worker of a distributed training is slower than the others, which wait for it.",
      "Compare the worker with the others in the dashboard's Ranks panel: look for other processes "
      "on its machine, slower hardware, a slower disk or data loader, larger batches, and work "
      "that only this worker does, such as logging or checkpoints.",
      kParams,
      {},
      RuleKind::kDebug,
      Severity::kWarning};
  return {&kSpec, Make<Straggler>};
}

}  // namespace warden::rules
