#include <fmt/format.h>

#include "warden/rules/class_ids.h"
#include "warden/rules/class_source.h"
#include "warden/rules/confusion_counts.h"
#include "warden/rules/debug/debug_rules.h"

namespace warden::rules {
namespace {

constexpr int64_t kMostCategories = 65536;

double Share(int64_t part, int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

class Confused : public Rule {
 public:
  explicit Confused(const Params& params)
      : labels_(SourceFrom(params, "labels")),
        predictions_(SourceFrom(params, "predictions")),
        min_diagonal_(params.Number("min_diag")),
        max_off_diagonal_(params.Number("max_off_diag")),
        compat_diagonal_(params.Switch("compat_diagonal")) {
    if (params.Has("category_no")) categories_ = params.Integer("category_no");
  }

  std::vector<Selector> inputs() const override {
    return {labels_.collection, labels_.pattern, predictions_.collection, predictions_.pattern};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    const StepView::Tensors labels = labels_.Choose(step.Input(0), step.Input(1));
    const StepView::Tensors predictions = predictions_.Choose(step.Input(2), step.Input(3));
    for (const LabelPair& pair : PairLabels(labels, predictions, verdicts)) {
      if (pair.predictions == nullptr) {
        verdicts->Skip(*pair.labels, "labels without matching predictions");
      } else {
        EvaluatePair(*pair.labels, *pair.predictions, verdicts);
      }
    }
    return Status();
  }

 private:
  void EvaluatePair(TensorView& labels, TensorView& predictions, Verdicts* verdicts) const {
    const trial::TensorValue* scores = predictions.Raw();
    const bool rows = scores != nullptr && scores->shape.size() == 2 && scores->shape[1] > 1;
    const trial::TensorValue* truth = labels.Raw();
    const bool one_hot = rows && truth != nullptr && truth->shape == scores->shape;
    const ClassIds label_ids = LabelIds(truth, one_hot);
    if (!label_ids.why.empty()) {
      verdicts->Skip(labels, label_ids.why);
      return;
    }
    const ClassIds predicted = PredictedIds(scores, label_ids.ids, {rows, categories_});
    if (!predicted.why.empty()) {
      verdicts->Skip(predictions, predicted.why);
      return;
    }
    const ConfusionCounts counts(label_ids.ids, predicted.ids);
    if (counts.total() == 0) {
      verdicts->Skip(predictions, "no finite prediction with a finite label");
      return;
    }
    if (counts.categories() > kMostCategories) {
      verdicts->Skip(labels, "too many classes");
      return;
    }
    verdicts->Healthy(labels);
    EvaluateCounts(predictions, counts, verdicts);
  }

  void EvaluateCounts(TensorView& predictions, const ConfusionCounts& counts,
                      Verdicts* verdicts) const {
    const int64_t categories = categories_.value_or(counts.categories());
    for (const auto& cell : counts.cells()) {
      for (const int64_t id : {cell.label, cell.prediction}) {
        if (id >= 0 && id < categories) continue;
        verdicts->Note(fmt::format("some class ids are outside 0 to {}", categories - 1));
      }
    }
    Evidence worst = OnDiagonal(counts, categories);
    if (worst.what.empty()) worst = OffDiagonal(counts, categories);
    if (worst.what.empty()) {
      verdicts->Healthy(predictions);
    } else {
      verdicts->Fire(predictions, worst);
    }
  }

  // The class that fares worst; empty if none does badly.
  Evidence OnDiagonal(const ConfusionCounts& counts, int64_t categories) const {
    int64_t right = 0;
    for (int64_t id = 0; id < categories; ++id) right += counts.OnDiagonal(id);
    Evidence worst{min_diagonal_, min_diagonal_, ""};
    for (int64_t id = 0; id < categories; ++id) {
      const int64_t whole = compat_diagonal_ ? right : counts.Labelled(id);
      if (whole == 0) continue;  // Nothing can be said of it.
      const double share = Share(counts.OnDiagonal(id), whole);
      if (!(share < worst.value)) continue;
      worst.value = share;
      worst.what = compat_diagonal_
                       ? fmt::format("class {} makes up {:.3g} of the diagonal, below {:g}", id,
                                     share, min_diagonal_)
                       : fmt::format(
                             "{} of {} labels of class {} were predicted correctly ({:.3g}, "
                             "threshold {:g})",
                             counts.OnDiagonal(id), whole, id, share, min_diagonal_);
    }
    return worst;
  }

  // The confusion that is the most frequent of what a class was predicted for.
  Evidence OffDiagonal(const ConfusionCounts& counts, int64_t categories) const {
    Evidence worst{max_off_diagonal_, max_off_diagonal_, ""};
    for (const auto& cell : counts.cells()) {
      const int64_t id = cell.prediction;
      if (cell.label == id || id < 0 || id >= categories) continue;
      const double share = Share(cell.count, counts.Predicted(id));
      if (!(share > worst.value)) continue;
      worst.value = share;
      worst.what =
          fmt::format("{} of {} predictions of class {} are labeled {} ({:.3g}, threshold {:g})",
                      cell.count, counts.Predicted(id), id, cell.label, share, max_off_diagonal_);
    }
    return worst;
  }

  const ClassSource labels_;
  const ClassSource predictions_;
  const double min_diagonal_;
  const double max_off_diagonal_;
  const bool compat_diagonal_;
  std::optional<int64_t> categories_;
};

}  // namespace

RuleEntry Confusion() {
  static constexpr Param kParams[] = {
      {"category_no", ParamType::kInteger, "",
       "Number of classes (default: the largest class id of the step plus 1)", 1, kMostCategories},
      {"labels", ParamType::kPatterns, "",
       "Labels: regular expressions matched anywhere in the "
       "name"},
      {"predictions", ParamType::kPatterns, "",
       "Predictions: regular expressions matched anywhere "
       "in the name"},
      {"labels_collection", ParamType::kNames, "labels", "Collection that contains the labels"},
      {"predictions_collection", ParamType::kNames, "predictions",
       "Collection that contains the "
       "predictions"},
      {"min_diag", ParamType::kNumber, "0.9",
       "Minimum share of the labels of a class that must be predicted correctly", 0, 1},
      {"max_off_diag", ParamType::kNumber, "0.1",
       "Maximum share of the predictions of a class that belong to one other class", 0, 1},
      {"compat_diagonal", ParamType::kSwitch, "False",
       "Apply min_diag to each class's share of the diagonal sum, as the SageMaker documentation "
       "defines it; a perfect two-class model then fires"}};
  static constexpr Saves kSaves[] = {{"labels", ".*labels", true},
                                     {"predictions", ".*predictions", true}};
  static constexpr RuleSpec kSpec{
      "Confusion", "Predictions of a class are wrong too often.",
      "Inspect samples of the two confused classes: labels may be wrong, or the features may not "
      "separate the classes. Otherwise weight the rarer class or train longer.",
      kParams, kSaves};
  return {&kSpec, Make<Confused>};
}

}  // namespace warden::rules
