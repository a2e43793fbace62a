#include "warden/dashboard/site/deleted_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/site/folder_state.h"
#include "warden/dashboard/site/places.h"
#include "warden/dashboard/site/remote_runs.h"
#include "warden/os/pause.h"

namespace warden::dashboard {
namespace {

constexpr std::chrono::hours kBetweenPurges{1};
constexpr int kConflicts = 409;

Json ToJson(const trial::TrashedRun& run) {
  return {{"id", RunIdOf(run.folder)},
          {"name", std::filesystem::path(run.folder).filename().string()},
          {"folder", run.folder},
          {"deleted", run.deleted},
          {"purged", run.deleted + trial::kTrashSeconds}};
}

http::Response Refusal(const Status& status) {
  const bool conflict = status.code() == Code::kExists || status.code() == Code::kUnavailable;
  return conflict ? ErrorAnswer(kConflicts, status.message()) : ErrorAnswer(status);
}

}  // namespace

DeletedRuns::DeletedRuns(const sagemaker::ApiParts& parts, RunSet* runs)
    : parts_(parts), runs_(runs) {
  if (parts_.options->read_only || parts_.options->runs.empty()) return;
  purging_ = std::jthread([this](const std::stop_token& stop) {
    do {
      for (const std::string& folder : FindRuns(parts_.options->runs).with_trash) {
        if (stop.stop_requested()) return;
        const size_t removed = trial::PurgeTrash(folder, SecondsNow());
        if (removed > 0) LogInfo("removed {} runs from the trash of {}", removed, folder);
      }
    } while (os::PauseFor(kBetweenPurges, stop));
  });
}

Result<trial::TrashedRun> DeletedRuns::Move(const RunPlaces& places) const {
  if (places.job) {
    return Status(Code::kUnavailable,
                  fmt::format("{} is a job of this service; delete it with 'warden jobs rm {}'",
                              places.name, places.name));
  }
  if (Status here = CheckIsHere(places); !here.ok()) return here;
  const auto& roots = parts_.options->runs;
  const auto is_it = [&](const std::string& root) {
    std::error_code error;
    return std::filesystem::equivalent(root, places.folder, error);
  };
  if (std::any_of(roots.begin(), roots.end(), is_it)) {
    return Status(Code::kUnavailable,
                  "the run is the folder given with --runs; only runs below it can be deleted");
  }
  const auto record = trial::ReadRunRecord(places.tensors);
  if (StateOfFolder(*parts_.options, places, record).status == "InProgress") {
    return Status(Code::kUnavailable,
                  "the run is still running, or was written to within the last minute; stop it "
                  "first, or wait");
  }
  return trial::MoveToTrash(places.folder, SecondsNow());
}

http::Response DeletedRuns::Delete(const auth::Identity& identity, const RunPlaces& places) {
  const auto moved = Move(places);
  Audit(identity, "dashboard:DeleteRun", places.id, moved.status());
  if (!moved.ok()) return Refusal(moved.status());
  runs_->LookAgain();
  return JsonAnswer(ToJson(moved.value()));
}

std::vector<trial::TrashedRun> DeletedRuns::All() {
  std::vector<trial::TrashedRun> all;
  for (const std::string& folder : runs_->WithTrash()) {
    for (auto& run : trial::ListTrash(folder)) all.push_back(std::move(run));
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.deleted > b.deleted; });
  return all;
}

http::Response DeletedRuns::List() {
  Json list = Json::array();
  for (const trial::TrashedRun& run : All()) list.push_back(ToJson(run));
  return JsonAnswer(list);
}

http::Response DeletedRuns::Restore(const auth::Identity& identity, const std::string& id) {
  const auto all = All();
  // The last one that was deleted under this name.
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& run) { return RunIdOf(run.folder) == id; });
  const Status status = found == all.end()
                            ? Status(Code::kNotFound, fmt::format("no deleted run '{}'", id))
                            : trial::RestoreFromTrash(*found);
  Audit(identity, "dashboard:RestoreRun", id, status);
  if (!status.ok()) return Refusal(status);
  runs_->LookAgain();
  return JsonAnswer(ToJson(*found));
}

void DeletedRuns::Audit(const auth::Identity& identity, const char* action, const std::string& id,
                        const Status& status) const {
  parts_.authenticator->Record(
      identity, {action, id, status.ok() ? "ok" : std::string(CodeName(status.code()))});
}

}  // namespace warden::dashboard
