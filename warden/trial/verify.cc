#include "warden/trial/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "warden/config/manifest.h"
#include "warden/format/crc32c.h"
#include "warden/format/index_file.h"
#include "warden/format/layout.h"
#include "warden/format/own_checksum.h"
#include "warden/format/profiler_layout.h"
#include "warden/trial/verify_records.h"

namespace warden::trial {
namespace {

constexpr std::string_view kManifestsFolder = "collections/";
constexpr std::string_view kTensorBoardFolder = "tensorboard/";
// Enough to see what is going on; nobody reads more.
constexpr size_t kMostKept = 10'000;

class Verifier {
 public:
  Verifier(const storage::Store& store, const ProgressCallback& progress)
      : store_(store), progress_(progress) {}

  VerifyReport Run();

 private:
  void Damage(std::string_view key, std::optional<uint64_t> offset, std::string message);
  void Note(std::string_view key, std::string message);
  TellDamage DamageIn(const std::string& key);

  void CheckFile(const std::string& key);
  void CheckManifest(const std::string& key);
  void CheckIndex(const std::string& key);
  // Of a file that could be parsed.
  void CheckOwnChecksum(const std::string& key, std::string_view text);
  void CheckTensorBoard(const std::string& key);
  void CompareEvents(const std::string& index_key, const format::IndexFile& index, Step step);
  void CheckEventsWithoutIndex();
  void CheckWorkers();
  void CheckMarks();

  // Tells if the file has become shorter than what was read of it. To be asked after the last look.
  void CheckStillWhole(const std::string& key, const storage::Blob& blob);

  // The whole file, counted; nothing, and told, if it cannot be read.
  std::optional<storage::Blob> Read(const std::string& key);

  const storage::Store& store_;
  const ProgressCallback& progress_;
  VerifyReport report_;
  bool ended_ = false;
  format::IndexParser index_parser_;
  std::map<std::string, bool> event_files_;  // Whether an index file names it.
  std::set<std::string> manifest_workers_;
  std::set<int> worker_counts_;  // As the manifests say.
  std::map<Step, std::set<std::string>> index_workers_;
};

VerifyReport Verifier::Run() {
  report_.run = store_.Locate("");
  const auto keys = store_.List("");
  if (!keys.ok()) {
    Damage("", std::nullopt, keys.status().message());
    return std::move(report_);
  }
  ended_ = store_.Exists(format::kEndMarker);
  report_.files = keys.value().size();
  // Known before any index file is looked at, which asks for them.
  for (const std::string& key : keys.value()) {
    if (key.starts_with(format::kEventsPrefix)) event_files_.emplace(key, false);
  }
  uint64_t done = 0;
  for (const std::string& key : keys.value()) {
    if (progress_) progress_({done++, report_.files, report_.bytes});
    CheckFile(key);
  }
  CheckEventsWithoutIndex();
  CheckWorkers();
  CheckMarks();
  return std::move(report_);
}

void Verifier::Damage(std::string_view key, std::optional<uint64_t> offset, std::string message) {
  if (report_.problem_count++ >= kMostKept) return;
  report_.problems.push_back({store_.Locate(key), offset, std::move(message)});
}

void Verifier::Note(std::string_view key, std::string message) {
  if (report_.notes.size() >= kMostKept) return;
  report_.notes.push_back({store_.Locate(key), std::nullopt, std::move(message)});
}

TellDamage Verifier::DamageIn(const std::string& key) {
  return [this, key](uint64_t offset, std::string message) {
    Damage(key, offset, std::move(message));
  };
}

std::optional<storage::Blob> Verifier::Read(const std::string& key) {
  auto blob = store_.ReadAll(key);
  if (!blob.ok()) {
    Damage(key, std::nullopt, blob.status().message());
    return std::nullopt;
  }
  report_.bytes += blob.value().bytes.size();
  return std::move(blob.value());
}

void Verifier::CheckStillWhole(const std::string& key, const storage::Blob& blob) {
  const auto object = store_.Open(key);
  if (!object.ok() || object.value()->size() >= blob.bytes.size()) return;
  Damage(key, object.value()->size(), "the file was shortened while it was read");
}

void Verifier::CheckFile(const std::string& key) {
  if (key.starts_with(kManifestsFolder)) {
    CheckManifest(key);
  } else if (key.starts_with(format::kIndexPrefix)) {
    CheckIndex(key);
  } else if (key.starts_with(kTensorBoardFolder)) {
    CheckTensorBoard(key);
  } else if (key.starts_with(format::kEventsPrefix)) {
    if (!format::ParseStepFileName(key)) Note(key, "is not an event file");
  } else if (key != format::kEndMarker && key != format::kClaim &&
             !key.starts_with(format::kOwnPrefix) && !key.starts_with(format::kRuleOutputPrefix) &&
             !key.starts_with(format::kProfilerOutput)) {
    Note(key, "is not a file of a run");
  }
}

void Verifier::CheckManifest(const std::string& key) {
  const auto worker = format::ParseManifestKey(key);
  if (!worker || !key.starts_with(format::kCollectionsPrefix)) {
    return Note(key, "is not a collections file");
  }
  manifest_workers_.insert(*worker);
  const auto blob = Read(key);
  if (!blob) return;
  const auto manifest = config::ParseManifest(AsText(blob->bytes));
  if (!manifest.ok()) return Damage(key, std::nullopt, manifest.status().message());
  CheckOwnChecksum(key, AsText(blob->bytes));
  worker_counts_.insert(manifest.value().num_workers);
}

void Verifier::CheckIndex(const std::string& key) {
  const auto name = format::ParseStepFileName(key);
  if (!name) return Note(key, "is not an index file");
  index_workers_[name->step].insert(name->worker);
  const auto blob = Read(key);
  if (!blob) return;
  const auto index = index_parser_.Parse(AsText(blob->bytes));
  if (!index.ok()) {
    // Its event file has an index, if a broken one; that is told once.
    const auto events = event_files_.find(format::EventFileKey(name->step, name->worker));
    if (events != event_files_.end()) events->second = true;
    return Damage(key, std::nullopt, index.status().message());
  }
  CheckOwnChecksum(key, AsText(blob->bytes));
  CompareEvents(key, *index.value(), name->step);
}

void Verifier::CheckOwnChecksum(const std::string& key, std::string_view text) {
  if (format::CheckOwnChecksum(text) == format::OwnChecksum::kWrong) {
    Damage(key, std::nullopt, "wrong checksum: the file was changed after it was written");
  }
}

void Verifier::CompareEvents(const std::string& index_key, const format::IndexFile& index,
                             Step step) {
  const std::string key(index.event_file);
  if (key.empty()) {
    if (!index.entries.empty()) Damage(index_key, std::nullopt, "lists tensors but no event file");
    return;
  }
  const auto known = event_files_.find(key);
  if (known == event_files_.end()) {
    return Damage(index_key, std::nullopt,
                  fmt::format("its event file {} is missing", store_.Locate(key)));
  }
  if (std::exchange(known->second, true)) {
    return Damage(index_key, std::nullopt,
                  fmt::format("{} already has another index file", store_.Locate(key)));
  }
  const auto blob = Read(key);
  if (!blob) return;
  const uint64_t damage_before = report_.problem_count;
  const TellDamage tell = DamageIn(key);
  std::vector<FoundRecord> records = WalkRecords(blob->bytes, format::Check::kFast, tell);
  report_.records += records.size();
  CompareWithIndex(index, step, blob->bytes, &records, tell);
  for (const FoundRecord& record : records) {
    if (record.named || !record.whole || !record.has_value) continue;
    tell(record.start, fmt::format("no index entry for tensor '{}'", record.tag));
  }
  CheckStillWhole(key, *blob);
  // Only what nothing else has found: a changed value, mostly.
  if (report_.problem_count == damage_before && index.event_file_crc32c &&
      format::Crc32c(blob->bytes) != *index.event_file_crc32c) {
    Damage(key, std::nullopt, "wrong checksum: values were changed after they were written");
  }
}

void Verifier::CheckEventsWithoutIndex() {
  // The last step of a run that was killed, or is being written, has its index file last.
  const Step last = index_workers_.empty() ? -1 : index_workers_.rbegin()->first;
  for (const auto& [key, has_index] : event_files_) {
    const auto name = format::ParseStepFileName(key);
    if (has_index || !name) continue;
    if (const auto blob = Read(key)) {
      report_.records += WalkRecords(blob->bytes, format::Check::kFast, DamageIn(key)).size();
      CheckStillWhole(key, *blob);
    }
    constexpr char kMissing[] = "no index file refers to it";
    if (name->step > last && !ended_) {
      Note(key, fmt::format("{}: its step was not finished", kMissing));
    } else {
      Damage(key, std::nullopt, kMissing);
    }
  }
}

void Verifier::CheckTensorBoard(const std::string& key) {
  if (!key.ends_with(".tfevents") && key.find(".tfevents.") == std::string::npos) {
    return Note(key, "is not a TensorBoard file");
  }
  if (const auto blob = Read(key)) {
    report_.records += WalkRecords(blob->bytes, format::Check::kFull, DamageIn(key)).size();
    CheckStillWhole(key, *blob);
  }
}

void Verifier::CheckWorkers() {
  if (worker_counts_.size() > 1) {
    Damage(format::kCollectionsPrefix, std::nullopt,
           fmt::format("collections files disagree on the number of workers: {}",
                       fmt::join(worker_counts_, ", ")));
  }
  const auto expected =
      static_cast<size_t>(worker_counts_.empty() ? 1 : std::max(1, *worker_counts_.rbegin()));
  if (manifest_workers_.size() < expected) {
    const std::string found =
        fmt::format("found {} of {} collections files", manifest_workers_.size(), expected);
    if (ended_) {
      Damage(format::kCollectionsPrefix, std::nullopt, found);
    } else {
      Note(format::kCollectionsPrefix, found);
    }
  }
  const auto partial = std::count_if(index_workers_.begin(), index_workers_.end(),
                                     [&](const auto& at) { return at.second.size() < expected; });
  if (partial > 0) {
    Note(format::kIndexPrefix, fmt::format("{} of {} steps were not written by all {} workers",
                                           partial, index_workers_.size(), expected));
  }
}

void Verifier::CheckMarks() {
  const bool claimed = store_.Exists(format::kClaim);
  if (!ended_) {
    Note("", claimed ? "no end marker, but a claim file: the training is running or was killed"
                     : "no end marker: the training is running or was killed");
  } else if (claimed) {
    Note(format::kClaim, "claim file left behind by a finished training");
  }
}

}  // namespace

VerifyReport VerifyRun(const storage::Store& store, const ProgressCallback& progress) {
  return Verifier(store, progress).Run();
}

}  // namespace warden::trial
