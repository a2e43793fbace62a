#include "warden/trial/scalar_copy.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "warden/format/event_message.h"
#include "warden/format/layout.h"
#include "warden/format/record.h"
#include "warden/trial/record_value.h"
#include "warden/trial/step_reader.h"

namespace warden::trial {
namespace {

// A record of one element is its name and some hundred bytes. Longer ones are not read.
constexpr uint64_t kLongestScalarRecord = 4096;

// The time at which the record was saved; 0 if it cannot be read.
double WallTimeOf(Bytes record) {
  const auto payload = format::ParseRecord(record);
  if (!payload.ok()) return 0;
  const auto event = format::ParseEvent(payload.value());
  return event.ok() ? event.value().wall_time : 0;
}

}  // namespace

ScalarCopy::ScalarCopy(std::shared_ptr<const storage::Store> store, const Trial* trial,
                       std::string folder)
    : store_(std::move(store)), trial_(trial), folder_(std::move(folder)) {}

std::map<std::string, std::string> ScalarCopy::RecordsAt(Step step, uint64_t* points) const {
  std::map<std::string, std::string> encoded;
  std::map<WorkerId, storage::Blob> files;
  const StepReader reader = trial_->ReaderOf(step);
  for (const StepRecord& record : reader.records()) {
    const Location& at = record.location;
    if (at.slot != kRawSlot || at.length == 0 || at.length > kLongestScalarRecord) continue;
    const std::string worker = trial_->WorkerName(at.worker);
    auto file = files.find(at.worker);
    if (file == files.end()) {
      auto blob = store_->ReadAll(format::EventFileKey(step, worker));
      file = files.emplace(at.worker, blob.ok() ? std::move(blob.value()) : storage::Blob()).first;
    }
    const Bytes bytes = file->second.bytes;
    if (at.start > bytes.size() || at.length > bytes.size() - at.start) continue;
    const storage::Blob blob{bytes.subspan(at.start, at.length), file->second.owner};
    const auto value = ToTensorValue(blob, at.start);
    if (!value.ok() || value.value().dtype == DType::kString || value.value().ref().count() != 1) {
      continue;
    }
    const auto number = FirstNumber(value.value());
    if (!number.ok()) continue;
    format::EncodeScalarRecord(WallTimeOf(blob.bytes), step, trial_->TensorName(record.tensor),
                               static_cast<float>(number.value()), &encoded[worker]);
    ++*points;
  }
  return encoded;
}

Status ScalarCopy::Append(Mode mode, const std::string& worker, const std::string& records) const {
  namespace fs = std::filesystem;
  fs::path folder = fs::path(folder_) / ModeName(mode);
  if (trial_->num_workers() > 1) {
    std::string name = worker;
    for (char& c : name) c = c == '/' ? '_' : c;
    folder /= name;
  }
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path path = folder / "events.out.tfevents.0.warden";
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file.write(records.data(), std::ssize(records));
  file.close();
  if (file) return Status();
  return Status(Code::kIo, fmt::format("cannot write {}", path.string()));
}

Result<uint64_t> ScalarCopy::Update() {
  uint64_t points = 0;
  // Of each mode and worker, gathered so that a file is opened once and not for each step.
  std::map<std::pair<Mode, std::string>, std::string> gathered;
  for (const Step step : trial_->StepsAfter(last_)) {
    const auto mode = trial_->ModeOf(step);
    for (auto& [worker, records] : RecordsAt(step, &points)) {
      gathered[{mode ? mode->mode : Mode::kGlobal, worker}] += records;
    }
    last_ = step;
  }
  for (const auto& [of, records] : gathered) {
    if (Status status = Append(of.first, of.second, records); !status.ok()) return status;
  }
  return points;
}

}  // namespace warden::trial
