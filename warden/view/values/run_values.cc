#include "warden/view/values/run_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <span>

#include "warden/storage/local_store.h"
#include "warden/trial/record_value.h"
#include "warden/view/values/step_sampler.h"

namespace warden::view {
namespace {

// Of one record: whoever asks waits for it, and so does the service's end.
constexpr uint64_t kMostRecordBytes = uint64_t{2} << 30;

std::string Named(const RunValues::At& at) {
  return fmt::format("tensor '{}' at step {} of mode {}", at.tensor, at.step, ModeName(at.mode));
}

}  // namespace

RunValues::RunValues(const std::string& folder)
    : RunValues(folder, storage::NewLocalStore(folder)) {}

RunValues::RunValues(const std::string& folder, std::shared_ptr<const storage::Store> store)
    : store_(std::move(store)), root_(storage::NewLocalStore(folder)->Locate("")), modes_(store_) {}

Result<std::shared_ptr<const StepCatalog>> RunValues::Catalog() {
  const std::lock_guard lock(mutex_);
  auto taken = StepCatalog::Take(root_, catalog_);
  if (taken.ok()) catalog_ = taken.value();
  return taken;
}

Status RunValues::CheckWorker(const StepCatalog& catalog, const std::string& worker) const {
  if (worker.empty()) return Status();
  const std::vector<std::string> workers = catalog.Workers();
  if (std::binary_search(workers.begin(), workers.end(), worker)) return Status();
  constexpr size_t kMostNamed = 16;
  const std::span named(workers.data(), std::min(workers.size(), kMostNamed));
  return Status(Code::kInvalidWorker,
                fmt::format("unknown worker '{}'; expected one of: {}{}", worker,
                            fmt::join(named, ", "), workers.size() > kMostNamed ? ", ..." : ""));
}

std::optional<SavedTensor> RunValues::LookAt(const StepCatalog& catalog, size_t place,
                                             const Span& span, size_t* reads) {
  Step step = catalog.StepAt(place);
  *reads = 0;
  if (span.mode != Mode::kGlobal) {
    ++*reads;
    const auto at = modes_.ModeAt(catalog, place);
    if (!at || at->mode != span.mode) return std::nullopt;
    step = at->step;
  }
  for (const StepCatalog::File& file : catalog.FilesAt(place)) {
    if (!span.worker.empty() && file.worker != span.worker) continue;
    ++*reads;
    auto saved = ReadSavedRecords(*store_, file.key, span.tensor);
    // One damaged file does not hide what the others have.
    if (!saved.ok() || !saved.value()) continue;
    return SavedTensor{step, file.worker, *std::move(saved.value())};
  }
  return std::nullopt;
}

Status RunValues::NoSuchStep(const StepCatalog& catalog, const At& at, size_t next) {
  const auto step_of = [&](size_t place) -> std::optional<Step> {
    if (place >= catalog.size()) return std::nullopt;
    if (at.mode == Mode::kGlobal) return catalog.StepAt(place);
    const auto found = modes_.ModeAt(catalog, place);
    return found && found->mode == at.mode ? std::optional(found->step) : std::nullopt;
  };
  std::vector<Step> near;
  // Steps of other modes in between are few, or not worth looking behind.
  for (size_t place = next, tries = 0; near.empty() && place-- > 0 && tries < 1000; ++tries) {
    if (const auto step = step_of(place)) near.push_back(*step);
  }
  if (const auto step = step_of(next)) near.push_back(*step);
  const std::string_view which =
      near.empty() ? "; no saved steps nearby" : "; nearest saved steps: ";
  return Status(Code::kStepUnavailable,
                fmt::format("step {} of mode {} was not saved{}{}", at.step, ModeName(at.mode),
                            which, fmt::join(near, " and ")));
}

Result<SavedTensor> RunValues::Find(const At& at) {
  const auto taken = Catalog();
  if (!taken.ok()) return taken.status();
  const StepCatalog& catalog = *taken.value();
  if (Status status = CheckWorker(catalog, at.worker); !status.ok()) return status;
  const size_t place = modes_.FirstAtOrAfter(catalog, at.mode, at.step);
  if (place == catalog.size()) return NoSuchStep(catalog, at, place);
  const auto mode_step = modes_.ModeAt(catalog, place);
  const bool same = at.mode == Mode::kGlobal ? catalog.StepAt(place) == at.step
                                             : mode_step && mode_step->step == at.step;
  if (!same) return NoSuchStep(catalog, at, place);
  size_t reads = 0;
  auto saved = LookAt(catalog, place, {at.tensor, at.mode, at.worker}, &reads);
  if (saved) return *std::move(saved);
  const std::string by = at.worker.empty() ? "" : fmt::format(" by worker '{}'", at.worker);
  return Status(Code::kTensorUnavailableForStep, fmt::format("{} was not saved{}", Named(at), by));
}

Result<std::vector<SavedTensor>> RunValues::Sample(const Span& span) {
  const auto taken = Catalog();
  if (!taken.ok()) return taken.status();
  const StepCatalog& catalog = *taken.value();
  if (Status status = CheckWorker(catalog, span.worker); !status.ok()) return status;
  const auto place_of = [&](Step step) { return modes_.FirstAtOrAfter(catalog, span.mode, step); };
  const size_t begin = span.from ? place_of(*span.from) : 0;
  const bool bounded = span.to && *span.to < std::numeric_limits<Step>::max();
  const size_t end = bounded ? place_of(*span.to + 1) : catalog.size();
  const auto look = [&](size_t place, size_t* reads) {
    return LookAt(catalog, place, span, reads);
  };
  StepSampler sampler(catalog, &modes_, span.mode, look);
  auto found = sampler.Take(begin, std::max(begin, end), span.most);
  if (!found.empty()) return found;
  return Status(
      Code::kTensorUnavailable,
      fmt::format("tensor '{}' not found in mode {}{}{}", span.tensor, ModeName(span.mode),
                  span.from ? fmt::format(" from step {}", *span.from) : "",
                  span.to ? fmt::format(" to step {}", *span.to) : ""));
}

Result<trial::TensorValue> RunValues::ReadRecord(const SavedRecords& records,
                                                 const RecordRange& range) const {
  const std::string place = store_->Locate(records.event_file);
  if (range.length > kMostRecordBytes) {
    return Status(Code::kInvalid, fmt::format("{}: a record of {} bytes is too large to show",
                                              place, range.length));
  }
  const auto object = store_->Open(records.event_file);
  if (!object.ok() && object.status().code() == Code::kNotFound) {
    return Status(Code::kTensorUnavailableForStep, fmt::format("{} is missing", place));
  }
  if (!object.ok()) return object.status();
  const auto blob = object.value()->Read(range.start, range.length);
  if (!blob.ok()) return Status(Code::kCorrupt, blob.status().message());
  auto value = trial::ToTensorValue(blob.value(), range.start);
  return value.ok() ? value : value.status().WithContext(place);
}

Result<trial::TensorValue> RunValues::Read(const SavedTensor& saved,
                                           const std::string& tensor) const {
  const std::string context = fmt::format("tensor '{}' at step {}", tensor, saved.step);
  if (!saved.records.raw) {
    const bool shape_only = saved.records.reductions.empty();
    return Status(
        Code::kTensorUnavailableForStep,
        fmt::format("{} was saved as {} only", context, shape_only ? "a shape" : "reductions"));
  }
  auto value = ReadRecord(saved.records, *saved.records.raw);
  return value.ok() ? value : value.status().WithContext(context);
}

Result<std::optional<double>> RunValues::ReadReduction(const SavedTensor& saved,
                                                       Reduction reduction) const {
  for (const auto& [saved_reduction, range] : saved.records.reductions) {
    if (saved_reduction != reduction) continue;
    const auto value = ReadRecord(saved.records, range);
    if (!value.ok()) return value.status();
    const auto number = trial::FirstNumber(value.value());
    if (!number.ok()) return number.status();
    return std::optional(number.value());
  }
  return std::optional<double>();
}

}  // namespace warden::view
