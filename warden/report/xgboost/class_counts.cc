#include "warden/report/xgboost/class_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "warden/report/xgboost/model_task.h"

namespace warden::report::xgboost {
namespace {

constexpr size_t kMostInMatrix = 100;  // Classes; larger ones are no help to anybody.

double Ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double F1(double precision, double recall) {
  return Ratio(2 * precision * recall, precision + recall);
}

ClassStatistics JsonOf(const ClassCounts& counts, const std::vector<int64_t>& labels,
                       int64_t label) {
  ClassStatistics statistics{.label = label};
  for (const int64_t other : labels) {
    statistics.support += counts.Count(label, other);
    statistics.predicted += counts.Count(other, label);
  }
  statistics.correct = counts.Count(label, label);
  const auto correct = static_cast<double>(statistics.correct);
  statistics.precision = Ratio(correct, static_cast<double>(statistics.predicted));
  statistics.recall = Ratio(correct, static_cast<double>(statistics.support));
  statistics.f1 = F1(statistics.precision, statistics.recall);
  return statistics;
}

void Average(Classification* all) {
  double correct = 0;
  for (const ClassStatistics& one : all->classes) {
    const double weight = Ratio(static_cast<double>(one.support), static_cast<double>(all->rows));
    const double share = 1.0 / static_cast<double>(all->classes.size());
    correct += static_cast<double>(one.correct);
    all->macro.precision += share * one.precision;
    all->macro.recall += share * one.recall;
    all->macro.f1 += share * one.f1;
    all->weighted.precision += weight * one.precision;
    all->weighted.recall += weight * one.recall;
    all->weighted.f1 += weight * one.f1;
  }
  // Every row has one label and one prediction, so that all three are the same.
  all->accuracy = Ratio(correct, static_cast<double>(all->rows));
  all->micro = {all->accuracy, all->accuracy, all->accuracy};
}

constexpr double kLeast = std::numeric_limits<double>::epsilon();

double Clipped(double probability) { return std::clamp(probability, kLeast, 1 - kLeast); }

}  // namespace

std::optional<size_t> ClassCounts::PlaceOf(int64_t label) {
  const bool quick = label >= 0 && label < static_cast<int64_t>(kQuick);
  if (quick && quick_[static_cast<size_t>(label)] > 0) {
    return static_cast<size_t>(quick_[static_cast<size_t>(label)]) - 1;
  }
  const auto found = places_.find(label);
  if (found != places_.end()) return found->second;
  if (places_.size() >= kMostClasses) return std::nullopt;
  const size_t place = places_.size();
  places_[label] = place;
  counts_.emplace_back();
  if (quick) quick_[static_cast<size_t>(label)] = static_cast<int32_t>(place) + 1;
  return place;
}

bool ClassCounts::Add(int64_t label, int64_t predicted) {
  const auto row = PlaceOf(label);
  const auto column = PlaceOf(predicted);
  if (!row || !column) return false;
  std::vector<int64_t>& counts = counts_[*row];
  if (counts.size() <= *column) counts.resize(*column + 1);
  ++counts[*column];
  return true;
}

std::vector<int64_t> ClassCounts::Labels() const {
  std::vector<int64_t> labels;
  for (const auto& [label, place] : places_) labels.push_back(label);
  return labels;
}

int64_t ClassCounts::Count(int64_t label, int64_t predicted) const {
  const auto row = places_.find(label);
  const auto column = places_.find(predicted);
  if (row == places_.end() || column == places_.end()) return 0;
  const std::vector<int64_t>& counts = counts_[row->second];
  return column->second < counts.size() ? counts[column->second] : 0;
}

StepCounts CountClasses(const Samples& samples, Scores scores) {
  StepCounts counted;
  samples.ForEach([&](double label, std::span<const double> row) {
    const auto is = ClassOf(label);
    const auto predicted = Predicted(scores, row);
    if (!is || !predicted) {
      ++counted.left_out;
    } else if (!counted.counts.Add(*is, predicted->label)) {
      counted.too_many = true;
    } else {
      ++counted.rows;
    }
  });
  return counted;
}

Classification Evaluate(const StepCounts& counted) {
  Classification all;
  all.rows = counted.rows;
  all.left_out = counted.left_out;
  const std::vector<int64_t> labels = counted.counts.Labels();
  for (const int64_t label : labels) {
    all.classes.push_back(JsonOf(counted.counts, labels, label));
  }
  for (const int64_t label : labels) {
    for (const int64_t other : labels) {
      if (labels.size() <= kMostInMatrix) all.matrix.push_back(counted.counts.Count(label, other));
    }
  }
  Average(&all);
  return all;
}

std::optional<double> LogLoss(const Samples& samples, Scores scores) {
  if (scores == Scores::kClass || scores == Scores::kValue) return std::nullopt;
  Sum loss;
  int64_t rows = 0;
  bool known = true;
  samples.ForEach([&](double label, std::span<const double> row) {
    const auto is = ClassOf(label);
    const auto predicted = Predicted(scores, row);
    if (!is || !predicted) return;
    const auto classes = scores == Scores::kRow ? std::ssize(row) : 2;
    known &= *is >= 0 && *is < classes;
    if (!known) return;
    ++rows;
    if (scores != Scores::kRow) {
      const double positive = Clipped(predicted->score);
      loss.Add(-std::log(*is == 1 ? positive : 1 - positive));
      return;
    }
    double sum = 0;
    for (const double probability : row) sum += Clipped(probability);
    loss.Add(-std::log(Clipped(row[static_cast<size_t>(*is)]) / sum));
  });
  if (!known || rows == 0) return std::nullopt;
  return loss.value() / static_cast<double>(rows);
}

}  // namespace warden::report::xgboost
