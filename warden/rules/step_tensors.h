#ifndef WARDEN_RULES_STEP_TENSORS_H_
#define WARDEN_RULES_STEP_TENSORS_H_

// From the records of a step to what each rule asked for. Shared by all rules of an engine: a
// tensor that five rules look at is found, read and summarized once.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "warden/rules/selector.h"
#include "warden/rules/step_view.h"
#include "warden/rules/tensor_view.h"
#include "warden/trial/step_reader.h"

namespace warden::rules {

// The tensors of one step after the other, sorted, and those of each selector among them. Used by
// the engine, and by SimilarAcrossRuns for the runs it compares with. Not safe for threads.
//
// Names are matched when they are met for the first time, and steps that save the same tensors as
// the one before, as most do, are not sorted again. Memory grows with the number of tensors and
// workers, not with that of steps.
//
//   StepTensors tensors(trial, std::move(matchers));
//   trial::StepReader reader = trial->ReaderOf(step);
//   tensors.Load(&reader);
//   for (TensorView* tensor : tensors.Selected(0)) ...
//
// TensorView::id() is small and dense, and the same for a tensor of a worker in all steps: rules
// use it as a position in a vector (PerTensor).
class StepTensors {
 public:
  // trial outlives this. selectors: Selected() and EverMatched() take their positions.
  StepTensors(const trial::Trial* trial, std::vector<Matcher> selectors);

  // Moves to this step. All views and lists of the step before become invalid. The reader is not
  // owned and must live until the next Load or until its views are no longer used.
  void Load(trial::StepReader* reader);

  // The tensors of the loaded step that a selector matches, by name, then worker. The views belong
  // to this object.
  const StepView::Tensors& Selected(size_t selector) const { return selected_[selector]; }
  // Whether a selector has matched any tensor of the steps loaded so far.
  bool EverMatched(size_t selector) const { return ever_matched_[selector]; }

 private:
  struct Place {  // Of one tensor of one worker among the records of a step.
    trial::TensorId tensor = 0;
    trial::WorkerId worker = 0;
    uint32_t first_record = 0;
    uint32_t record_count = 0;
    bool operator==(const Place&) const = default;
  };

  // The tensors of a step as its records have them.
  std::vector<Place> PlacesOf(const std::vector<trial::StepRecord>& records) const;
  // Sorts places_ and assigns them to selectors. Only called if they differ from those of the last
  // step.
  void Arrange();
  // Take in names up to that number, and match them.
  void LearnName(trial::TensorId tensor);
  void LearnWorker(trial::WorkerId worker);
  // TensorView::id() of a pair of tensor and worker.
  uint32_t IdOf(const Place& place);

  const trial::Trial* trial_;  // Has the names.
  const std::vector<Matcher> matchers_;

  // Deques, since views refer to their elements.
  std::deque<std::string> names_;
  std::deque<std::string> workers_;
  std::vector<std::vector<bool>> matches_;      // By tensor, then selector.
  std::unordered_map<uint64_t, uint32_t> ids_;  // By tensor and worker.
  std::vector<bool> ever_matched_;

  std::vector<Place> places_;                  // As the records come.
  std::vector<uint32_t> order_;                // Places by name, then worker.
  std::vector<uint32_t> view_ids_;             // In that order.
  std::vector<std::vector<uint32_t>> chosen_;  // By selector: which of the views.
  std::vector<TensorView> views_;
  std::vector<StepView::Tensors> selected_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_STEP_TENSORS_H_
