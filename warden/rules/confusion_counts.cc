#include "warden/rules/confusion_counts.h"

#include <algorithm>

#include "warden/rules/class_ids.h"

namespace warden::rules {

ConfusionCounts::ConfusionCounts(std::span<const int64_t> labels,
                                 std::span<const int64_t> predictions) {
  std::vector<std::pair<int64_t, int64_t>> pairs;  // Prediction and label.
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == kNoClass || predictions[i] == kNoClass) continue;
    pairs.emplace_back(predictions[i], labels[i]);
  }
  std::sort(pairs.begin(), pairs.end());
  total_ = std::ssize(pairs);
  for (const auto& [prediction, label] : pairs) {
    if (cells_.empty() || cells_.back().label != label || cells_.back().prediction != prediction) {
      cells_.push_back({label, prediction, 0});
    }
    ++cells_.back().count;
  }
  for (const Cell& cell : cells_) {
    rows_[cell.label] += cell.count;
    columns_[cell.prediction] += cell.count;
    if (cell.label == cell.prediction) diagonal_[cell.label] += cell.count;
    categories_ = std::max({categories_, cell.label + 1, cell.prediction + 1});
  }
}

}  // namespace warden::rules
