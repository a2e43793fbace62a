#include "warden/monitor/source_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace warden::monitor {
namespace {

constexpr size_t kFirstSize = 4096;
constexpr ssize_t kSurelyTheEnd = kFirstSize / 2;
constexpr size_t kMostBytes = size_t{4} << 20;

}  // namespace

bool SourceFile::Open() {
  // Not waited for, should somebody have put a pipe there.
  if (!fd_.ok()) fd_ = os::UniqueFd(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  return fd_.ok();
}

std::string_view SourceFile::Read() {
  if (!Open()) return {};
  if (buffer_.size() < kFirstSize) buffer_.resize(kFirstSize);
  size_t length = 0;
  while (true) {
    const ssize_t got = pread(fd_.get(), buffer_.data() + length, buffer_.size() - length,
                              static_cast<off_t>(length));
    if (got < 0) {
      // The process or device that it tells of is gone; another may come in its place.
      fd_ = os::UniqueFd();
      return {};
    }
    length += static_cast<size_t>(got);
    // Files below /proc that are made line by line come a page at a time; much less than a page is
    // the end, which saves asking the kernel again.
    if (got == 0 || (length < buffer_.size() && got < kSurelyTheEnd)) break;
    if (length == buffer_.size()) {
      if (length >= kMostBytes) break;
      buffer_.resize(buffer_.size() * 2);
    }
  }
  return std::string_view(buffer_).substr(0, length);
}

std::string_view SourceFile::ReadStart(size_t length) {
  if (!Open()) return {};
  if (buffer_.size() < length) buffer_.resize(length);
  const ssize_t got = pread(fd_.get(), buffer_.data(), length, 0);
  if (got < 0) {
    fd_ = os::UniqueFd();
    return {};
  }
  return std::string_view(buffer_).substr(0, static_cast<size_t>(got));
}

std::string ReadSmallFile(const std::string& path) { return std::string(SourceFile(path).Read()); }

}  // namespace warden::monitor
