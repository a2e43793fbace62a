#include "warden/sagemaker/logs_events.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "warden/jobs/logs/log_folder.h"

namespace warden::sagemaker {
namespace {

// Of an answer, as at Amazon.
constexpr size_t kPageBytes = 1 << 20;
constexpr size_t kPageLines = 10'000;
constexpr size_t kMergeLines = 1'000;

void KeepWanted(const EventQuery& query, std::vector<jobs::LogLine>* lines) {
  std::erase_if(*lines, [&](const jobs::LogLine& line) { return !query.Wants(line); });
}

// The lines of one stream, read as they are needed.
class Source {
 public:
  Source(const LogStream* stream, const EventQuery* query, uint64_t position)
      : stream_(stream), query_(query), position_(position), end_(position) {}

  // The next one that is wanted; nullptr: there are no more.
  Result<const jobs::LogLine*> Peek() {
    while (lines_.empty()) {
      Result<jobs::LogPage> page = jobs::ReadLog(stream_->folder, end_, kMergeLines, kPageBytes);
      if (!page.ok()) return page.status();
      if (page.value().lines.empty()) {
        position_ = end_;
        return static_cast<const jobs::LogLine*>(nullptr);
      }
      end_ = page.value().next;
      KeepWanted(*query_, &page.value().lines);
      for (jobs::LogLine& line : page.value().lines) lines_.push_back(std::move(line));
    }
    position_ = lines_.front().position;
    return static_cast<const jobs::LogLine*>(&lines_.front());
  }

  jobs::LogLine Take() {
    jobs::LogLine line = std::move(lines_.front());
    lines_.pop_front();
    position_ = lines_.empty() ? end_ : lines_.front().position;
    return line;
  }

  uint64_t position() const { return position_; }

 private:
  const LogStream* stream_;
  const EventQuery* query_;
  uint64_t position_;  // Of what was not taken yet.
  uint64_t end_;       // Of what was read.
  std::deque<jobs::LogLine> lines_;
};

// The source whose next line is the oldest; nothing if there are no more lines.
Result<std::optional<size_t>> Oldest(std::vector<Source>* sources) {
  std::optional<size_t> oldest;
  Time time{};
  for (size_t i = 0; i < sources->size(); ++i) {
    const Result<const jobs::LogLine*> line = (*sources)[i].Peek();
    if (!line.ok()) return line.status();
    if (line.value() == nullptr || (oldest && line.value()->time >= time)) continue;
    oldest = i;
    time = line.value()->time;
  }
  return oldest;
}

}  // namespace

bool EventQuery::Wants(const jobs::LogLine& line) const {
  const int64_t time = line.time.time_since_epoch().count();
  return (!start || time >= *start) && (!end || time < *end) && pattern.Matches(line.text);
}

Result<jobs::LogPage> ReadForward(const LogStream& stream, const EventQuery& query,
                                  uint64_t position) {
  while (true) {
    Result<jobs::LogPage> page = jobs::ReadLog(stream.folder, position, query.limit, kPageBytes);
    if (!page.ok() || page.value().lines.empty()) return page;
    KeepWanted(query, &page.value().lines);
    // An empty page would tell the client that it has seen all.
    if (!page.value().lines.empty()) return page;
    position = page.value().next;
  }
}

Result<jobs::LogPage> ReadBackward(const LogStream& stream, const EventQuery& query,
                                   std::optional<uint64_t> before) {
  const Result<std::vector<jobs::LogFile>> files = jobs::LogFilesIn(stream.folder);
  if (!files.ok()) return files.status();
  jobs::LogPage page;
  if (files.value().empty()) return page;
  const jobs::LogFile& last = files.value().back();
  const uint64_t oldest = files.value().front().start;
  const uint64_t end =
      std::clamp(before.value_or(last.start + last.size), oldest, last.start + last.size);
  const uint64_t begin = end - oldest > kPageBytes ? end - kPageBytes : oldest;
  page.next = begin;
  while (page.next < end) {
    Result<jobs::LogPage> read = jobs::ReadLog(stream.folder, page.next, kPageLines, kPageBytes);
    if (!read.ok()) return read;
    if (read.value().lines.empty()) break;
    for (jobs::LogLine& line : read.value().lines) {
      // The first one may have been cut by where we began.
      const bool whole = line.position != begin || begin == oldest;
      if (whole && line.position < end && query.Wants(line)) page.lines.push_back(std::move(line));
    }
    page.next = read.value().next;
  }
  page.next = std::min(page.next, end);
  if (page.lines.size() > query.limit) {
    page.lines.erase(page.lines.begin(),
                     page.lines.end() - static_cast<std::ptrdiff_t>(query.limit));
  }
  return page;
}

Result<MergedPage> ReadMerged(const std::vector<LogStream>& streams, const EventQuery& query,
                              std::vector<uint64_t> positions) {
  std::vector<Source> sources;
  for (size_t i = 0; i < streams.size(); ++i) {
    sources.emplace_back(&streams[i], &query, positions[i]);
  }
  MergedPage page;
  size_t bytes = 0;
  while (true) {
    const Result<std::optional<size_t>> oldest = Oldest(&sources);
    if (!oldest.ok()) return oldest.status();
    if (!oldest.value()) break;
    page.more = page.lines.size() >= query.limit || bytes >= kPageBytes;
    if (page.more) break;
    page.lines.push_back({*oldest.value(), sources[*oldest.value()].Take()});
    bytes += page.lines.back().line.text.size();
  }
  for (const Source& source : sources) page.next.push_back(source.position());
  return page;
}

}  // namespace warden::sagemaker
