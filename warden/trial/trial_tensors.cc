// The part of Trial that answers questions about tensors and reads their values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/base/pattern.h"
#include "warden/format/event_message.h"
#include "warden/format/layout.h"
#include "warden/format/record.h"
#include "warden/stats/reductions.h"
#include "warden/trial/record_value.h"
#include "warden/trial/trial.h"

namespace warden::trial {
namespace {

Status NoSuchTensor(std::string_view tensor) {
  return Status(Code::kTensorUnavailable, fmt::format("tensor '{}' was not saved", tensor));
}

std::string AtStep(std::string_view tensor, Step step, Mode mode) {
  return fmt::format("tensor '{}' at step {} of mode {}", tensor, step, ModeName(mode));
}

}  // namespace

Result<TensorValue> ToTensorValue(const storage::Blob& blob, uint64_t offset) {
  auto payload = format::ParseRecord(blob.bytes, offset);
  if (!payload.ok()) return payload.status();
  auto event = format::ParseEvent(payload.value());
  if (!event.ok()) return event.status();
  if (event.value().values.empty() ||
      event.value().values[0].kind != format::EventValue::Kind::kTensor) {
    return Status(Code::kCorrupt, fmt::format("the record at byte {} contains no tensor", offset));
  }
  format::EventValue& saved = event.value().values[0];
  TensorValue value;
  value.dtype = saved.dtype;
  value.shape = std::move(saved.shape);
  value.strings.assign(saved.strings.begin(), saved.strings.end());
  if (saved.own_content.empty()) {
    value.data = saved.content;
    value.owner = blob.owner;
  } else {
    auto own = std::make_shared<std::vector<std::byte>>(std::move(saved.own_content));
    value.data = *own;
    value.owner = std::move(own);
  }
  return value;
}

Result<double> FirstNumber(const TensorValue& value) {
  const stats::TensorRef ref = value.ref();
  if (ref.count() == 0) return Status(Code::kCorrupt, "a saved reduction has no value");
  const int64_t one = 1;
  return stats::ComputeReduction({ref.data, ref.dtype, std::span(&one, 1)}, {ReductionOp::kMin});
}

Result<std::vector<std::string>> Trial::TensorNames(const NameFilter& filter) const {
  if (filter.collection && !filter.regex.empty()) {
    return Status(Code::kInvalid, "got a collection and patterns; expected only one of them");
  }
  config::Collection wanted;
  if (filter.collection) {
    const auto found = collections().find(*filter.collection);
    if (found == collections().end()) return std::vector<std::string>();
    wanted = found->second;
  }
  if (!filter.regex.empty()) wanted.include_regex = filter.regex;
  const auto matcher = config::CollectionMatcher::Make(wanted);
  if (!matcher.ok()) return matcher.status();
  const bool match = filter.collection || !filter.regex.empty();

  const std::shared_lock lock(mutex_);
  std::optional<Step> global;
  if (filter.step) {
    global = index_.GlobalStep(filter.mode, *filter.step);
    if (!global) return std::vector<std::string>();
  }
  std::vector<std::string> names;
  for (TensorId id = 0; id < index_.tensor_count(); ++id) {
    const std::string& name = index_.TensorName(id);
    if (global && !index_.SavedAt(id, *global)) continue;
    if (!global && filter.mode != Mode::kGlobal && !index_.SavedInMode(id, filter.mode)) continue;
    if (filter.worker && !index_.SavedByWorker(id, *filter.worker, global)) continue;
    if (match && !matcher.value().Matches(name)) continue;
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<std::string>> Trial::CollectionsOf(std::string_view tensor) const {
  std::vector<std::string> names;
  for (const auto& [name, collection] : collections()) {
    const auto matcher = config::CollectionMatcher::Make(collection);
    if (!matcher.ok()) return matcher.status();
    if (matcher.value().Matches(tensor)) names.push_back(name);
  }
  return names;
}

bool Trial::HasTensor(std::string_view tensor) const {
  const std::shared_lock lock(mutex_);
  return index_.FindTensor(tensor).has_value();
}

Result<std::string> Trial::OriginalName(std::string_view tensor) const {
  const std::shared_lock lock(mutex_);
  const auto id = index_.FindTensor(tensor);
  if (!id) return NoSuchTensor(tensor);
  return index_.OriginalName(*id);
}

Result<std::vector<Step>> Trial::TensorSteps(std::string_view tensor, Mode mode,
                                             bool include_incomplete) const {
  const std::shared_lock lock(mutex_);
  const auto id = index_.FindTensor(tensor);
  if (!id) return NoSuchTensor(tensor);
  std::vector<Step> steps;
  for (const Step global : index_.StepsOf(*id)) {
    if (!include_incomplete && !index_.IsComplete(global)) continue;
    const ModeStep at = *index_.ModeOf(global);
    if (mode == Mode::kGlobal) {
      steps.push_back(global);
    } else if (at.mode == mode) {
      steps.push_back(at.step);
    }
  }
  return steps;
}

Result<std::vector<std::string>> Trial::TensorWorkers(std::string_view tensor, Step step,
                                                      Mode mode) const {
  const std::shared_lock lock(mutex_);
  const auto id = index_.FindTensor(tensor);
  if (!id) return NoSuchTensor(tensor);
  const auto global = index_.GlobalStep(mode, step);
  auto workers = global ? index_.WorkersOf(*id, *global) : std::vector<std::string>();
  if (workers.empty()) {
    return Status(Code::kTensorUnavailableForStep, AtStep(tensor, step, mode) + " was not saved");
  }
  return workers;
}

Status Trial::CheckStepState(std::string_view tensor, Step step, Mode mode) const {
  switch (HasPassedStepLocked(step, mode)) {
    case StepState::kUnavailable:
      return Status(Code::kStepUnavailable,
                    fmt::format("step {} of mode {} was not saved", step, ModeName(mode)));
    case StepState::kNotYetAvailable:
      return Status(Code::kStepNotYetAvailable,
                    fmt::format("step {} of mode {} is not complete yet", step, ModeName(mode)));
    case StepState::kAvailable: break;
  }
  return Status(Code::kTensorUnavailableForStep, AtStep(tensor, step, mode) + " was not saved");
}

Result<Trial::Located> Trial::Locate(std::string_view tensor, Step step, Mode mode,
                                     std::string_view worker) const {
  const auto id = index_.FindTensor(tensor);
  if (!id) return NoSuchTensor(tensor);
  const auto global = index_.GlobalStep(mode, step);
  if (!global) return CheckStepState(tensor, step, mode);
  std::string who(worker);
  const auto workers = index_.WorkersOf(*id, *global);
  if (workers.empty()) return CheckStepState(tensor, step, mode);
  if (who.empty()) who = workers.front();
  auto saved = index_.Find(*id, *global, who);
  if (!saved) {
    return Status(Code::kInvalidWorker,
                  fmt::format("worker '{}' did not save {}; workers that did: {}", who,
                              AtStep(tensor, step, mode), fmt::join(workers, ", ")));
  }
  return Located{std::move(*saved), *global, std::move(who)};
}

bool Trial::WillNotCome(const StepFile& file) const {
  if (JobEnded()) return true;
  const std::string worker = [&] {
    const std::shared_lock lock(mutex_);
    return index_.worker_name(file.worker);
  }();
  const auto later = store_->List(format::kEventsPrefix, file.event_file);
  if (!later.ok()) return true;
  return std::any_of(later.value().begin(), later.value().end(), [&](const std::string& key) {
    const auto name = format::ParseStepFileName(key);
    return name && name->worker == worker && name->step > file.step;
  });
}

Result<std::shared_ptr<const storage::Object>> Trial::OpenEventFile(const StepFile& file,
                                                                    std::string_view tensor) const {
  for (int attempt = 0;; ++attempt) {
    auto object = store_->Open(file.event_file);
    if (object.ok() || object.status().code() != Code::kNotFound) return object;
    if (attempt >= options_.missing_file_retries || WillNotCome(file)) {
      return Status(Code::kTensorUnavailableForStep,
                    fmt::format("tensor '{}' is lost: {} is missing", tensor,
                                store_->Locate(file.event_file)));
    }
    if (Status status = Pause(options_.retry_interval); !status.ok()) return status;
  }
}

StepFile Trial::FileOf(const Location& location) const {
  const std::shared_lock lock(mutex_);
  return index_.file(location.file);
}

Result<TensorValue> Trial::ReadRecord(const Location& location, const StepFile& file,
                                      std::string_view tensor) const {
  auto object = event_files_.Get(location.file);
  if (object == nullptr) {
    auto opened = OpenEventFile(file, tensor);
    if (!opened.ok()) return opened.status();
    object = std::move(opened.value());
    event_files_.Put(location.file, object);
  }
  auto blob = object->Read(location.start, location.length);
  if (!blob.ok()) {
    return Status(Code::kCorrupt, fmt::format("tensor '{}': {}", tensor, blob.status().message()));
  }
  auto value = ToTensorValue(blob.value(), location.start);
  if (!value.ok()) {
    return value.status().WithContext(
        fmt::format("tensor '{}' in {}", tensor, store_->Locate(file.event_file)));
  }
  return value;
}

Result<TensorValue> Trial::ReadSlot(std::string_view tensor, Step step, Mode mode,
                                    std::string_view worker, Slot slot) const {
  Location location;
  StepFile file;
  {
    const std::shared_lock lock(mutex_);
    const auto located = Locate(tensor, step, mode, worker);
    if (!located.ok()) return located.status();
    const SavedTensor& saved = located.value().saved;
    const Location* found = slot == kRawSlot ? saved.raw : nullptr;
    for (const Location* reduction : saved.reductions) {
      if (reduction->slot == slot) found = reduction;
    }
    if (found == nullptr) {
      const bool only_reductions = slot == kRawSlot && !saved.reductions.empty();
      return Status(
          Code::kTensorUnavailableForStep,
          AtStep(tensor, step, mode) +
              (only_reductions    ? " was saved as reductions only"
               : slot == kRawSlot ? " was saved as a shape only"
                                  : " has no saved " + ReductionName(Reduction::FromIndex(slot))));
    }
    location = *found;
    file = index_.file(location.file);
  }
  return ReadRecord(location, file, tensor);
}

Result<TensorValue> Trial::Value(std::string_view tensor, Step step, Mode mode,
                                 std::string_view worker) const {
  return ReadSlot(tensor, step, mode, worker, kRawSlot);
}

Result<std::vector<int64_t>> Trial::Shape(std::string_view tensor, Step step, Mode mode,
                                          std::string_view worker) const {
  {
    const std::shared_lock lock(mutex_);
    const auto located = Locate(tensor, step, mode, worker);
    if (!located.ok()) return located.status();
    if (located.value().saved.shape != nullptr) return *located.value().saved.shape;
  }
  auto value = Value(tensor, step, mode, worker);
  if (value.ok()) return std::move(value.value().shape);
  if (value.status().code() != Code::kTensorUnavailableForStep) return value.status();
  return Status(Code::kShapeUnavailableForStep,
                AtStep(tensor, step, mode) + ": no shape was saved");
}

Result<std::vector<Reduction>> Trial::SavedReductions(std::string_view tensor, Step step, Mode mode,
                                                      std::string_view worker) const {
  const std::shared_lock lock(mutex_);
  const auto located = Locate(tensor, step, mode, worker);
  if (!located.ok()) return located.status();
  std::vector<Reduction> reductions;
  for (const Location* location : located.value().saved.reductions) {
    reductions.push_back(Reduction::FromIndex(location->slot));
  }
  return reductions;
}

Result<TensorValue> Trial::SavedReduction(std::string_view tensor, Step step, Reduction reduction,
                                          Mode mode, std::string_view worker) const {
  return ReadSlot(tensor, step, mode, worker, static_cast<Slot>(reduction.index()));
}

Result<double> Trial::ReductionValue(std::string_view tensor, Step step, Reduction reduction,
                                     Mode mode, std::string_view worker) const {
  const auto saved = SavedReductions(tensor, step, mode, worker);
  if (!saved.ok()) return saved.status();
  const auto& have = saved.value();
  if (std::find(have.begin(), have.end(), reduction) != have.end()) {
    const auto value = SavedReduction(tensor, step, reduction, mode, worker);
    return value.ok() ? FirstNumber(value.value()) : value.status();
  }
  const auto value = Value(tensor, step, mode, worker);
  if (!value.ok()) return value.status();
  return stats::ComputeReduction(value.value().ref(), reduction);
}

}  // namespace warden::trial
