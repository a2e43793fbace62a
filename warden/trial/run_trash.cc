#include "warden/trial/run_trash.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "warden/base/strings.h"
#include "warden/os/posix.h"

namespace warden::trial {
namespace {

namespace fs = std::filesystem;

constexpr double kMillisecondsPerSecond = 1000;

// Whether it was moved, without replacing anything; 0 or an errno.
int MoveFolder(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that cannot promise it.
  std::error_code error;
  if (fs::exists(fs::symlink_status(to, error))) return EEXIST;
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

// A new folder in the trash, named by the time.
Result<fs::path> MakeEntry(const fs::path& trash, double now) {
  std::error_code error;
  fs::create_directory(trash, error);
  auto time = static_cast<int64_t>(std::llround(now * kMillisecondsPerSecond));
  for (int tries = 0; !error && tries < 1000; ++tries, ++time) {
    const fs::path entry = trash / std::to_string(time);
    if (fs::create_directory(entry, error)) return entry;
  }
  return os::IoError("create a folder in", trash.string(), error ? error.value() : EEXIST);
}

// What waits in an entry; nothing if that is not one of ours.
std::optional<TrashedRun> TrashedIn(const fs::path& folder, const fs::path& entry) {
  const auto time = ParseInt(entry.filename().string());
  std::error_code error;
  fs::directory_iterator inside(entry, error);
  if (error || !time || inside == fs::directory_iterator()) return std::nullopt;
  const fs::path kept = inside->path();
  if (++inside != fs::directory_iterator() || !fs::is_directory(fs::symlink_status(kept, error))) {
    return std::nullopt;
  }
  return TrashedRun{(folder / kept.filename()).string(), kept.string(),
                    static_cast<double>(*time) / kMillisecondsPerSecond};
}

// What is left when the run has gone; folders with something in them stay.
void RemoveEmpty(const fs::path& entry) {
  std::error_code ignored;
  fs::remove(entry, ignored);
  fs::remove(entry.parent_path(), ignored);
}

}  // namespace

Result<TrashedRun> MoveToTrash(const std::string& run, double now) {
  fs::path path = fs::path(run).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  const std::string name = path.filename().string();
  if (name.empty() || name == "." || name == "..") {
    return Status(Code::kInvalid, fmt::format("{} has no name; expected the folder of a run", run));
  }
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) return Status(Code::kNotFound, fmt::format("{} not found", run));
  if (!fs::is_directory(status)) {
    return Status(Code::kInvalid, fmt::format("{} is not a folder; expected that of a run", run));
  }
  const auto entry = MakeEntry(path.parent_path() / kTrashFolder, now);
  if (!entry.ok()) return entry.status();
  const std::string kept = (entry.value() / name).string();
  if (const int failed = MoveFolder(path.string(), kept); failed != 0) {
    RemoveEmpty(entry.value());
    return os::IoError("move to the trash", path.string(), failed);
  }
  return *TrashedIn(path.parent_path(), entry.value());
}

std::vector<TrashedRun> ListTrash(const std::string& folder) {
  std::vector<TrashedRun> runs;
  std::error_code error;
  for (fs::directory_iterator it(fs::path(folder) / kTrashFolder, error), end; !error && it != end;
       it.increment(error)) {
    if (auto run = TrashedIn(folder, it->path())) runs.push_back(std::move(*run));
  }
  std::sort(runs.begin(), runs.end(),
            [](const TrashedRun& a, const TrashedRun& b) { return a.deleted > b.deleted; });
  return runs;
}

Status RestoreFromTrash(const TrashedRun& run) {
  const int failed = MoveFolder(run.kept, run.folder);
  if (failed == EEXIST || failed == ENOTEMPTY) {
    return Status(Code::kExists,
                  fmt::format("{} exists; move it away to restore the deleted run", run.folder));
  }
  if (os::IsAbsence(failed)) {
    return Status(Code::kNotFound, fmt::format("{} is not in the trash any more", run.folder));
  }
  if (failed != 0) return os::IoError("restore", run.folder, failed);
  RemoveEmpty(fs::path(run.kept).parent_path());
  return Status();
}

size_t PurgeTrash(const std::string& folder, double now) {
  size_t removed = 0;
  for (const TrashedRun& run : ListTrash(folder)) {
    if (now - run.deleted <= kTrashSeconds) continue;
    std::error_code error;
    fs::remove_all(run.kept, error);
    if (error) continue;
    RemoveEmpty(fs::path(run.kept).parent_path());
    ++removed;
  }
  return removed;
}

}  // namespace warden::trial
