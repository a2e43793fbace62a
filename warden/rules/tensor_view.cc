#include "warden/rules/tensor_view.h"

#include <algorithm>

#include "warden/base/log.h"
#include "warden/trial/record_value.h"

namespace warden::rules {

TensorView::TensorView(uint32_t id, std::string_view name, std::string_view worker,
                       std::span<const trial::StepRecord> records, trial::StepReader* reader)
    : id_(id), name_(name), worker_(worker), records_(records), reader_(reader) {
  for (const trial::StepRecord& record : records) {
    if (record.location.length == 0) continue;
    if (record.location.slot == trial::kRawSlot) {
      raw_record_ = &record;
    } else {
      has_saved_ = true;
    }
  }
}

uint64_t TensorView::position() const {
  uint64_t first = UINT64_MAX;
  for (const trial::StepRecord& record : records_) {
    if (record.location.length > 0) first = std::min(first, record.location.start);
  }
  return first;
}

std::optional<double> TensorView::Saved(Reduction reduction) {
  if (!has_saved_) return std::nullopt;
  for (const trial::StepRecord& record : records_) {
    if (record.location.slot != reduction.index() || record.location.length == 0) continue;
    const auto value = reader_->Read(record);
    if (!value.ok()) return std::nullopt;
    const auto number = trial::FirstNumber(value.value());
    return number.ok() ? std::optional(number.value()) : std::nullopt;
  }
  return std::nullopt;
}

const trial::TensorValue* TensorView::Raw() {
  if (!raw_asked_ && raw_record_ != nullptr) {
    auto value = reader_->Read(*raw_record_);
    if (value.ok()) {
      raw_ = std::move(value.value());
    } else {
      LogWarning("cannot read a tensor of step {}: {}", reader_->step(), value.status().message());
    }
  }
  raw_asked_ = true;
  return raw_ ? &*raw_ : nullptr;
}

const stats::Summary* TensorView::Summary() {
  if (!summary_asked_) {
    summary_asked_ = true;
    if (const trial::TensorValue* raw = Raw()) {
      const auto summary = stats::Summarize(raw->ref());
      if (summary.ok()) summary_ = summary.value();
    }
  }
  return summary_ ? &*summary_ : nullptr;
}

}  // namespace warden::rules
