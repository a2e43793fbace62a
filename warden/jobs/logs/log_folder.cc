#include "warden/jobs/logs/log_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <memory>

#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

constexpr std::string_view kPrefix = "log.";
constexpr size_t kDigits = 20;  // So that names sort as numbers do.
constexpr uint64_t kMostBytes = uint64_t{1} << 53;

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

bool StartOf(std::string_view name, uint64_t* start) {
  if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + kDigits) return false;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, *start);
  return error == std::errc() && stop == end && *start < kMostBytes;
}

}  // namespace

std::string LogFileName(uint64_t start) { return fmt::format("{}{:020}", kPrefix, start); }

std::string GapLine(Time time) {
  return fmt::format("{} {}\n", time.time_since_epoch().count(), kGapText);
}

Result<std::vector<LogFile>> LogFilesIn(const std::string& folder) {
  std::vector<LogFile> files;
  const std::unique_ptr<DIR, CloseFolder> dir(opendir(folder.c_str()));
  if (dir == nullptr) {
    if (os::IsAbsence(errno)) return files;
    return os::IoError("read the folder", folder, errno);
  }
  while (const dirent* entry = readdir(dir.get())) {
    LogFile file{entry->d_name, 0, 0};
    struct stat info;
    if (!StartOf(file.name, &file.start)) continue;
    if (fstatat(dirfd(dir.get()), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(info.st_mode)) continue;
    file.size = std::min(static_cast<uint64_t>(info.st_size), kMostBytes - file.start);
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(),
            [](const LogFile& a, const LogFile& b) { return a.start < b.start; });
  return files;
}

}  // namespace warden::jobs
