#include "warden/dashboard/site/folder_state.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "warden/capture/claim.h"
#include "warden/format/layout.h"
#include "warden/format/profiler_layout.h"
#include "warden/storage/store.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

// A run that says nothing of its end is taken for one that goes on as long as it writes this often.
constexpr double kSilence = 60;

std::optional<double> Later(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::max(*a, *b);
}

// When something in the folder, or in the last of the folders in it, was changed.
std::optional<double> LastChange(const fs::path& folder, int depth) {
  std::optional<double> last = ChangedAt(folder.string());
  if (depth == 0 || !last) return last;
  std::error_code error;
  fs::path newest;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (newest.empty() || it->path() > newest) newest = it->path();
  }
  return newest.empty() ? last : Later(last, LastChange(newest, depth - 1));
}

bool HolderIsGone(const std::string& folder) {
  const auto store = storage::OpenStore(folder);
  return store.ok() && capture::Claim::HolderIsGone(*store.value());
}

std::optional<double> Started(const RunPlaces& places) {
  for (const char* file : {"/warden/hook.json", "/collections"}) {
    if (auto time = ChangedAt(places.tensors + file)) return time;
  }
  return ChangedAt(places.profile + "/" + std::string(format::kProfilerConfig));
}

// Of a run that `warden run` has seen the end of.
void TakeEnd(const trial::RunRecord& record, FolderState* state) {
  state->ended = record.ended;
  if (record.exit_code == 0) {
    state->status = "Completed";
  } else if (record.signal) {
    state->status = "Stopped";
    state->message = fmt::format("killed by signal {}", *record.signal);
  } else {
    state->status = "Failed";
    state->message = fmt::format("exit code {}", record.exit_code.value_or(-1));
  }
}

}  // namespace

double SecondsNow() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::optional<double> ChangedAt(const std::string& path) {
  struct stat info = {};
  if (path.empty() || stat(path.c_str(), &info) != 0) return std::nullopt;
  return static_cast<double>(info.st_mtim.tv_sec) +
         static_cast<double>(info.st_mtim.tv_nsec) * 1e-9;
}

FolderState StateOfFolder(const service::ServiceOptions& options, const RunPlaces& places,
                          const std::optional<trial::RunRecord>& record) {
  FolderState state;
  state.started = record && record->started ? record->started : Started(places);
  const auto mark = ChangedAt(places.tensors + "/" + std::string(format::kEndMarker));
  const auto last = Later(LastChange(places.tensors + "/index", 2),
                          LastChange(places.profile + "/system/incremental", 2));
  state.runs_here = options.local_runs.is_running && options.local_runs.is_running(places.tensors);
  if (state.runs_here) {
    state.status = "InProgress";
  } else if (record && record->ended) {
    TakeEnd(*record, &state);
  } else if (mark) {
    state.status = "Completed";
    state.ended = mark;
  } else if (HolderIsGone(places.tensors)) {
    state.status = "Stopped";
    state.message = "the process ended before the training finished";
    state.ended = last;
  } else if (last && SecondsNow() - *last < kSilence) {
    state.status = "InProgress";
  } else {
    state.message = "no exit status recorded";
    state.ended = last;
  }
  return state;
}

}  // namespace warden::dashboard
