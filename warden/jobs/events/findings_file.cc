#include "warden/jobs/events/findings_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "warden/base/json.h"
#include "warden/base/log.h"

namespace warden::jobs {
namespace {

// More than rules find; the rest comes the next time.
constexpr size_t kMostBytes = 4 << 20;

}  // namespace

std::string FindingsIn(const std::string& folder) { return folder + "/findings.jsonl"; }

std::vector<actions::Firing> FindingsReader::Next() {
  std::vector<actions::Firing> firings;
  const os::UniqueFd file(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat about{};
  if (!file.ok() || fstat(file.get(), &about) != 0) return firings;
  const auto size = static_cast<uint64_t>(about.st_size);
  if (size < position_) position_ = 0;
  if (size == position_) return firings;
  std::string text(std::min<uint64_t>(size - position_, kMostBytes), '\0');
  const ssize_t got = pread(file.get(), text.data(), text.size(), static_cast<off_t>(position_));
  text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  size_t begin = 0;
  for (size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const auto json = ParseJson(std::string_view(text).substr(begin, end - begin));
    auto firing =
        json.ok() ? actions::FiringFromJson(json.value()) : Result<actions::Firing>(json.status());
    if (firing.ok()) {
      firings.push_back(std::move(firing.value()));
    } else {
      LogWarning("{}: finding skipped: {}", path_, firing.status().message());
    }
  }
  // A line that never ends is none.
  position_ += begin == 0 && text.size() == kMostBytes ? text.size() : begin;
  return firings;
}

FindingsWriter::FindingsWriter(const std::string& folder)
    : path_(FindingsIn(folder)),
      file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
                 0600)) {}

void FindingsWriter::Write(const std::vector<actions::Firing>& firings) {
  std::string lines;
  for (const actions::Firing& firing : firings) {
    lines += DumpLikePython(actions::ToJson(firing)) + "\n";
  }
  const ssize_t written = write(file_.get(), lines.data(), lines.size());
  if (written != static_cast<ssize_t>(lines.size()) || fdatasync(file_.get()) != 0) {
    LogError("{}", os::IoError("write", path_, errno).message());
  }
}

}  // namespace warden::jobs
