#include "warden/jobs/logs/log_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "warden/base/log.h"
#include "warden/jobs/logs/log_folder.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

// Longer lines are cut: nobody reads them, and one page of an answer must hold one.
constexpr size_t kMaxLine = 64 << 10;

Status WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return os::IoError("write", path, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Status();
}

class FileLogWriter final : public LogWriter {
 public:
  FileLogWriter(std::string folder, uint64_t file_bytes, int files, bool keeps_first)
      : folder_(std::move(folder)),
        file_bytes_(file_bytes),
        files_(std::max(files, 1)),
        keeps_first_(keeps_first && files > 1) {}

  Status Continue() {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) return os::IoError("create the folder", folder_, error.value());
    const Result<std::vector<LogFile>> found = LogFilesIn(folder_);
    if (!found.ok()) return found.status();
    if (found.value().empty()) return OpenFile(0);
    const LogFile& last = found.value().back();
    if (Status status = OpenFile(last.start); !status.ok()) return status;
    size_ = last.size;
    // A line that was being written when its writer was killed.
    if (last.size > 0 && !EndsWithNewline(folder_ + "/" + last.name)) Write("\n");
    return Status();
  }

  void Append(std::string_view piece, Time now) override {
    std::string whole;
    for (const char c : piece) {
      const bool after_return = std::exchange(after_return_, c == '\r');
      if (c == '\n' && after_return) continue;   // "\r\n" is one end, and it has been seen.
      if (c == '\r' && line_.empty()) continue;  // Progress bars begin with one.
      if (c == '\n' || c == '\r') {
        EndLine(now, &whole);
        continue;
      }
      line_ += c;
      if (line_.size() >= kMaxLine) EndLine(now, &whole);
    }
    if (!whole.empty()) Write(whole);
  }

  void Close(Time now) override {
    std::string whole;
    if (!line_.empty()) EndLine(now, &whole);
    if (!whole.empty()) Write(whole);
    fd_ = os::UniqueFd();
  }

 private:
  void EndLine(Time now, std::string* whole) {
    *whole += fmt::format("{} ", now.time_since_epoch().count());
    *whole += line_;
    *whole += '\n';
    line_.clear();
  }

  static bool EndsWithNewline(const std::string& path) {
    const os::UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    char last = 0;
    if (!fd.ok() || lseek(fd.get(), -1, SEEK_END) < 0 || read(fd.get(), &last, 1) != 1)
      return false;
    return last == '\n';
  }

  Status OpenFile(uint64_t start) {
    path_ = folder_ + "/" + LogFileName(start);
    fd_ = os::UniqueFd(
        open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!fd_.ok()) return os::IoError("write", path_, errno);
    start_ = start;
    size_ = 0;
    return Status();
  }

  void Write(std::string_view lines) {
    if (!fd_.ok()) return;
    Status status = WriteAll(fd_.get(), lines, path_);
    size_ += lines.size();
    if (status.ok() && size_ >= file_bytes_) status = Rotate();
    if (status.ok()) return;
    LogError("log {} is incomplete: {}", folder_, status.message());
    fd_ = os::UniqueFd();
  }

  Status Rotate() {
    // Others may have added lines of their own (exec/session_log.h); they hold the lock meanwhile.
    // It is given up with the file.
    flock(fd_.get(), LOCK_EX);
    const off_t end = lseek(fd_.get(), 0, SEEK_END);
    const uint64_t size = end > 0 ? static_cast<uint64_t>(end) : size_;
    const os::UniqueFd before = std::move(fd_);
    if (Status status = OpenFile(start_ + size); !status.ok()) return status;
    const Result<std::vector<LogFile>> found = LogFilesIn(folder_);
    if (!found.ok()) return found.status();
    const std::vector<LogFile>& files = found.value();
    const auto kept = static_cast<size_t>(files_);
    if (files.size() <= kept) return Status();
    const size_t first = keeps_first_ ? 1 : 0;
    // Where the removed files were there is room for a line behind the first.
    if (keeps_first_ && files[0].start + files[0].size == files[1].start) TellGap(files[0].name);
    for (size_t i = first; i + kept < files.size() + first; ++i) {
      unlink((folder_ + "/" + files[i].name).c_str());
    }
    return Status();
  }

  void TellGap(const std::string& name) const {
    const std::string path = folder_ + "/" + name;
    const os::UniqueFd first(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
    if (first.ok()) (void)WriteAll(first.get(), GapLine(Now()), path);
  }

  const std::string folder_;
  const uint64_t file_bytes_;
  const int files_;
  const bool keeps_first_;
  std::string path_;
  os::UniqueFd fd_;     // Closed: what comes is dropped.
  uint64_t start_ = 0;  // Of the present file in the whole log.
  uint64_t size_ = 0;
  std::string line_;  // Not whole yet.
  bool after_return_ = false;
};

}  // namespace

Result<std::unique_ptr<LogWriter>> LogWriter::Open(const std::string& folder, uint64_t file_bytes,
                                                   int files, bool keeps_first) {
  auto writer = std::make_unique<FileLogWriter>(folder, file_bytes, files, keeps_first);
  if (Status status = writer->Continue(); !status.ok()) return status;
  return std::unique_ptr<LogWriter>(std::move(writer));
}

}  // namespace warden::jobs
