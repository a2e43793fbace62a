#include "warden/capture/timeline_leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "warden/base/strings.h"
#include "warden/format/kernel_layout.h"
#include "warden/format/profiler_layout.h"
#include "warden/os/posix.h"

namespace warden::capture {
namespace {

namespace fs = std::filesystem;

// Its last whole event is near the end, or it is of no use.
constexpr size_t kTail = size_t{1} << 20;
constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr int kFile = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

// Cuts the file after its last whole event and ends it. Whether it is a timeline with events.
bool End(int fd, uint64_t size) {
  std::string tail(std::min<size_t>(size, kTail), '\0');
  const uint64_t begin = size - tail.size();
  const ssize_t n = pread(fd, tail.data(), tail.size(), static_cast<off_t>(begin));
  tail.resize(n > 0 ? static_cast<size_t>(n) : 0);
  if (tail.ends_with("]\n") || tail.ends_with("]")) return true;
  const size_t end = tail.rfind("}" + std::string(kTimelineSeparator));
  return end != std::string::npos && ftruncate(fd, static_cast<off_t>(begin + end + 1)) == 0 &&
         WriteTextAt(fd, kTimelineEnding, begin + end + 1);
}

// The folder of closed timelines that a key names, which is made if it is missing.
os::UniqueFd FolderOf(int framework, const std::vector<std::string>& key) {
  os::UniqueFd folder(fcntl(framework, F_DUPFD_CLOEXEC, 0));
  // Without "framework" and the name of the file.
  for (size_t i = 1; i + 1 < key.size() && folder.ok(); ++i) {
    (void)mkdirat(folder.get(), key[i].c_str(), 0755);
    folder = os::UniqueFd(openat(folder.get(), key[i].c_str(), kFolder | O_NOFOLLOW));
  }
  return folder;
}

// Gives a file in the folder "framework" the name of a closed timeline.
bool Name(int framework, const std::string& from, int64_t end_us, std::string_view node,
          std::string_view suffix) {
  for (;; ++end_us) {
    const auto key = SplitTrimmed(format::TimelineFileKey(end_us, node, suffix), '/');
    const os::UniqueFd folder = FolderOf(framework, key);
    if (!folder.ok()) return false;
    if (linkat(framework, from.c_str(), folder.get(), key.back().c_str(), 0) == 0) {
      return unlinkat(framework, from.c_str(), 0) == 0;
    }
    if (errno == EEXIST) continue;
    // File systems without hard links.
    return renameat(framework, from.c_str(), folder.get(), key.back().c_str()) == 0;
  }
}

// A file in the folder "framework". Whether it has got its name.
bool FinishIn(int framework, const std::string& name, std::string_view node,
              std::string_view suffix) {
  const os::UniqueFd fd(openat(framework, name.c_str(), kFile));
  struct stat info{};
  // A file with another name may belong to somebody else.
  if (!fd.ok() || fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink != 1 ||
      info.st_size == 0) {
    return false;
  }
  // Held by the process that writes it.
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return false;
  // Blocks of GPU activity need no ending.
  const bool has_ending = suffix != format::kKernelTimeline;
  if (has_ending && !End(fd.get(), static_cast<uint64_t>(info.st_size))) return false;
  const int64_t end_us = info.st_mtim.tv_sec * 1'000'000 + info.st_mtim.tv_nsec / 1000;
  return Name(framework, name, end_us, node, suffix);
}

std::vector<std::string> NamesIn(int folder) {
  std::vector<std::string> names;
  const int copy = fcntl(folder, F_DUPFD_CLOEXEC, 0);
  const std::unique_ptr<DIR, int (*)(DIR*)> listed(fdopendir(copy), closedir);
  if (listed == nullptr) {
    if (copy >= 0) close(copy);
    return names;
  }
  while (const dirent* entry = readdir(listed.get())) names.emplace_back(entry->d_name);
  return names;
}

}  // namespace

void LockTimeline(int fd) { (void)flock(fd, LOCK_EX | LOCK_NB); }

bool WriteTextAt(int fd, std::string_view text, uint64_t offset) {
  while (!text.empty()) {
    const ssize_t n = pwrite(fd, text.data(), text.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      if (n == 0) errno = ENOSPC;
      return false;
    }
    text.remove_prefix(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return true;
}

void FinishLeftover(const std::string& temporary, std::string_view node, std::string_view suffix) {
  const fs::path path(temporary);
  const os::UniqueFd framework(open(path.parent_path().c_str(), kFolder));
  if (framework.ok()) FinishIn(framework.get(), path.filename().string(), node, suffix);
}

int FinishTimelines(const std::string& folder) {
  const os::UniqueFd root(open(folder.c_str(), kFolder));
  if (!root.ok()) return 0;
  const std::string below(format::kFrameworkPrefix.substr(0, format::kFrameworkPrefix.size() - 1));
  const os::UniqueFd framework(openat(root.get(), below.c_str(), kFolder | O_NOFOLLOW));
  if (!framework.ok()) return 0;
  int finished = 0;
  for (const std::string& name : NamesIn(framework.get())) {
    const std::string key = std::string(format::kFrameworkPrefix) + name;
    auto parsed = format::ParseTimelineFileKey(key);
    if (!parsed) parsed = format::ParseKernelFileKey(key);
    if (!parsed || parsed->finished) continue;
    // What is parsed has the host first.
    const std::string node = name.substr(0, name.find('_'));
    if (FinishIn(framework.get(), name, node, parsed->suffix)) ++finished;
  }
  return finished;
}

}  // namespace warden::capture
