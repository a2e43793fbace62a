// The input as the files that other programs and people leave in the folder of a run: what rules
// found, labels, marks, records of the command, baselines, marks of a launch, facts of a training.

#include <cmath>
#include <filesystem>
#include <string>

#include "fuzz/check.h"
#include "fuzz/memory_folder.h"
#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/capture/claim.h"
#include "warden/capture/launch_mark.h"
#include "warden/format/layout.h"
#include "warden/rules/baseline/baseline.h"
#include "warden/rules/engine/records.h"
#include "warden/rules/finding.h"
#include "warden/rules/first_nan.h"
#include "warden/storage/mem_store.h"
#include "warden/trial/run_label.h"
#include "warden/trial/run_marks.h"
#include "warden/trial/run_origin.h"
#include "warden/trial/run_record.h"

namespace warden::fuzz {
namespace {

namespace fs = std::filesystem;

// A run whose files are names of one file, which has the input.
class Run {
 public:
  Run() {
    Write(File(), "");
    for (const char* name :
         {"warden/label.json", "warden/marks.json", "warden/run.json", "warden/origin.json",
          "rule-output/Rule/status.json", "rule-output/Rule/firings.jsonl", "baseline.json"}) {
      fs::create_directories((folder_.path() / name).parent_path());
      fs::create_hard_link(File(), folder_.path() / name);
    }
  }

  fs::path File() const { return folder_.path() / "input"; }
  std::string path() const { return folder_.path(); }

 private:
  MemoryFolder folder_;
};

// Labels, marks and the record of the command come back from what is written of them.
void ReadNotes(const std::string& run) {
  const auto label = trial::ReadRunLabel(run);
  if (!label.ok()) {
    Check(label.status().code() == Code::kCorrupt);
    Check(label.status().message().starts_with(run));
  } else if (label.value()) {
    Check(!label.value()->since || *label.value()->since >= 0);
  }
  const trial::RunMarks marks = trial::ReadRunMarks(run);
  const auto again = trial::ChangeMarks({}, trial::ToJson(marks));
  Check(again.ok() && again.value() == marks);
  if (const auto record = trial::ReadRunRecord(run)) {
    for (const auto& [name, value] : record->HyperParameters()) Check(!name.empty());
    Check(record->command.empty() ||
          record->CommandLine().find(record->Script()) != std::string::npos);
    const auto clean = trial::WithoutSecrets(record->command);
    Check(clean.size() == record->command.size() && trial::WithoutSecrets(clean) == clean);
  }
  Check(trial::ReadRunOrigin(run).is_object());
}

// What rules found is written as it was read.
void ReadRecords(const std::string& run) {
  const std::string folder = rules::RecordsFolder(run);
  Check(folder == run + "/rule-output" && rules::Records::Open(folder).ok());
  for (const rules::RuleReport& report : rules::ReadRecordedReports(run)) {
    Check(!report.name.empty() && !report.rule.empty());
    const auto again = rules::RuleReportFromJson(rules::ToJson(report));
    Check(again.ok() &&
          rules::ToJson(again.value())["findings"] == rules::ToJson(report)["findings"]);
  }
}

void UseAsFinding(const Json& json) {
  const auto finding = rules::FindingFromJson(json);
  if (!finding.ok()) {
    Check(finding.status().code() == Code::kCorrupt);
    return;
  }
  const auto again = rules::FindingFromJson(rules::ToJson(finding.value()));
  Check(again.ok() && rules::ToJson(again.value()) == rules::ToJson(finding.value()));
  Check(!rules::BeginText(finding.value()).empty());
}

// Every step up to the last has a phase, and every phase a distance.
void ReadBaselineOf(const std::string& run) {
  const auto baseline = rules::ReadBaseline(run + "/baseline.json");
  if (!baseline.ok()) {
    Check(baseline.status().code() == Code::kCorrupt);
    Check(baseline.status().message().starts_with(run));
    return;
  }
  const auto again = rules::BaselineFromJson(rules::ToJson(baseline.value()));
  Check(again.ok() && rules::ToJson(again.value()) == rules::ToJson(baseline.value()));
  const auto phase = baseline.value().PhaseOf(baseline.value().last_step);
  Check(phase && *phase < baseline.value().phases.size());
  for (const rules::TensorBands& tensor : baseline.value().tensors) {
    for (const rules::BandSeries& series : tensor.series) {
      Check(series.bands.size() == baseline.value().phases.size());
      if (const auto& band = series.bands[*phase]) Check(series.Distance(*phase, band->low) == 0);
    }
  }
}

void ReadMark(std::string_view text) {
  const auto store = storage::NewMemStore();
  Check(store->Put("mark", AsBytes(text)).ok());
  const std::string id = capture::ReadLaunchMark(*store, "mark");
  Check(capture::SetLaunchMark(store.get(), "mark", id).ok());
  Check(capture::ReadLaunchMark(*store, "mark") == id);
  Check(store->Put(format::kClaim, AsBytes(text)).ok());
  (void)capture::Claim::HolderIsGone(*store);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warden;
  static const fuzz::Run run;
  const std::string_view text = fuzz::Text(data, size);
  fuzz::Write(run.File(), text);
  fuzz::ReadNotes(run.path());
  fuzz::ReadRecords(run.path());
  fuzz::ReadBaselineOf(run.path());
  fuzz::ReadMark(text);
  const std::string diff = trial::DiffWithoutSecrets(text);
  fuzz::Check(trial::DiffWithoutSecrets(diff) == diff);
  if (const auto json = ParseJson(text); json.ok()) {
    fuzz::UseAsFinding(json.value());
    const rules::FirstNan found = rules::FirstNanOf(json.value());
    fuzz::Check(found.what.size() + found.tensor.size() <= text.size());
  }
  return 0;
}
