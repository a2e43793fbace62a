#include "warden/actions/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/log.h"

namespace warden::actions {

Journal::Journal(std::string path, os::UniqueFd file)
    : path_(std::move(path)), file_(std::move(file)) {}

Result<std::unique_ptr<Journal>> Journal::Open(const std::string& path) {
  std::error_code error;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) return os::IoError("create the folder of", path, error.value());
  os::UniqueFd file(open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  struct stat info{};
  if (!file.ok() || fstat(file.get(), &info) != 0) return os::IoError("open", path, errno);
  if (!S_ISREG(info.st_mode)) return Status(Code::kInvalid, path + " is not a file");
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return os::IoError("lock", path, errno);
    return Status(Code::kUnavailable, path + " is in use by another process for this run");
  }
  std::unique_ptr<Journal> journal(new Journal(path, std::move(file)));
  if (Status status = journal->Read(); !status.ok()) return status;
  return journal;
}

Status Journal::Read() {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t size = read(file_.get(), buffer, sizeof(buffer));
    if (size < 0) return os::IoError("read", path_, errno);
    if (size == 0) break;
    text.append(buffer, static_cast<size_t>(size));
  }
  torn_ = !text.empty() && text.back() != '\n';
  size_t number = 1;
  for (size_t begin = 0; begin < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    auto line = ParseJson(std::string_view(text).substr(begin, end - begin));
    if (line.ok() && line.value().is_object()) {
      lines_.push_back(std::move(line).value());
    } else if (end > begin) {
      LogWarning("{}: skipped incomplete line {}", path_, number);
    }
    begin = end + 1;
  }
  return Status();
}

std::vector<Json> Journal::TakeLines() { return std::exchange(lines_, {}); }

Status Journal::Append(const Json& line) {
  const std::string text = (torn_ ? "\n" : "") + DumpLikePython(line) + "\n";
  const ssize_t written = write(file_.get(), text.data(), text.size());
  if (written == static_cast<ssize_t>(text.size())) {
    torn_ = false;
    return Status();
  }
  const int error = written < 0 ? errno : ENOSPC;
  torn_ = torn_ || written > 0;
  return os::IoError("write", path_, error);
}

}  // namespace warden::actions
