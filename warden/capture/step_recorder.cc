#include "warden/capture/step_recorder.h"

#include <chrono>
#include <utility>

#include "warden/base/log.h"
#include "warden/capture/widen.h"
#include "warden/format/event.h"
#include "warden/format/layout.h"
#include "warden/format/reduction_tensor.h"
#include "warden/stats/histogram.h"
#include "warden/stats/reductions.h"
#include "warden/stats/summary.h"

namespace warden::capture {
namespace {

double Now() {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_epoch).count();
}

// The order in which the original writes the reductions of a tensor: operations before norms, plain
// before absolute, which is the order of their indices.
template <class Visit>
void ForEachReduction(const std::bitset<Reduction::kCount>& reductions, Visit visit) {
  for (int i = 0; i < Reduction::kCount; ++i) {
    if (reductions[static_cast<size_t>(i)]) visit(Reduction::FromIndex(i));
  }
}

}  // namespace

StepRecorder::StepRecorder(const StepIdentity& identity, const Options& options, Writer* writer)
    : identity_(identity),
      options_(options),
      writer_(writer),
      event_file_(format::EventFileKey(identity.step, identity.worker)),
      wall_time_(Now()) {
  index_.mode = identity.mode;
  index_.mode_step = identity.mode_step;
}

StepRecorder::Outcome StepRecorder::Save(std::string_view tensor, const stats::TensorRef& value,
                                         const SavePlan& plan) {
  Outcome outcome;
  // A shape entry beside the values would hide them from the original's reader, and they tell the
  // shape themselves.
  if (plan.shape && !(plan.raw && value.count() > 0)) {
    names_.emplace_back(tensor);
    index_.shapes.push_back(
        {names_.back(), names_.back(), {value.shape.begin(), value.shape.end()}});
  }
  if (value.count() == 0) return outcome;
  if (plan.reductions.any()) SaveReductions(tensor, value, plan, &outcome);
  if (options_.tensorboard) AddHistogram(tensor, value, plan);
  if (plan.raw) WriteRecord(tensor, value, &outcome);
  return outcome;
}

void StepRecorder::SaveReductions(std::string_view tensor, const stats::TensorRef& value,
                                  const SavePlan& plan, Outcome* outcome) {
  const auto summary = stats::Summarize(value);
  if (!summary.ok()) {
    LogWarning("no reductions of '{}': {}", tensor, summary.status().message());
    ++outcome->failed;
    return;
  }
  ForEachReduction(plan.reductions, [&](Reduction reduction) {
    const double number = stats::Reduce(summary.value(), reduction, stats::Flavor::kSaved);
    const auto single = static_cast<float>(number);
    // Single precision for what came in single or half, double for everything else.
    const bool narrow = IsFloating(value.dtype) && value.dtype != DType::kFloat64;
    const stats::TensorRef scalar{narrow ? static_cast<const void*>(&single) : &number,
                                  narrow ? DType::kFloat32 : DType::kFloat64,
                                  {}};
    WriteRecord(format::ReductionTensorName(reduction, tensor, options_.strip_colons), scalar,
                outcome);
  });
}

void StepRecorder::AddHistogram(std::string_view tensor, const stats::TensorRef& value,
                                const SavePlan& plan) {
  if (plan.scalar && value.count() == 1) {
    const auto number = stats::Summarize(value);
    if (number.ok()) {
      const double shown =
          stats::Reduce(number.value(), {ReductionOp::kSum}, stats::Flavor::kSaved);
      format::EncodeScalarRecord(wall_time_, identity_.step, tensor, static_cast<float>(shown),
                                 &tensorboard_);
    }
  }
  if (plan.histogram_collection.empty() || value.dtype == DType::kBool) return;
  const auto histogram = stats::MakeHistogram(value);
  if (!histogram.ok()) return;  // Nothing finite to draw.
  const stats::Histogram& h = histogram.value();
  const std::string tag = std::string(plan.histogram_collection) + "/" + std::string(tensor);
  format::EncodeHistogramRecord(wall_time_, identity_.step, tag,
                                {h.min, h.max, h.num, h.sum, h.sum_squares, h.limits, h.counts},
                                &tensorboard_);
}

StepRecorder::Outcome StepRecorder::SaveScalar(std::string_view tensor, double value) {
  Outcome outcome;
  const int64_t one = 1;
  WriteRecord(tensor, {&value, DType::kFloat64, std::span(&one, 1)}, &outcome);
  if (options_.tensorboard) {
    format::EncodeScalarRecord(wall_time_, identity_.step, tensor, static_cast<float>(value),
                               &tensorboard_);
  }
  return outcome;
}

StepRecorder::Outcome StepRecorder::SaveStrings(std::string_view tensor,
                                                std::span<const std::string> values) {
  Outcome outcome;
  if (values.empty() || !Admit(&outcome)) return outcome;
  const int64_t count = std::ssize(values);
  head_.clear();
  format::EncodeStringRecord({wall_time_, identity_.step, tensor, identity_.mode,
                              identity_.mode_step, DType::kString, std::span(&count, 1), 0},
                             values, &head_);
  writer_->Append(AsBytes(head_));
  AddEntry(tensor, head_.size(), &outcome);
  return outcome;
}

void StepRecorder::WriteRecord(std::string_view name, const stats::TensorRef& value,
                               Outcome* outcome) {
  stats::TensorRef shown = value;
  std::vector<std::byte> wide;
  if (options_.original_types_only) {
    const auto type = OriginalType(value.dtype);
    if (!type.ok()) {
      LogWarning("'{}' is left out: {}", name, type.status().message());
      ++outcome->failed;
      return;
    }
    if (type.value() != value.dtype) {
      wide = Widen(value);
      shown.data = wide.data();
      shown.dtype = type.value();
    }
  }
  if (!Admit(outcome)) return;
  head_.clear();
  tail_.clear();
  const uint64_t length =
      format::EncodeTensorRecord({wall_time_, identity_.step, name, identity_.mode,
                                  identity_.mode_step, shown.dtype, shown.shape, shown.byte_size()},
                                 &head_, &tail_);
  writer_->Append(AsBytes(head_));
  writer_->Append(shown.bytes());
  writer_->Append(AsBytes(tail_));
  AddEntry(name, length, outcome);
}

bool StepRecorder::Admit(Outcome* outcome) {
  if (writer_->IsFull()) {
    ++outcome->dropped;
    return false;
  }
  if (offset_ == 0) writer_->Begin(event_file_);
  return true;
}

void StepRecorder::AddEntry(std::string_view name, uint64_t length, Outcome* outcome) {
  names_.emplace_back(name);
  index_.entries.push_back({names_.back(), offset_, length});
  offset_ += length;
  ++outcome->saved;
  outcome->bytes += length;
}

void StepRecorder::Finish() {
  if (offset_ == 0) return;
  index_.event_file = event_file_;
  writer_->Commit();
}

std::string StepRecorder::IndexText() const {
  if (index_.entries.empty() && index_.shapes.empty()) return {};
  return format::EncodeIndexFile(index_);
}

}  // namespace warden::capture
