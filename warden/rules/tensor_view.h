#ifndef WARDEN_RULES_TENSOR_VIEW_H_
#define WARDEN_RULES_TENSOR_VIEW_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "warden/base/reduction.h"
#include "warden/stats/summary.h"
#include "warden/trial/step_reader.h"
#include "warden/trial/tensor_value.h"

namespace warden::rules {

// One tensor of one worker at one step, shared by all rules: what it holds is read when first asked
// for, and only then.
class TensorView {
 public:
  // records: the tensor's, all of one worker; reader and names outlive this.
  TensorView(uint32_t id, std::string_view name, std::string_view worker,
             std::span<const trial::StepRecord> records, trial::StepReader* reader);

  // Counts the pairs of tensor and worker that were met in the run, from 0.
  uint32_t id() const { return id_; }
  std::string_view name() const { return name_; }
  std::string_view worker() const { return worker_; }
  // Where its first record begins in the worker's file: the order in which the hook saved the
  // tensors of a step, that is, of forward and then of backward.
  uint64_t position() const;

  // The reduction as the hook saved it, which counts NaN and infinities as PyTorch does.
  std::optional<double> Saved(Reduction reduction);
  bool has_saved() const { return has_saved_; }

  // The values; null if they were not saved or cannot be read. They may be kept.
  const trial::TensorValue* Raw();
  // Of the values; null without them, or if they are no real numbers.
  const stats::Summary* Summary();

 private:
  uint32_t id_;
  std::string_view name_;
  std::string_view worker_;
  std::span<const trial::StepRecord> records_;
  trial::StepReader* reader_;
  const trial::StepRecord* raw_record_ = nullptr;
  bool has_saved_ = false;
  bool raw_asked_ = false;
  bool summary_asked_ = false;
  std::optional<trial::TensorValue> raw_;
  std::optional<stats::Summary> summary_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_TENSOR_VIEW_H_
