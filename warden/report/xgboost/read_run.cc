#include "warden/report/xgboost/read_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "warden/base/strings.h"
#include "warden/report/words.h"
#include "warden/report/xgboost/class_counts.h"
#include "warden/report/xgboost/model_task.h"
#include "warden/report/xgboost/regression.h"
#include "warden/report/xgboost/roc_curve.h"
#include "warden/report/xgboost/run_reader.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kMostSteps = 200;  // Whose predictions are looked at.
constexpr size_t kLabelBins = 30;
constexpr size_t kErrorBins = 10;

std::string ParameterOf(const RunStatistics& statistics, std::string_view name) {
  for (const auto& [key, text] : statistics.hyperparameters) {
    if (key == name) return text;
  }
  return "";
}

// Evenly spread, the first and the last among them.
std::vector<Step> Thinned(const std::vector<Step>& steps) {
  if (steps.size() <= kMostSteps) return steps;
  std::vector<Step> some;
  for (size_t i = 0; i < kMostSteps; ++i) {
    some.push_back(steps[i * (steps.size() - 1) / (kMostSteps - 1)]);
  }
  return some;
}

void CountLabels(const std::vector<double>& labels, bool classes, LabelStatistics* found) {
  if (labels.empty()) return;
  const Spread spread = SpreadOf(labels);
  found->min = spread.min;
  found->max = spread.max;
  found->mean = spread.mean;
  found->deviation = spread.deviation;
  found->skewness = spread.skewness;
  std::map<double, int64_t> counts;
  for (const double label : labels) {
    if (!classes || counts.size() > kMostClasses) break;
    ++counts[label];
  }
  if (classes && counts.size() <= kMostClasses) {
    found->classes.assign(counts.begin(), counts.end());
  } else {
    found->histogram = CountInBins(labels, spread.min, spread.max, kLabelBins);
  }
}

void ReadLabels(const RunReader& reader, RunStatistics* statistics) {
  const auto step = reader.LastLabelStep();
  if (!step) {
    statistics->why_no_labels = "no labels were saved";
    return;
  }
  const auto value = reader.LabelsAt(*step);
  if (!value.ok() || !HasRealNumbers(value.value())) {
    statistics->why_no_labels = value.ok() ? "the labels are not real numbers"
                                           : "cannot read the labels: " + value.status().message();
    return;
  }
  std::vector<double> labels(value.value().ref().count());
  ReadNumbers(value.value(), 0, labels.size(), labels.data());
  LabelStatistics found{.step = *step, .rows = std::ssize(labels)};
  std::erase_if(labels, [](double label) { return !std::isfinite(label); });
  found.not_finite = found.rows - std::ssize(labels);
  CountLabels(labels, Classifies(statistics->recognised.task), &found);
  statistics->labels = std::move(found);
}

size_t NumberOfClasses(const RunStatistics& statistics) {
  const auto classes = ParseInt(ParameterOf(statistics, "num_class"));
  return classes && *classes > 1 ? static_cast<size_t>(*classes) : 0;
}

// The classes of the last step, over all steps.
void AddStep(Step step, const StepCounts& counted, ClassAccuracy* over) {
  over->steps.push_back(step);
  for (auto& [label, values] : over->classes) {
    int64_t rows = 0;
    for (const int64_t other : counted.counts.Labels()) rows += counted.counts.Count(label, other);
    values.emplace_back();
    if (rows == 0) continue;
    values.back() =
        static_cast<double>(counted.counts.Count(label, label)) / static_cast<double>(rows);
  }
}

void Classify(const RunReader& reader, const Samples& last, const std::vector<Step>& steps,
              RunStatistics* statistics) {
  const Scores scores = statistics->recognised.scores;
  const StepCounts counted = CountClasses(last, scores);
  if (counted.rows == 0 || counted.too_many) {
    statistics->why_no_predictions =
        counted.too_many ? fmt::format("there are more than {} classes", Count(kMostClasses))
                         : "no row has a whole-number label and a finite prediction";
    return;
  }
  statistics->classification = Evaluate(counted);
  statistics->classification->step = steps.back();
  statistics->classification->log_loss = LogLoss(last, scores);
  Rocs rocs = RocsOf(last, statistics->recognised);
  statistics->roc = std::move(rocs.curves);
  statistics->why_no_roc = std::move(rocs.why_not);
  ClassAccuracy over;
  for (const ClassStatistics& one : statistics->classification->classes) {
    if (one.support > 0) over.classes.emplace_back(one.label, Values());
  }
  for (const Step step : Thinned(steps)) {
    if (step == steps.back()) {
      AddStep(step, counted, &over);
      continue;
    }
    const auto samples = reader.SamplesAt(step, NumberOfClasses(*statistics));
    if (samples.ok()) AddStep(step, CountClasses(samples.value(), scores), &over);
  }
  statistics->class_accuracy = std::move(over);
}

void Regress(const RunReader& reader, const Samples& last, const std::vector<Step>& steps,
             RunStatistics* statistics) {
  statistics->residuals = ResidualsOf(last);
  if (!statistics->residuals) {
    statistics->why_no_predictions = "no row has a finite label and a finite prediction";
    return;
  }
  statistics->residuals->step = steps.back();
  std::vector<double> labels;
  last.ForEach([&](double label, std::span<const double> row) {
    if (std::isfinite(label - row[0])) labels.push_back(label);
  });
  const auto [least, most] = std::minmax_element(labels.begin(), labels.end());
  BinErrors bins;
  bins.bins = CountInBins(labels, *least, *most, kErrorBins);
  bins.mean_absolute.resize(bins.bins.counts.size());
  for (const Step step : Thinned(steps)) {
    const auto samples = reader.SamplesAt(step, 0);
    if (!samples.ok()) continue;
    bins.steps.push_back(step);
    const Values errors = ErrorsInBins(samples.value(), bins.bins.edges);
    for (size_t i = 0; i < errors.size(); ++i) bins.mean_absolute[i].push_back(errors[i]);
  }
  statistics->bins = std::move(bins);
}

void ReadPredictions(const RunReader& reader, RunStatistics* statistics) {
  const std::vector<Step>& steps = reader.PredictionSteps();
  std::optional<Samples> last;
  if (steps.empty()) {
    statistics->why_no_predictions = "no predictions with labels were saved";
  } else if (auto samples = reader.SamplesAt(steps.back(), NumberOfClasses(*statistics));
             samples.ok()) {
    last = std::move(samples.value());
  } else {
    statistics->why_no_predictions = samples.status().message();
  }
  statistics->recognised =
      Recognise(ParameterOf(*statistics, "objective"), statistics->curves, last ? &*last : nullptr);
  if (!last) return;
  if (Classifies(statistics->recognised.task)) {
    Classify(reader, *last, steps, statistics);
  } else if (statistics->recognised.task == Task::kRegression) {
    Regress(reader, *last, steps, statistics);
    if (last->width() > 1) {
      statistics->recognised.how += fmt::format(
          " There are {} predictions per label; residuals use the first one.", last->width());
    }
  }
}

}  // namespace

RunStatistics ReadRun(const trial::Trial& trial) {
  RunStatistics statistics;
  const RunReader reader(trial);
  statistics.workers = trial.workers();
  const std::vector<Step> steps = trial.Steps(Mode::kGlobal, /*include_incomplete=*/true);
  statistics.saved_steps = std::ssize(steps);
  if (!steps.empty()) {
    statistics.first_step = steps.front();
    statistics.last_step = steps.back();
  }
  statistics.hyperparameters = reader.Hyperparameters();
  statistics.curves = reader.Curves();
  statistics.importance = reader.LastImportance();
  ReadPredictions(reader, &statistics);
  ReadLabels(reader, &statistics);
  return statistics;
}

}  // namespace warden::report::xgboost
