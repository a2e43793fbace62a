#include "warden/jobs/exec/session_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "warden/jobs/logs/log_folder.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

// More often than a writer can change files while we look.
constexpr int kTries = 100;

Result<std::string> LastFile(const std::string& folder) {
  const auto files = LogFilesIn(folder);
  if (!files.ok()) return files.status();
  if (files.value().empty()) return LogFileName(0);
  return files.value().back().name;
}

std::string OneLine(std::string_view text, Time now) {
  std::string line = fmt::format("{} {}", now.time_since_epoch().count(), text);
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return line + "\n";
}

}  // namespace

Status AddToLog(const std::string& folder, std::string_view line, Time now) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string text = OneLine(line, now);
  for (int i = 0; i < kTries; ++i) {
    const auto name = LastFile(folder);
    if (!name.ok()) return name.status();
    const std::string path = folder + "/" + name.value();
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
    const os::UniqueFd file(open(path.c_str(), flags, 0644));
    if (!file.ok()) return os::IoError("write", path, errno);
    // The writer has gone on to another file in between: what is added here would stand at places
    // that are in that one too.
    flock(file.get(), LOCK_EX);
    if (const auto last = LastFile(folder); !last.ok() || last.value() != name.value()) continue;
    if (write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) return {};
    return os::IoError("write", path, errno);
  }
  return Status(Code::kIo, fmt::format("cannot append to the log {}: it changes too fast", folder));
}

}  // namespace warden::jobs
