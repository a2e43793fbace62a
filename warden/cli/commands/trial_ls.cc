#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/run.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"
#include "warden/storage/s3/run_search.h"
#include "warden/trial/find_runs.h"

namespace warden::cli {
namespace {

struct TrialLsOptions {
  std::vector<std::string> runs;
  bool json = false;
};

struct RunRow {
  std::string location;
  bool finished = false;
  std::vector<Step> steps;
  std::map<Mode, uint64_t> modes;
  std::vector<std::string> workers;
  uint64_t tensors = 0;
  std::vector<std::string> collections;  // With saved tensors.
  uint64_t bytes = 0;
  uint64_t problems = 0;
};

std::vector<std::string> SavedCollections(const trial::Trial& trial,
                                          const std::vector<std::string>& tensors) {
  std::vector<std::string> names;
  for (const auto& [name, collection] : trial.collections()) {
    const auto matcher = config::CollectionMatcher::Make(collection);
    if (!matcher.ok()) continue;
    const bool saved = std::any_of(tensors.begin(), tensors.end(), [&](const std::string& tensor) {
      return matcher.value().Matches(tensor);
    });
    if (saved) names.push_back(name);
  }
  return names;
}

Result<RunRow> MakeRow(const Run& run) {
  const auto tensors = run.trial->TensorNames();
  if (!tensors.ok()) return tensors.status();
  RunRow row;
  row.location = run.name;
  row.finished = run.trial->loaded_all_steps();
  row.steps = run.trial->Steps();
  for (const Step step : row.steps) {
    if (const auto at = run.trial->ModeOf(step)) ++row.modes[at->mode];
  }
  row.workers = run.trial->workers();
  row.tensors = tensors.value().size();
  row.collections = SavedCollections(*run.trial, tensors.value());
  const auto bytes = run.store->BytesBelow("");
  row.bytes = bytes.ok() ? bytes.value() : 0;
  row.problems = run.trial->problems().size();
  return row;
}

Json ToJson(const RunRow& row) {
  Json modes = Json::object();
  for (const auto& [mode, count] : row.modes) modes[std::string(ModeName(mode))] = count;
  return {{"run", row.location},
          {"state", row.finished ? "finished" : "no end mark"},
          {"steps", row.steps.size()},
          {"first_step", row.steps.empty() ? Json() : Json(row.steps.front())},
          {"last_step", row.steps.empty() ? Json() : Json(row.steps.back())},
          {"modes", std::move(modes)},
          {"workers", row.workers},
          {"tensors", row.tensors},
          {"collections", row.collections},
          {"bytes", row.bytes},
          {"problems", row.problems}};
}

std::string StepRange(const RunRow& row) {
  if (row.steps.empty()) return "0";
  return fmt::format("{} ({}..{})", row.steps.size(), row.steps.front(), row.steps.back());
}

void PrintRows(const std::vector<RunRow>& rows, Output* out) {
  Table table({{"RUN"},
               {"STATE"},
               {"STEPS", Align::kRight},
               {"MODES"},
               {"WORKERS", Align::kRight},
               {"TENSORS", Align::kRight},
               {"SIZE", Align::kRight},
               {"PROBLEMS", Align::kRight},
               {"COLLECTIONS", Align::kLeft, /*shrinks=*/true}});
  for (const RunRow& row : rows) {
    std::vector<std::string> modes;
    for (const auto& [mode, count] : row.modes) {
      modes.push_back(fmt::format("{} {}", ModeName(mode), count));
    }
    table.Add({row.location, row.finished ? Cell("finished") : Cell("no end mark", Style::kWarning),
               StepRange(row), fmt::format("{}", fmt::join(modes, ", ")),
               std::to_string(row.workers.size()), std::to_string(row.tensors),
               FormatBytes(row.bytes),
               Cell(std::to_string(row.problems), row.problems > 0 ? Style::kBad : Style::kPlain),
               fmt::format("{}", fmt::join(row.collections, ","))});
  }
  table.Print(out);
}

bool AddRow(const Result<Run>& run, std::vector<RunRow>* rows, Output* out) {
  const auto row = run.ok() ? MakeRow(run.value()) : run.status();
  if (row.ok()) {
    rows->push_back(row.value());
  } else {
    out->Tell(Printable(row.status().message()));
  }
  return row.ok();
}

// Those below a place in S3. What was found may have no tensors, but only a profile.
bool AddRowsInS3(const std::string& place, std::vector<RunRow>* rows, Output* out) {
  const auto found = storage::s3::FindRunsBelow(place);
  if (!found.ok()) {
    out->Tell(Printable(found.status().message()));
    return false;
  }
  if (found.value().cut_off) {
    out->Tell(fmt::format("{}: too many folders; name one below it to see the rest", place));
  }
  bool all_read = true;
  const size_t before = rows->size();
  for (const std::string& url : found.value().urls) {
    auto run = OpenRun(url);
    if (!run.ok() && run.status().code() == Code::kNotFound) run = OpenRun(url + "/debug-output");
    if (run.ok() || run.status().code() != Code::kNotFound) all_read &= AddRow(run, rows, out);
  }
  if (!all_read || rows->size() > before) return all_read;
  out->Tell(fmt::format("no runs in {}", Printable(place)));
  return false;
}

// The runs that one argument names. A run that cannot be read is reported and makes the command
// fail, but does not hide the others.
bool AddRows(const std::string& name, std::vector<RunRow>* rows, Output* out) {
  if (storage::IsRemote(name)) return AddRowsInS3(name, rows, out);
  std::vector<std::string> names = trial::FindRuns(name);
  if (names.empty()) names.push_back(name);
  bool all_read = true;
  for (const std::string& found : names) all_read &= AddRow(OpenRun(found), rows, out);
  return all_read;
}

Result<int> ListRuns(const TrialLsOptions& options, Output* out) {
  std::vector<RunRow> rows;
  bool all_read = true;
  for (const std::string& name : options.runs) all_read &= AddRows(name, &rows, out);
  if (options.json) {
    Json list = Json::array();
    for (const RunRow& row : rows) list.push_back(ToJson(row));
    out->PrintJson(list);
  } else if (!rows.empty()) {
    PrintRows(rows, out);
  }
  return all_read ? kDone : kFailed;
}

void DefineTrialLs(Command* command) {
  auto options = std::make_shared<TrialLsOptions>();
  command->Positionals("RUN", &options->runs,
                       "Folders of runs, or folders that contain runs; also s3://bucket/folder");
  command->Json(&options->json);
  command->Footer(
      "Examples:\n  warden trial ls runs/\n  warden trial ls runs/a runs/b --json\n"
      "  warden trial ls s3://team-runs/mnist");
  command->Runs(options, ListRuns);
}

}  // namespace

CommandEntry TrialLs() { return {"ls", "List runs", DefineTrialLs}; }

}  // namespace warden::cli
