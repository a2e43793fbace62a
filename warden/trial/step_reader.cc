#include "warden/trial/step_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "warden/format/event_message.h"
#include "warden/format/record.h"
#include "warden/trial/record_value.h"

namespace warden::trial {

StepReader Trial::ReaderOf(Step global_step) const {
  const std::shared_lock lock(mutex_);
  return {this, global_step,
          index_.ModeOf(global_step).value_or(ModeStep{Mode::kGlobal, global_step}),
          index_.RecordsAt(global_step)};
}

std::string Trial::TensorName(TensorId tensor) const {
  const std::shared_lock lock(mutex_);
  return index_.TensorName(tensor);
}

std::string Trial::WorkerName(WorkerId worker) const {
  const std::shared_lock lock(mutex_);
  return index_.worker_name(worker);
}

const Result<storage::Blob>& StepReader::ContentOf(const StepRecord& record) {
  const FileId id = record.location.file;
  for (const File& file : files_) {
    if (file.id == id) return file.content;
  }
  const auto object =
      trial_->OpenEventFile(trial_->FileOf(record.location), trial_->TensorName(record.tensor));
  files_.push_back({id, object.ok() ? object.value()->Read(0, object.value()->size())
                                    : Result<storage::Blob>(object.status())});
  return files_.back().content;
}

Result<TensorValue> StepReader::Read(const StepRecord& record) {
  const auto& [start, length] = std::pair(record.location.start, record.location.length);
  if (length == 0) {
    return Status(Code::kTensorUnavailableForStep, "only the shape was saved");
  }
  const Result<storage::Blob>& content = ContentOf(record);
  if (!content.ok()) return content.status();
  const storage::Blob& file = content.value();
  if (start > file.bytes.size() || length > file.bytes.size() - start) {
    return Status(Code::kCorrupt,
                  fmt::format("tensor '{}': the record at byte {} extends past the end of its file",
                              trial_->TensorName(record.tensor), start));
  }
  return ToTensorValue({file.bytes.subspan(start, length), file.owner}, start);
}

std::optional<double> StepReader::WallTime() const {
  const StepRecord* smallest = nullptr;
  for (const StepRecord& record : records_) {
    const uint64_t length = record.location.length;
    if (length > 0 && (smallest == nullptr || length < smallest->location.length)) {
      smallest = &record;
    }
  }
  if (smallest == nullptr) return std::nullopt;
  const Location& at = smallest->location;
  const auto object =
      trial_->OpenEventFile(trial_->FileOf(at), trial_->TensorName(smallest->tensor));
  if (!object.ok()) return std::nullopt;
  const auto blob = object.value()->Read(at.start, at.length);
  if (!blob.ok()) return std::nullopt;
  const auto payload = format::ParseRecord(blob.value().bytes, at.start);
  if (!payload.ok()) return std::nullopt;
  const auto event = format::ParseEvent(payload.value());
  if (!event.ok()) return std::nullopt;
  const double time = event.value().wall_time;
  return std::isfinite(time) && time > 0 ? std::optional(time) : std::nullopt;
}

}  // namespace warden::trial
