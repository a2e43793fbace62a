#include "warden/capture/step_recorder.h"

#include <algorithm>
#include <utility>

#include "warden/base/log.h"
#include "warden/capture/widen.h"
#include "warden/format/crc32c.h"
#include "warden/format/event_message.h"
#include "warden/format/layout.h"
#include "warden/format/own_checksum.h"
#include "warden/format/reduction_tensor.h"
#include "warden/stats/histogram.h"
#include "warden/stats/reductions.h"

namespace warden::capture {
namespace {

// Records up to this size are gathered; what is larger is written from where it lies.
constexpr size_t kGatherBytes = size_t{64} << 10;
constexpr size_t kBufferBytes = size_t{1} << 20;

}  // namespace

StepRecorder::StepRecorder(const StepIdentity& identity, const Options& options,
                           storage::Store* store)
    : identity_(identity),
      options_(options),
      store_(store),
      event_file_(format::EventFileKey(identity.step, options.worker)) {
  index_.mode = identity.mode;
  index_.mode_step = identity.mode_step;
}

Status StepRecorder::Save(std::string_view tensor, const stats::TensorRef& value,
                          const SavePlan& plan, const stats::Summary* summary) {
  // A shape entry beside the values would hide them from the original's reader, and they tell the
  // shape themselves.
  if (plan.shape && !(plan.raw && value.count() > 0)) {
    names_.emplace_back(tensor);
    index_.shapes.push_back(
        {names_.back(), names_.back(), {value.shape.begin(), value.shape.end()}});
  }
  if (value.count() == 0) return Status();
  if (plan.reductions.any()) {
    if (Status done = WriteReductions(tensor, value, plan, summary); !done.ok()) return done;
  }
  if (options_.tensorboard) AddToTensorBoard(tensor, value, plan);
  return plan.raw ? WriteRecord(tensor, value) : Status();
}

Status StepRecorder::WriteReductions(std::string_view tensor, const stats::TensorRef& value,
                                     const SavePlan& plan, const stats::Summary* summary) {
  stats::Summary computed;
  if (summary == nullptr) {
    const auto result = stats::Summarize(value);
    if (!result.ok()) {
      LogWarning("reductions of '{}' not saved: {}", tensor, result.status().message());
      ++failed_;
      return Status();
    }
    computed = result.value();
    summary = &computed;
  }
  const bool finite = summary->nan_count == 0 && summary->inf_count() == 0;
  if (!finite && (!first_not_finite_ || plan.sequence < first_not_finite_->sequence)) {
    first_not_finite_ = NotFinite{identity_.step, std::string(tensor), plan.sequence};
  }
  // The order in which the original writes them: operations before norms, plain before absolute,
  // which is the order of their indices.
  for (int i = 0; i < Reduction::kCount; ++i) {
    if (!plan.reductions[static_cast<size_t>(i)]) continue;
    const Reduction reduction = Reduction::FromIndex(i);
    const double number = stats::Reduce(*summary, reduction, stats::Flavor::kSaved);
    if (Status done = WriteReduction(tensor, value.dtype, reduction, number); !done.ok()) {
      return done;
    }
  }
  return Status();
}

Status StepRecorder::SaveReductions(std::string_view tensor, DType dtype,
                                    std::span<const Reduction> reductions,
                                    std::span<const double> values) {
  for (size_t i = 0; i < reductions.size(); ++i) {
    if (Status done = WriteReduction(tensor, dtype, reductions[i], values[i]); !done.ok()) {
      return done;
    }
  }
  return Status();
}

Status StepRecorder::WriteReduction(std::string_view tensor, DType dtype, Reduction reduction,
                                    double value) {
  const auto single = static_cast<float>(value);
  // Single precision for what came in single or half, double for everything else.
  const bool narrow = IsFloating(dtype) && dtype != DType::kFloat64;
  const stats::TensorRef scalar{narrow ? static_cast<const void*>(&single) : &value,
                                narrow ? DType::kFloat32 : DType::kFloat64,
                                {}};
  return WriteRecord(format::ReductionTensorName(reduction, tensor, options_.strip_colons), scalar);
}

void StepRecorder::AddToTensorBoard(std::string_view tensor, const stats::TensorRef& value,
                                    const SavePlan& plan) {
  if (plan.scalar && value.count() == 1) {
    const auto number = stats::Summarize(value);
    if (number.ok()) {
      const double shown =
          stats::Reduce(number.value(), {ReductionOp::kSum}, stats::Flavor::kSaved);
      format::EncodeScalarRecord(identity_.wall_time, identity_.step, tensor,
                                 static_cast<float>(shown), &tensorboard_);
    }
  }
  if (plan.histogram_collection.empty() || value.dtype == DType::kBool) return;
  const auto histogram = stats::MakeHistogram(value);
  if (!histogram.ok()) return;  // Nothing finite to draw.
  const stats::Histogram& h = histogram.value();
  const std::string tag = std::string(plan.histogram_collection) + "/" + std::string(tensor);
  format::EncodeHistogramRecord(identity_.wall_time, identity_.step, tag,
                                {h.min, h.max, h.num, h.sum, h.sum_squares, h.limits, h.counts},
                                &tensorboard_);
}

Status StepRecorder::SaveScalar(std::string_view tensor, double value) {
  const int64_t one = 1;
  if (options_.tensorboard) {
    format::EncodeScalarRecord(identity_.wall_time, identity_.step, tensor,
                               static_cast<float>(value), &tensorboard_);
  }
  return WriteRecord(tensor, {&value, DType::kFloat64, std::span(&one, 1)});
}

Status StepRecorder::SaveStrings(std::string_view tensor, std::span<const std::string> values) {
  if (values.empty()) return Status();
  const int64_t count = std::ssize(values);
  const size_t before = buffer_.size();
  format::EncodeStringRecord({identity_.wall_time, identity_.step, tensor, identity_.mode,
                              identity_.mode_step, DType::kString, std::span(&count, 1), 0},
                             values, &buffer_);
  AddEntry(tensor, buffer_.size() - before);
  return buffer_.size() < kBufferBytes ? Status() : FlushBuffer();
}

Status StepRecorder::WriteRecord(std::string_view name, const stats::TensorRef& value) {
  stats::TensorRef shown = value;
  std::vector<std::byte> wide;
  if (options_.original_types_only) {
    const auto type = OriginalType(value.dtype);
    if (!type.ok()) {
      LogWarning("tensor '{}' not saved: {}", name, type.status().message());
      ++failed_;
      return Status();
    }
    if (type.value() != value.dtype) {
      wide = Widen(value);
      shown.data = wide.data();
      shown.dtype = type.value();
    }
  }
  tail_.clear();
  const uint64_t length =
      format::EncodeTensorRecord({identity_.wall_time, identity_.step, name, identity_.mode,
                                  identity_.mode_step, shown.dtype, shown.shape, shown.byte_size()},
                                 &buffer_, &tail_);
  AddEntry(name, length);
  if (shown.byte_size() <= kGatherBytes) {
    buffer_.append(AsText(shown.bytes()));
    buffer_.append(tail_);
    return buffer_.size() < kBufferBytes ? Status() : FlushBuffer();
  }
  if (Status flushed = FlushBuffer(); !flushed.ok()) return flushed;
  buffer_.append(tail_);
  return Append(shown.bytes());
}

Status StepRecorder::FlushBuffer() {
  if (file_ == nullptr) {
    auto file = store_->Create(event_file_);
    if (!file.ok()) return file.status();
    file_ = std::move(file.value());
  }
  const Status done = Append(AsBytes(buffer_));
  buffer_.clear();
  return done;
}

// Piece by piece, so that what was summed is still in the cache when it is written.
Status StepRecorder::Append(Bytes bytes) {
  if (!options_.checksums) return file_->Append(bytes);
  while (!bytes.empty()) {
    const Bytes piece = bytes.first(std::min(bytes.size(), kBufferBytes));
    crc_ = format::Crc32c(piece, crc_);
    if (Status done = file_->Append(piece); !done.ok()) return done;
    bytes = bytes.subspan(piece.size());
  }
  return Status();
}

void StepRecorder::AddEntry(std::string_view name, uint64_t length) {
  names_.emplace_back(name);
  index_.entries.push_back({names_.back(), offset_, length});
  offset_ += length;
}

Status StepRecorder::Finish() {
  if (offset_ == 0) return Status();
  index_.event_file = event_file_;
  if (Status flushed = FlushBuffer(); !flushed.ok()) return flushed;
  if (options_.checksums) index_.event_file_crc32c = crc_;
  return file_->Commit();
}

std::string StepRecorder::IndexText() const {
  if (index_.entries.empty() && index_.shapes.empty()) return {};
  std::string text = format::EncodeIndexFile(index_);
  return options_.checksums ? format::WithOwnChecksum(std::move(text), "}") : text;
}

}  // namespace warden::capture
