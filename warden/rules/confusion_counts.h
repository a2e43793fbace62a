#ifndef WARDEN_RULES_CONFUSION_COUNTS_H_
#define WARDEN_RULES_CONFUSION_COUNTS_H_

// Counts which class was predicted for which label. Memory and time grow with the number of samples
// of the step, not with the square of the number of classes: a language model has 50,000 of them.

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace warden::rules {

// A confusion matrix without the cells that are zero, which are most where there are many classes.
// Made of one step's labels and predictions by the rule Confusion; does not change afterwards.
//
//   const ConfusionCounts counts(label_ids.ids, predicted.ids);
//   if (counts.total() > 0) Use(counts.OnDiagonal(0), counts.Predicted(0));
class ConfusionCounts {
 public:
  // Class ids of the samples, as LabelIds and PredictedIds return them. Pairs with kNoClass in them
  // are left out. REQUIRES: both have the same length.
  ConfusionCounts(std::span<const int64_t> labels, std::span<const int64_t> predictions);

  // How many samples with this label were predicted as that class; never 0.
  struct Cell {
    int64_t label = 0;
    int64_t prediction = 0;
    int64_t count = 0;
  };
  // By prediction, then label. So the cells of a column stand side by side: the rule looks for one
  // wrong class that takes up too much of a prediction.
  const std::vector<Cell>& cells() const { return cells_; }
  int64_t total() const { return total_; }  // Samples that were counted.

  // Samples of one class that were predicted as that class; 0 for a class that did not occur.
  int64_t OnDiagonal(int64_t id) const { return Find(diagonal_, id); }
  // Samples with this label, the sum of the row: what min_diag is a share of.
  int64_t Labelled(int64_t id) const { return Find(rows_, id); }  // Sum of the row.
  // Samples that were predicted as this class, the sum of the column: what max_off_diag is a share
  // of.
  int64_t Predicted(int64_t id) const { return Find(columns_, id); }  // Sum of the column.
  // One more than the largest id; 0 if no id is 0 or larger. Ids may be negative.
  int64_t categories() const { return categories_; }

 private:
  static int64_t Find(const std::map<int64_t, int64_t>& counts, int64_t id) {
    const auto found = counts.find(id);
    return found == counts.end() ? 0 : found->second;
  }

  std::vector<Cell> cells_;
  std::map<int64_t, int64_t> diagonal_;
  std::map<int64_t, int64_t> rows_;
  std::map<int64_t, int64_t> columns_;
  int64_t total_ = 0;
  int64_t categories_ = 0;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CONFUSION_COUNTS_H_
