#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/text.h"
#include "warden/dashboard/site/folder_state.h"
#include "warden/dashboard/site/places.h"
#include "warden/trial/run_record.h"
#include "warden/trial/run_trash.h"
#include "warden/watch/local/local_jobs.h"

namespace warden::cli {
namespace {

struct TrashOptions {
  std::vector<std::string> runs;
  bool json = false;
};

void PrintMoved(const trial::TrashedRun& run, const char* state, Output* out) {
  out->PrintJson({{"run", run.folder}, {"state", state}, {"deleted", run.deleted}});
}

Status DeleteOne(const std::string& run, bool json, Output* out) {
  const auto places = dashboard::RunIn(run);
  if (!places) return Status(Code::kNotFound, fmt::format("no run in {}", run));
  service::ServiceOptions options;
  options.local_runs = watch::LocalJobs::ForDashboard(std::chrono::milliseconds(0));
  const auto record = trial::ReadRunRecord(places->tensors);
  if (dashboard::StateOfFolder(options, *places, record).status == "InProgress") {
    return Status(Code::kUnavailable,
                  fmt::format("{} is still running, or was written to within the last minute; stop "
                              "it first, or wait",
                              run));
  }
  const auto deleted = trial::MoveToTrash(run, dashboard::SecondsNow());
  if (!deleted.ok()) return deleted.status();
  if (json) {
    PrintMoved(deleted.value(), "deleted", out);
    return Status();
  }
  out->Print("deleted {0}; undo within 7 days: warden runs restore {0}\n", Printable(run));
  return Status();
}

Status RestoreOne(const std::string& run, bool json, Output* out) {
  const std::filesystem::path path = std::filesystem::path(run).lexically_normal();
  const std::filesystem::path folder =
      path.has_filename() ? path.parent_path() : path.parent_path().parent_path();
  const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
  for (const trial::TrashedRun& one : trial::ListTrash(folder.empty() ? "." : folder.string())) {
    if (std::filesystem::path(one.folder).filename() != name) continue;
    Status status = trial::RestoreFromTrash(one);
    if (!status.ok()) return status;
    if (json) {
      PrintMoved(one, "restored", out);
    } else {
      out->Print("restored {}\n", Printable(run));
    }
    return status;
  }
  return Status(Code::kNotFound, fmt::format("no deleted run {}", run));
}

Result<int> ForAllRuns(const TrashOptions& options,
                       Status (*act)(const std::string&, bool, Output*), Output* out) {
  bool all = true;
  for (const std::string& run : options.runs) {
    const Status status = act(run, options.json, out);
    if (status.ok()) continue;
    out->Tell(Printable(status.message()));
    all = false;
  }
  return all ? kDone : kFailed;
}

Result<int> DeleteRuns(const TrashOptions& options, Output* out) {
  return ForAllRuns(options, DeleteOne, out);
}

Result<int> RestoreRuns(const TrashOptions& options, Output* out) {
  return ForAllRuns(options, RestoreOne, out);
}

void DefineRunsRm(Command* command) {
  auto options = std::make_shared<TrashOptions>();
  command->Positionals("RUN", &options->runs, "Folders of runs");
  command->Json(&options->json);
  command->Footer(
      "Moves the folders into .warden-trash beside them. 'warden serve --runs' removes from there\n"
      "what was deleted more than 7 days ago.");
  command->Runs(options, DeleteRuns);
}

void DefineRunsRestore(Command* command) {
  auto options = std::make_shared<TrashOptions>();
  command->Positionals("RUN", &options->runs, "Folders that the runs had");
  command->Json(&options->json);
  command->Runs(options, RestoreRuns);
}

}  // namespace

CommandEntry RunsRm() { return {"rm", "Delete runs, with undo", DefineRunsRm}; }
CommandEntry RunsRestore() { return {"restore", "Bring deleted runs back", DefineRunsRestore}; }

}  // namespace warden::cli
