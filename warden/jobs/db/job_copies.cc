#include "warden/jobs/db/job_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "warden/base/json.h"
#include "warden/base/time.h"
#include "warden/jobs/db/job_store.h"
#include "warden/os/posix.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

constexpr char kCopyName[] = "/record.json";

// The names of all folders below this one, sorted.
std::vector<std::string> FoldersIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored)) names.push_back(at->path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<TrainingJob> ReadCopy(const std::string& jobs_folder, const std::string& name) {
  const auto text = os::ReadWholeFile(jobs_folder + "/" + name + kCopyName);
  const auto json = ParseJson(text.value_or(""));
  if (!json.ok()) return std::nullopt;
  auto job = TrainingJobFromJson(json.value());
  if (!job.ok() || job.value().name != name) return std::nullopt;
  return std::move(job.value());
}

// With the files that belong to it. Returns its new path.
Result<std::string> MoveAway(const std::string& database) {
  const std::string target =
      fmt::format("{}.damaged-{}", database, Now().time_since_epoch().count());
  for (const char* suffix : {"", "-wal", "-shm"}) {
    if (std::rename((database + suffix).c_str(), (target + suffix).c_str()) == 0) continue;
    if (!os::IsAbsence(errno)) return os::IoError("rename", database + suffix, errno);
  }
  return target;
}

}  // namespace

Status KeepCopy(const std::string& job_folder, const TrainingJob& job) {
  std::error_code error;
  fs::create_directories(job_folder, error);
  if (error) return os::IoError("create the folder", job_folder, error.value());
  return os::ReplaceFile(job_folder + kCopyName, DumpLikePython(ToJson(job)) + "\n", 0600);
}

size_t CountCopies(const std::string& jobs_folder) {
  const auto names = FoldersIn(jobs_folder);
  return static_cast<size_t>(std::count_if(names.begin(), names.end(), [&](const auto& name) {
    std::error_code error;
    return fs::exists(jobs_folder + "/" + name + kCopyName, error);
  }));
}

Result<Recovery> RecoverJobs(const std::string& database, const std::string& jobs_folder) {
  Recovery recovery;
  auto store = OpenJobStore(database);
  if (store.status().code() == Code::kCorrupt) {
    auto moved = MoveAway(database);
    if (!moved.ok()) return moved.status();
    recovery.damaged = std::move(moved.value());
    store = OpenJobStore(database);
  }
  if (!store.ok()) return store.status();
  for (std::string& name : FoldersIn(jobs_folder)) {
    const auto job = ReadCopy(jobs_folder, name);
    if (!job) {
      if (!store.value()->Get(name).ok()) recovery.skipped.push_back(std::move(name));
      continue;
    }
    const Status status = store.value()->Create(*job, {});
    if (status.ok()) ++recovery.jobs;
    if (!status.ok() && status.code() != Code::kExists) return status;
  }
  return recovery;
}

}  // namespace warden::jobs
