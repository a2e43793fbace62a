#include <algorithm>
#include <map>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/table.h"
#include "warden/format/layout.h"

namespace warden::cli {
namespace {

struct TrialStepsOptions {
  std::string run;
  Mode mode = Mode::kGlobal;
  bool incomplete = false;
  bool json = false;
};

struct SavedStepRow {
  Step step = 0;
  trial::ModeStep at;
  std::vector<std::string> workers;
  uint64_t tensors = 0;
  bool complete = false;
};

// Which worker wrote which step, from the names of the index files.
std::map<Step, std::vector<std::string>> WorkersByStep(const storage::Store& store) {
  std::map<Step, std::vector<std::string>> workers;
  const auto keys = store.List(format::kIndexPrefix);
  if (!keys.ok()) return workers;
  for (const std::string& key : keys.value()) {
    if (auto name = format::ParseStepFileName(key)) {
      workers[name->step].push_back(std::move(name->worker));
    }
  }
  return workers;
}

Result<std::map<Step, uint64_t>> TensorsByStep(const trial::Trial& trial) {
  const auto names = trial.TensorNames();
  if (!names.ok()) return names.status();
  std::map<Step, uint64_t> counts;
  for (const std::string& name : names.value()) {
    const auto steps = trial.TensorSteps(name, Mode::kGlobal, /*include_incomplete=*/true);
    if (!steps.ok()) return steps.status();
    for (const Step step : steps.value()) ++counts[step];
  }
  return counts;
}

Result<std::vector<SavedStepRow>> StepRows(const Run& run, const TrialStepsOptions& options) {
  auto tensors = TensorsByStep(*run.trial);
  if (!tensors.ok()) return tensors.status();
  const auto workers = WorkersByStep(*run.store);
  const std::vector<Step> complete = run.trial->Steps();
  std::vector<SavedStepRow> rows;
  for (const Step step : run.trial->Steps(Mode::kGlobal, options.incomplete)) {
    const auto at = run.trial->ModeOf(step);
    if (!at || (options.mode != Mode::kGlobal && at->mode != options.mode)) continue;
    SavedStepRow row{step, *at, {}, tensors.value()[step], false};
    if (const auto found = workers.find(step); found != workers.end()) row.workers = found->second;
    row.complete = std::binary_search(complete.begin(), complete.end(), step);
    rows.push_back(std::move(row));
  }
  return rows;
}

void PrintRowsAsJson(const std::vector<SavedStepRow>& rows, Output* out) {
  Json list = Json::array();
  for (const SavedStepRow& row : rows) {
    list.push_back({{"step", row.step},
                    {"mode", ModeName(row.at.mode)},
                    {"mode_step", row.at.step},
                    {"workers", row.workers},
                    {"tensors", row.tensors},
                    {"complete", row.complete}});
  }
  out->PrintJson(list);
}

Result<int> ListSteps(const TrialStepsOptions& options, Output* out) {
  const auto run = OpenRun(options.run);
  if (!run.ok()) return run.status();
  const auto rows = StepRows(run.value(), options);
  if (!rows.ok()) return rows.status();
  TellProblems(run.value(), out);
  if (options.json) {
    PrintRowsAsJson(rows.value(), out);
    return kDone;
  }
  Table table({{"STEP", Align::kRight},
               {"MODE"},
               {"MODE STEP", Align::kRight},
               {"WORKERS", Align::kRight},
               {"TENSORS", Align::kRight},
               {"COMPLETE"}});
  for (const SavedStepRow& row : rows.value()) {
    table.Add({std::to_string(row.step), std::string(ModeName(row.at.mode)),
               std::to_string(row.at.step), std::to_string(row.workers.size()),
               std::to_string(row.tensors),
               row.complete ? Cell("yes") : Cell("no", Style::kWarning)});
  }
  table.Print(out);
  return kDone;
}

void DefineTrialSteps(Command* command) {
  auto options = std::make_shared<TrialStepsOptions>();
  command->Run(&options->run);
  command->OnlyMode(&options->mode, "Only steps of this mode");
  command->Switch("--incomplete", &options->incomplete,
                  "Include steps that not every worker has written yet");
  command->Json(&options->json);
  command->Footer("Example:\n  warden trial steps runs/a --mode EVAL");
  command->Runs(options, ListSteps);
}

}  // namespace

CommandEntry TrialSteps() { return {"steps", "List the saved steps of a run", DefineTrialSteps}; }

}  // namespace warden::cli
