#include "warden/rules/baseline/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "warden/rules/loss_place.h"
#include "warden/rules/step_tensors.h"
#include "warden/storage/store.h"
#include "warden/trial/run_record.h"
#include "warden/trial/step_reader.h"
#include "warden/trial/trial.h"

namespace warden::rules {
namespace {

// Of one phase of one run: steps with most of the tensors, and others, such as those with losses
// alone.
constexpr size_t kMostStepsOfAKind = 64;
// Fewer values than these say little of what is usual.
constexpr size_t kLeastValues = 3;
// A range has most values of each run; the rest is chance.
constexpr double kInnerShare = 0.02;
// By how much a range is wider than what was seen, on its scale: log10 of a ratio, or standard
// deviations of the tensor for its mean, which depends on chance where values are few.
struct Margin {
  double few_runs;  // One or two: how much runs differ is not known.
  double many_runs;
};
constexpr Margin kMarginOfSize = {0.3, 0.2};
constexpr Margin kMarginOfMean = {1.0, 0.7};
constexpr size_t kManyRuns = 3;
constexpr double kMarginOfRange = 0.5;
// What is below this share of its usual size counts as zero.
constexpr double kNegligibleShare = 1e-3;
constexpr double kNegligibleLoss = 1e-2;

using Samples = std::vector<double>;

// The values of one statistic: by run, then phase.
using ValuesByRun = std::map<size_t, std::vector<Samples>>;

struct TensorValues {
  bool loss = false;
  std::array<ValuesByRun, kBandStatistics.size()> statistics;
};
using AllValues = std::map<std::string, TensorValues, std::less<>>;

struct OpenedRun {
  std::string folder;
  std::unique_ptr<trial::Trial> trial;
  std::vector<std::pair<Step, Step>> steps;  // Of training: in its mode, and global.
};

double SortedQuantile(const Samples& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - static_cast<double>(below));
}

double MedianValue(Samples values) {
  std::sort(values.begin(), values.end());
  return SortedQuantile(values, 0.5);
}

Result<OpenedRun> OpenGoodRun(const std::string& folder) {
  auto store = storage::OpenStore(folder);
  if (!store.ok()) return store.status();
  auto trial = trial::Trial::Open(std::move(store.value()), trial::LookOptions());
  if (!trial.ok()) return trial.status().WithContext(folder);
  OpenedRun run{folder, std::move(trial.value()), {}};
  for (const Step step : run.trial->Steps()) {
    const auto mode = run.trial->ModeOf(step);
    if (!mode || (mode->mode != Mode::kTrain && mode->mode != Mode::kGlobal)) continue;
    run.steps.emplace_back(mode->step, step);
  }
  std::sort(run.steps.begin(), run.steps.end());
  return run;
}

// At most so many of them, evenly spread.
std::vector<Step> SomeSteps(const std::vector<Step>& steps, size_t most) {
  if (steps.size() <= most) return steps;
  std::vector<Step> some;
  for (size_t i = 0; i < most; ++i) some.push_back(steps[i * (steps.size() - 1) / (most - 1)]);
  return some;
}

// The global steps of one phase to read: most tensors are saved less often than losses are.
std::vector<Step> StepsToRead(const OpenedRun& run, Step begin, Step end) {
  std::vector<std::pair<size_t, Step>> steps;  // With their numbers of records.
  size_t most_records = 0;
  for (const auto& [step, global] : run.steps) {
    if (step < begin || step >= end) continue;
    const size_t records = run.trial->ReaderOf(global).records().size();
    most_records = std::max(most_records, records);
    steps.emplace_back(records, global);
  }
  std::vector<Step> rich, poor;
  for (const auto& [records, global] : steps) {
    (2 * records > most_records ? rich : poor).push_back(global);
  }
  std::vector<Step> chosen = SomeSteps(rich, kMostStepsOfAKind);
  const std::vector<Step> others = SomeSteps(poor, kMostStepsOfAKind);
  chosen.insert(chosen.end(), others.begin(), others.end());
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Reads the values of one run.
class RunValues {
 public:
  RunValues(size_t number, size_t phases, AllValues* all)
      : number_(number), phases_(phases), all_(all) {}

  Status Read(const OpenedRun& run, const std::vector<Step>& starts) {
    std::vector<Matcher> matchers;
    for (const Selector& selector : BaselineInputs()) {
      auto matcher = Matcher::Make(selector, *run.trial);
      if (!matcher.ok()) return matcher.status().WithContext(run.folder);
      matchers.push_back(std::move(matcher.value()));
    }
    StepTensors tensors(run.trial.get(), std::move(matchers));
    for (size_t phase = 0; phase < phases_; ++phase) {
      const Step end = phase + 1 < phases_ ? starts[phase + 1] : std::numeric_limits<Step>::max();
      for (const Step step : StepsToRead(run, starts[phase], end)) {
        trial::StepReader reader = run.trial->ReaderOf(step);
        tensors.Load(&reader);
        Take(tensors, phase);
      }
    }
    return Status();
  }

 private:
  void Take(const StepTensors& tensors, size_t phase) {
    const StepView::Tensors& losses = tensors.Selected(1);
    for (TensorView* tensor : tensors.Selected(0)) {
      if (worker_.empty()) worker_ = tensor->worker();
      if (tensor->worker() != worker_) continue;
      const bool loss = std::find(losses.begin(), losses.end(), tensor) != losses.end();
      TensorValues& values = (*all_)[std::string(tensor->name())];
      values.loss = values.loss || loss;
      for (size_t i = 0; i < kBandStatistics.size(); ++i) {
        if ((kBandStatistics[i] == BandStatistic::kValue) != loss) continue;
        const auto value = Measure(*tensor, kBandStatistics[i]);
        if (!value) continue;
        std::vector<Samples>& of_run = values.statistics[i][number_];
        of_run.resize(phases_);
        of_run[phase].push_back(*value);
      }
    }
  }

  const size_t number_;
  const size_t phases_;
  AllValues* const all_;
  std::string worker_;
};

Samples AllOf(const ValuesByRun& runs) {
  Samples all;
  for (const auto& [run, phases] : runs) {
    for (const Samples& values : phases) all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

// The first value of the runs: where a loss begins.
double FirstOf(const ValuesByRun& runs) {
  Samples first;
  for (const auto& [run, phases] : runs) {
    const auto begun = std::find_if(phases.begin(), phases.end(),
                                    [](const Samples& values) { return !values.empty(); });
    if (begun != phases.end()) first.push_back(MedianValue(*begun));
  }
  return MedianValue(first);
}

// Nothing if the values say nothing: all zero, all the same where differences count, or the mean of
// a single number. deviation: the usual one of the tensor's values.
std::optional<BandScale> ScaleOf(BandStatistic statistic, const ValuesByRun& runs,
                                 double deviation) {
  Samples all = AllOf(runs);
  if (all.size() < kLeastValues) return std::nullopt;
  std::sort(all.begin(), all.end());
  const bool sizes = statistic != BandStatistic::kMean && all.front() >= 0;
  if (!sizes) {
    const double spread = SortedQuantile(all, 1 - kInnerShare) - SortedQuantile(all, kInnerShare);
    const double unit = statistic == BandStatistic::kMean ? deviation : spread;
    return unit > 0 ? std::optional(BandScale{false, unit}) : std::nullopt;
  }
  const double usual = SortedQuantile(all, 0.5) > 0 ? SortedQuantile(all, 0.5) : all.back();
  const double unit = statistic == BandStatistic::kValue
                          ? kNegligibleLoss * std::max(FirstOf(runs), usual)
                          : kNegligibleShare * usual;
  return unit > 0 ? std::optional(BandScale{true, unit}) : std::nullopt;
}

// The range in one phase: the neighbors count too, since no two runs learn at the same pace.
std::optional<Band> BandIn(size_t phase, const ValuesByRun& runs, const BandScale& scale,
                           const Margin& base) {
  Samples lows, highs, middles;
  size_t count = 0;
  for (const auto& [run, phases] : runs) {
    Samples near;
    const size_t end = std::min(phase + 2, phases.size());
    for (size_t at = phase == 0 ? 0 : phase - 1; at < end; ++at) {
      for (const double value : phases[at]) near.push_back(scale.PositionOf(value));
    }
    if (near.empty()) continue;
    std::sort(near.begin(), near.end());
    count += near.size();
    lows.push_back(SortedQuantile(near, kInnerShare));
    highs.push_back(SortedQuantile(near, 1 - kInnerShare));
    middles.push_back(SortedQuantile(near, 0.5));
  }
  if (count < kLeastValues) return std::nullopt;
  const double low = *std::min_element(lows.begin(), lows.end());
  const double high = *std::max_element(highs.begin(), highs.end());
  const auto [least, most] = std::minmax_element(middles.begin(), middles.end());
  const size_t others = middles.size() - 1;
  const double between = others == 0 ? 0 : (*most - *least) / static_cast<double>(others);
  const double margin = (middles.size() < kManyRuns ? base.few_runs : base.many_runs) +
                        kMarginOfRange * (high - low) + between;
  return Band{scale.ValueAt(low - margin), scale.ValueAt(high + margin)};
}

// A parameter that is one number, such as the bias of one output, has any value in good runs.
bool IsSingleNumber(const TensorValues& values) {
  const auto of = [&](BandStatistic statistic) {
    return AllOf(values.statistics[static_cast<size_t>(statistic)]);
  };
  const Samples norms = of(BandStatistic::kNorm);
  return !norms.empty() && norms == of(BandStatistic::kLargest);
}

TensorBands BandsOf(const std::string& name, const TensorValues& values, size_t phases) {
  TensorBands tensor{name, values.loss, {}};
  if (!values.loss && IsSingleNumber(values)) return tensor;
  const ValuesByRun& deviations = values.statistics[static_cast<size_t>(BandStatistic::kDeviation)];
  const Samples all_deviations = AllOf(deviations);
  const double deviation = all_deviations.empty() ? 0 : MedianValue(all_deviations);
  for (size_t i = 0; i < kBandStatistics.size(); ++i) {
    const ValuesByRun& runs = values.statistics[i];
    const auto scale = ScaleOf(kBandStatistics[i], runs, deviation);
    if (!scale) continue;
    BandSeries series{kBandStatistics[i], *scale, BandSide::kBoth, {}};
    if (values.loss) series.side = RisesWhenBetter(name) ? BandSide::kBelow : BandSide::kAbove;
    const Margin& margin = series.statistic == BandStatistic::kMean ? kMarginOfMean : kMarginOfSize;
    bool any = false;
    for (size_t phase = 0; phase < phases; ++phase) {
      series.bands.push_back(BandIn(phase, runs, *scale, margin));
      any = any || series.bands.back().has_value();
    }
    if (any) tensor.series.push_back(std::move(series));
  }
  return tensor;
}

}  // namespace

std::vector<Selector> BaselineInputs() { return {{.all = true}, {.collections = {"losses"}}}; }

Result<Baseline> LearnBaseline(const std::vector<std::string>& runs,
                               const std::function<void(size_t run)>& progress) {
  if (runs.empty()) return Status(Code::kInvalid, "no runs to learn from");
  std::vector<OpenedRun> opened;
  Baseline baseline;
  baseline.time =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  for (const std::string& folder : runs) {
    auto run = OpenGoodRun(folder);
    if (!run.ok()) return run.status();
    const auto record = trial::ReadRunRecord(folder);
    const Step last_step = run.value().steps.empty() ? 0 : run.value().steps.back().first;
    baseline.runs.push_back({folder, record ? record->CommandLine() : "", last_step});
    baseline.last_step = std::max(baseline.last_step, last_step);
    opened.push_back(std::move(run.value()));
  }
  baseline.phases = PhasesUpTo(baseline.last_step);
  AllValues all;
  for (size_t i = 0; i < opened.size(); ++i) {
    if (progress) progress(i);
    RunValues values(i, baseline.phases.size(), &all);
    if (Status status = values.Read(opened[i], baseline.phases); !status.ok()) return status;
  }
  for (const auto& [name, values] : all) {
    TensorBands tensor = BandsOf(name, values, baseline.phases.size());
    if (!tensor.series.empty()) baseline.tensors.push_back(std::move(tensor));
  }
  if (baseline.tensors.empty()) {
    return Status(Code::kNotFound,
                  fmt::format("{}: no statistics of training steps to learn from", runs.front()));
  }
  return baseline;
}

}  // namespace warden::rules
