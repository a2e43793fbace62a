#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "warden/base/text/utf8.h"
#include "warden/jobs/logs/log_file.h"
#include "warden/jobs/logs/log_folder.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

// What is read at once, and so the longest line that is understood as one.
constexpr size_t kChunk = 1 << 20;
// Times that a calendar can hold; a file may say anything.
constexpr int64_t kLatest = 253402300799999;

// Of a line without its end. One that has no time of its own (cut, or written by somebody else) has
// that of the line before.
LogLine ParseLine(std::string_view bytes, Time before, uint64_t position) {
  int64_t milliseconds = 0;
  const char* end = bytes.data() + bytes.size();
  const auto [stop, error] = std::from_chars(bytes.data(), end, milliseconds);
  const bool timed = error == std::errc() && stop != end && *stop == ' ' && milliseconds >= 0 &&
                     milliseconds <= kLatest;
  if (!timed) return {before, ValidUtf8(bytes), position};
  bytes.remove_prefix(static_cast<size_t>(stop - bytes.data()) + 1);
  return {Time(std::chrono::milliseconds(milliseconds)), ValidUtf8(bytes), position};
}

class PageReader {
 public:
  PageReader(size_t lines, size_t bytes, LogPage* page)
      : lines_left_(lines), bytes_left_(bytes), page_(page) {}

  // False: enough was read, or the last file ends within a line, which may be whole later.
  bool Read(const std::string& path, uint64_t offset, uint64_t size, bool last) {
    // A run's log is its training's, which may have put a pipe there meanwhile: O_NONBLOCK.
    const os::UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    // It may have gone since the folder was read; those that follow are there.
    if (!fd.ok()) return true;
    while (offset < size) {
      buffer_.resize(std::min<uint64_t>(kChunk, size - offset));
      const ssize_t got =
          pread(fd.get(), buffer_.data(), buffer_.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      const std::string_view chunk(buffer_.data(), static_cast<size_t>(got));
      const size_t used = Take(chunk, chunk.size() == kChunk || !last);
      page_->next += used;
      offset += used;
      if (full_ || used == 0) return false;
    }
    return true;
  }

 private:
  // The whole lines of a chunk, as far as there is room; one that has no line's end at all is a
  // line if nothing can follow. How much it took.
  size_t Take(std::string_view chunk, bool cut) {
    size_t used = 0;
    while (used < chunk.size()) {
      const size_t end = chunk.find('\n', used);
      if (end == std::string_view::npos && (!cut || used > 0)) break;
      const std::string_view line = chunk.substr(used, end - used);
      if (!Fits(line.size())) {
        full_ = true;
        break;
      }
      page_->lines.push_back(ParseLine(line, before_, page_->next + used));
      before_ = page_->lines.back().time;
      used += line.size() + (end == std::string_view::npos ? 0 : 1);
    }
    return used;
  }

  // The first line always does, or a reader would never get past it.
  bool Fits(size_t size) {
    if (lines_left_ == 0 || (size > bytes_left_ && !page_->lines.empty())) return false;
    --lines_left_;
    bytes_left_ -= std::min(size, bytes_left_);
    return true;
  }

  size_t lines_left_;
  size_t bytes_left_;
  LogPage* page_;
  std::string buffer_;
  Time before_{};
  bool full_ = false;
};

}  // namespace

Result<LogPage> ReadLog(const std::string& folder, uint64_t position, size_t lines, size_t bytes) {
  const Result<std::vector<LogFile>> files = LogFilesIn(folder);
  if (!files.ok()) return files.status();
  LogPage page;
  page.next = position;
  PageReader reader(lines, bytes, &page);
  for (const LogFile& file : files.value()) {
    const bool last = &file == &files.value().back();
    if (page.next >= file.start && page.next - file.start >= file.size) continue;
    page.next = std::max(page.next, file.start);
    if (!reader.Read(folder + "/" + file.name, page.next - file.start, file.size, last)) break;
  }
  return page;
}

}  // namespace warden::jobs
