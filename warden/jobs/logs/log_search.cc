#include "warden/jobs/logs/log_search.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "warden/jobs/logs/log_folder.h"

namespace warden::jobs {
namespace {

// Read at once. More than the longest line that a writer writes, so that a window that begins
// anywhere has a whole line; and little enough for lines without text, of which each takes memory.
constexpr size_t kWindow = 256 << 10;
constexpr size_t kBytesAtOnce = 1 << 20;
constexpr size_t kLinesAtOnce = 10'000;
// Lines that are tried for a time around a position.
constexpr size_t kTimedWithin = 64;
// After a binary search the line is in the next window; more is read only if times do not grow.
constexpr size_t kLastSearch = 2 << 20;

// The lines that a search returns, as long as there is room.
class Room {
 public:
  explicit Room(const LogLimits& limits) : lines_(limits.lines), bytes_(limits.bytes) {}

  // The first line always fits, or a reader would never get past it.
  bool Take(const LogLine& line) {
    const size_t size = line.text.size();
    if (lines_ == 0 || (size > bytes_ && !empty_)) return false;
    --lines_;
    bytes_ -= std::min(size, bytes_);
    empty_ = false;
    return true;
  }

 private:
  size_t lines_;
  size_t bytes_;
  bool empty_ = true;
};

// Part of a file.
struct Window {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool cut = false;  // It may begin within a line.
};

// The last bytes before a position; empty if nothing is kept there.
Window WindowBefore(const std::vector<LogRange>& kept, uint64_t position) {
  const auto behind = std::find_if(kept.begin(), kept.end(),
                                   [&](const LogRange& range) { return range.begin >= position; });
  if (behind == kept.begin()) return {position, position};
  const LogRange& range = *(behind - 1);
  const uint64_t end = std::min(range.end, position);
  const uint64_t begin = end - range.begin > kWindow ? end - kWindow : range.begin;
  return {begin, end, begin > range.begin};
}

// The lines that begin in a window, and where the last one ends.
Result<LogPage> LinesIn(const std::string& folder, const Window& window) {
  LogPage all;
  all.next = window.begin;
  while (all.next < window.end) {
    Result<LogPage> page = ReadLog(folder, all.next, kLinesAtOnce, kWindow);
    if (!page.ok()) return page;
    if (page.value().lines.empty()) break;
    all.next = page.value().next;
    for (LogLine& line : page.value().lines) {
      if (line.position >= window.end) {
        all.next = line.position;
        return all;
      }
      all.lines.push_back(std::move(line));
    }
  }
  return all;
}

// The first line behind a position that has a time and does not begin there, where it may be cut.
Result<std::optional<LogLine>> TimedLineBehind(const std::string& folder, uint64_t position,
                                               const std::vector<LogRange>& kept) {
  Result<LogPage> page = ReadLog(folder, position, kTimedWithin, kWindow);
  if (!page.ok()) return page.status();
  for (LogLine& line : page.value().lines) {
    const bool timed = line.time != Time{} && !SaysGap(line, kept);
    if (timed && line.position != position) return std::optional(std::move(line));
  }
  return std::optional<LogLine>();
}

}  // namespace

Result<LogPart> LinesFrom(const std::string& folder, uint64_t position, const LogLimits& limits,
                          const WantsLine& wants) {
  LogPart part{{}, position, position, false};
  Room room(limits);
  size_t searched = 0;
  while (searched < limits.searched) {
    Result<LogPage> page = ReadLog(folder, part.end, kLinesAtOnce, kBytesAtOnce);
    if (!page.ok()) return page.status();
    if (page.value().lines.empty()) {
      part.end = page.value().next;
      return part;
    }
    for (LogLine& line : page.value().lines) {
      searched += line.text.size() + 1;
      if (!wants(line)) continue;
      if (!room.Take(line)) {
        part.end = line.position;
        part.more = true;
        return part;
      }
      part.lines.push_back(std::move(line));
    }
    part.end = page.value().next;
  }
  part.more = true;
  return part;
}

Result<LogPart> LinesBefore(const std::string& folder, uint64_t position, const LogLimits& limits,
                            const WantsLine& wants) {
  const Result<std::vector<LogRange>> kept = KeptRanges(folder);
  if (!kept.ok()) return kept.status();
  LogPart part;
  if (kept.value().empty()) return part;
  part.begin = part.end = std::min(position, kept.value().back().end);
  Room room(limits);
  size_t searched = 0;
  for (bool first = true;; first = false) {
    const Window window = WindowBefore(kept.value(), part.begin);
    part.more = window.begin < window.end;
    if (!part.more || searched >= limits.searched) break;
    searched += window.end - window.begin;
    Result<LogPage> page = LinesIn(folder, window);
    if (!page.ok()) return page.status();
    std::vector<LogLine>& lines = page.value().lines;
    // An incomplete last line is left for later, and one that was cut here for the next window; but
    // if there is no other, no window would ever have it whole.
    if (first) part.end = page.value().next;
    if (window.cut && lines.size() > 1) lines.erase(lines.begin());
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      if (wants(*line)) {
        if (!room.Take(*line)) {
          std::reverse(part.lines.begin(), part.lines.end());
          return part;
        }
        part.lines.push_back(std::move(*line));
      }
      part.begin = line->position;
    }
    if (lines.empty()) part.begin = window.begin;
  }
  std::reverse(part.lines.begin(), part.lines.end());
  return part;
}

Result<std::vector<LogRange>> KeptRanges(const std::string& folder) {
  const Result<std::vector<LogFile>> files = LogFilesIn(folder);
  if (!files.ok()) return files.status();
  std::vector<LogRange> kept;
  for (const LogFile& file : files.value()) {
    const uint64_t end = file.start + file.size;
    if (file.size == 0) continue;
    if (!kept.empty() && file.start <= kept.back().end) {
      kept.back().end = std::max(kept.back().end, end);
    } else {
      kept.push_back({file.start, end});
    }
  }
  return kept;
}

bool SaysGap(const LogLine& line, const std::vector<LogRange>& kept) {
  if (line.text != kGapText || kept.empty()) return false;
  const uint64_t end = line.position + GapLine(line.time).size();
  return std::any_of(kept.begin(), kept.end() - 1,
                     [&](const LogRange& range) { return range.end == end; });
}

Result<uint64_t> PositionAt(const std::string& folder, Time moment) {
  const Result<std::vector<LogRange>> ranges = KeptRanges(folder);
  if (!ranges.ok()) return ranges.status();
  const std::vector<LogRange>& kept = ranges.value();
  if (kept.empty()) return uint64_t{0};
  uint64_t low = kept.front().begin;  // Where a line begins, or the log.
  uint64_t high = kept.back().end;    // Where a line is, or none, that is not before the moment.
  uint64_t found = high;
  while (high - low > kWindow) {
    const uint64_t middle = low + (high - low) / 2;
    const Result<std::optional<LogLine>> line = TimedLineBehind(folder, middle, kept);
    if (!line.ok()) return line.status();
    const bool before = line.value() && line.value()->time < moment;
    if (before && line.value()->position < high) {
      low = line.value()->position;
      continue;
    }
    high = middle;
    if (line.value() && !before) found = line.value()->position;
  }
  const LogLimits limits{1, kWindow, kLastSearch};
  const Result<LogPart> part = LinesFrom(folder, low, limits, [&](const LogLine& line) {
    return line.time >= moment && !SaysGap(line, kept);
  });
  if (!part.ok()) return part.status();
  if (!part.value().lines.empty()) return part.value().lines.front().position;
  return part.value().more ? found : part.value().end;
}

}  // namespace warden::jobs
