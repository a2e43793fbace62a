#include "warden/capture/kernels/kernel_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "warden/capture/timeline_file.h"
#include "warden/capture/timeline_leftovers.h"
#include "warden/format/kernel_block.h"
#include "warden/format/kernel_layout.h"

namespace warden::capture {
Status KernelFile::Open() {
  temporary_ = fmt::format("{}/{}{}_{}{}", folder_, format::kFrameworkPrefix, node_,
                           format::kKernelTimeline, format::kUnfinishedTimeline);
  if (Status made = MakeFolderOf(temporary_); !made.ok()) return made;
  // The second time after what a killed process left has got its name.
  for (int i = 0; i < 2; ++i) {
    os::UniqueFd fd(open(temporary_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
    struct stat info{};
    if (!fd.ok() || fstat(fd.get(), &info) != 0) return os::IoError("open", temporary_, errno);
    if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      return Status(Code::kUnavailable, fmt::format("another process writes {}", temporary_));
    }
    if (info.st_size == 0) {
      fd_ = std::move(fd);
      size_ = 0;
      return Status();
    }
    const int64_t end_us = info.st_mtim.tv_sec * 1'000'000 + info.st_mtim.tv_nsec / 1000;
    const Status named = NameTimeline(temporary_, folder_, end_us, node_, format::kKernelTimeline);
    if (!named.ok()) return named;
  }
  return Status(Code::kIo, fmt::format("cannot open {}: it is in use", temporary_));
}

Status KernelFile::Append(std::string_view blocks) {
  struct stat info{};
  if (fd_.ok() && fstat(fd_.get(), &info) == 0 && info.st_nlink == 0) {
    fd_ = os::UniqueFd();
    return Status(Code::kIo, fmt::format("{} was removed", temporary_));
  }
  std::string whole;
  if (!fd_.ok()) {
    if (Status opened = Open(); !opened.ok()) return opened;
    whole.append(format::kKernelFileMagic).append(blocks);
    blocks = whole;
  }
  if (!WriteTextAt(fd_.get(), blocks, size_)) {
    const Status status = os::IoError("write", temporary_, errno);
    (void)!ftruncate(fd_.get(), static_cast<off_t>(size_));
    fd_ = os::UniqueFd();
    return status;
  }
  size_ += blocks.size();
  return Status();
}

Status KernelFile::Finish(int64_t end_us) {
  if (!fd_.ok()) return Status();
  fd_ = os::UniqueFd();
  return NameTimeline(temporary_, folder_, end_us, node_, format::kKernelTimeline);
}

}  // namespace warden::capture
