#include "warden/watch/local/job_registry.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "warden/base/json.h"
#include "warden/os/private_folder.h"
#include "warden/os/process_table.h"
#include "warden/os/whole_file.h"

namespace warden::watch {
namespace {

namespace fs = std::filesystem;

fs::path Folder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime == '/') return fs::path(runtime) / "tensorwarden";
  return fs::temp_directory_path() / fmt::format("tensorwarden-{}", getuid());
}

// Private: whoever can write here decides which processes are stopped.
bool IsOurs(const fs::path& folder) {
  struct stat info{};
  return lstat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == getuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::optional<RunningJob> ReadEntry(const fs::path& path) {
  const auto text = os::ReadWholeFile(path);
  const auto json = text ? ParseJson(*text) : Result<Json>(Status(Code::kNotFound, ""));
  if (!json.ok() || !json.value().is_object()) return std::nullopt;
  const Json& entry = json.value();
  const bool whole = entry.contains("name") && entry["name"].is_string() && entry.contains("run") &&
                     entry["run"].is_string() && entry.contains("pid") &&
                     entry["pid"].is_number_integer() && entry.contains("started") &&
                     entry["started"].is_number_integer();
  if (!whole) return std::nullopt;
  return RunningJob{entry["name"], entry["pid"].get<pid_t>(), entry["started"], entry["run"]};
}

}  // namespace

Result<JobEntry> JobEntry::Add(const std::string& name, pid_t pid, const std::string& run) {
  const fs::path folder = Folder();
  if (Status made = os::MakePrivateFolder(folder); !made.ok()) {
    return made.WithContext("cannot register the job");
  }
  const auto started = os::StartOfProcess(pid);
  if (!started)
    return Status(Code::kIo, fmt::format("cannot register the job: no process {}", pid));
  std::error_code error;
  const fs::path path = folder / fmt::format("{}.json", pid);
  const fs::path unfinished = path.string() + ".tmp";
  std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
  file << Json({{"name", name}, {"pid", pid}, {"started", *started}, {"run", run}}).dump() << '\n';
  file.close();
  if (file) fs::rename(unfinished, path, error);
  if (!file || error) {
    return Status(Code::kIo, fmt::format("cannot write {}", path.string()));
  }
  return JobEntry(path.string());
}

JobEntry::~JobEntry() {
  std::error_code error;
  if (!path_.empty()) fs::remove(path_, error);
}

std::vector<RunningJob> RunningJobsHere() {
  std::vector<RunningJob> jobs;
  const fs::path folder = Folder();
  if (!IsOurs(folder)) return jobs;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".json") continue;
    auto job = ReadEntry(at->path());
    if (job && os::StartOfProcess(job->pid) == job->started) jobs.push_back(std::move(*job));
  }
  std::sort(jobs.begin(), jobs.end(),
            [](const RunningJob& a, const RunningJob& b) { return a.name < b.name; });
  return jobs;
}

std::optional<RunningJob> RunningJobIn(const std::string& run) {
  const std::string folder = RunFromRoot(run);
  for (RunningJob& job : RunningJobsHere()) {
    if (job.run == folder) return std::move(job);
  }
  return std::nullopt;
}

std::string RunFromRoot(const std::string& run) {
  const fs::path path = fs::absolute(run).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).string();
}

}  // namespace warden::watch
