#ifndef WARDEN_RULES_TENSOR_VIEW_H_
#define WARDEN_RULES_TENSOR_VIEW_H_

// One tensor as rules read it. StepTensors makes a view for each tensor and worker of a step; all
// rules share it, so that a tensor is read and summarized once, however many rules look at it.

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

// One tensor of one worker at one step. What it holds is read when first asked for, and only then.
// Not safe for threads: the engine's thread alone uses it.
//
//   if (const stats::Summary* summary = tensor->Summary()) Use(summary->mean);
//   else if (const auto mean = tensor->Saved({ReductionOp::kMean, false})) Use(*mean);
class TensorView {
 public:
  // records: the tensor's, all of one worker. `records`, `reader` and the texts of `name` and
  // `worker` outlive this. Without records there are no values, and `reader` may be null.
  TensorView(uint32_t id, std::string_view name, std::string_view worker,
             std::span<const trial::StepRecord> records, trial::StepReader* reader);

  // Number of the pair of tensor and worker, from 0 in the order in which the run showed them. The
  // same at every step, so that rules can index what they keep by it (see PerTensor).
  uint32_t id() const { return id_; }
  // Valid as long as the StepTensors that made the view, which is longer than one step.
  std::string_view name() const { return name_; }
  std::string_view worker() const { return worker_; }
  // Where its first record begins in the worker's file, in bytes: the order in which the hook saved
  // the tensors of a step, that is, of forward and then of backward. UINT64_MAX if it has no
  // values.
  uint64_t position() const;

  // The reduction as the hook saved it, which counts NaN and infinities as PyTorch does: it may be
  // NaN. Nothing if it was not saved or cannot be read. Reads the file on each call.
  std::optional<double> Saved(Reduction reduction);
  // Whether any reduction was saved: says why a rule has no values, without reading.
  bool has_saved() const { return has_saved_; }

  // The values; null if they were not saved or cannot be read, which is logged. Read once. The
  // pointer is valid as long as the view; a copy of the value may be kept longer.
  const trial::TensorValue* Raw();
  // Of the values; null without them, or if they are not real numbers. Computed once; the pointer
  // is valid as long as the view.
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
