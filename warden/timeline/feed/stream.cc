#include "warden/timeline/feed/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "warden/format/metric_line.h"
#include "warden/timeline/import/span_table.h"

namespace warden::timeline {
namespace {

constexpr size_t kPiece = size_t{256} << 10;
// So long after a sample's last line nothing more belongs to it.
constexpr double kQuietSeconds = 0.3;
// So long after a file was last written, a later file of the same writer says that it is left.
constexpr double kForsakenSeconds = 2;
constexpr size_t kMostProblems = 100;
// A file with nothing to tell in so many bytes is none of ours, and may have no end: whoever asks
// for what is ready must not wait for it.
constexpr uint64_t kMostBarren = uint64_t{64} << 20;
// Nor is one line, or one span, that goes on for so long.
constexpr size_t kLongest = size_t{16} << 20;

}  // namespace

void Stream::Add(FileId id, const std::string& path, int64_t time_us, bool finished) {
  if (left_.contains(id)) return;
  const Waiting file{id, path, time_us, finished};
  if (file_.open() && current_.id == id) {
    current_ = file;
    return;
  }
  std::erase_if(waiting_, [&](const Waiting& other) { return other.id == id; });
  // Put where it belongs: a long run has tens of thousands of files, which come in their order.
  const auto later = [](const Waiting& a, const Waiting& b) {
    return std::tie(b.finished, a.time_us, a.path) < std::tie(a.finished, b.time_us, b.path);
  };
  waiting_.insert(std::upper_bound(waiting_.begin(), waiting_.end(), file, later), file);
}

bool Stream::Fill() {
  while (!ready()) {
    if (file_.open() && ReadCurrent()) continue;
    if (file_.open() && !at_end_) LeaveIfForsaken();
    // A file that is being written stays the current one until it has its final name.
    if (file_.open() && !at_end_) return ready();
    if (!OpenNext()) return ready();
  }
  return true;
}

bool Stream::ReadCurrent() {
  bool more = false;
  bool restarted = false;
  const Status status = file_.ReadMore(kPiece, &more, &restarted);
  if (!status.ok()) {
    Tell(status.message());
    at_end_ = true;
    return false;
  }
  if (restarted) BeginFile();
  if (!more) {
    if (current_.finished && !at_end_) {
      at_end_ = true;
      Parse(file_.text(), /*last=*/true, current_.path);
    }
    OnPause(current_.finished, file_.quiet_seconds());
    return ready();
  }
  at_end_ = false;
  Parse(file_.text(), /*last=*/false, current_.path);
  if (!IsBarren()) return true;
  Tell(fmt::format("{}: no events in {} MiB; the rest is skipped", current_.path, barren_ >> 20));
  left_.insert(current_.id);
  at_end_ = true;
  return false;
}

bool Stream::IsBarren() {
  barren_ = ready() ? 0 : barren_ + kPiece;
  return barren_ > kMostBarren || file_.text()->size() > kLongest;
}

// Whoever wrote the file was killed, and another one goes on in the next.
void Stream::LeaveIfForsaken() {
  if (waiting_.empty() || file_.quiet_seconds() < kForsakenSeconds) return;
  left_.insert(current_.id);
  at_end_ = true;
}

bool Stream::OpenNext() {
  file_ = FollowedFile();
  while (!waiting_.empty()) {
    current_ = waiting_.front();
    waiting_.erase(waiting_.begin());
    const Status status = file_.Open(current_.path, current_.id);
    if (status.ok()) {
      at_end_ = false;
      barren_ = 0;
      BeginFile();
      return true;
    }
    // One that got its final name just now is found again under that.
    if (current_.finished) Tell(status.message());
  }
  return false;
}

void Stream::Tell(std::string problem) {
  if (problems_->size() < kMostProblems) problems_->push_back(std::move(problem));
}

int64_t MetricStream::time_us() const {
  return static_cast<int64_t>(std::llround(std::clamp(samples_.front().time_s, -9e12, 9e12) * 1e6));
}

void MetricStream::TakeNext(ProfileBatch* batch) {
  batch->samples.push_back(std::move(samples_.front()));
  samples_.pop_front();
}

void MetricStream::Parse(PaddedText* text, bool last, const std::string& path) {
  // The last line of a file that is done counts without its newline, too.
  if (last && text->size() > 0) text->Append("\n");
  const format::MetricsRead read =
      format::ReadMetricLines(text->text(), [this](const format::MetricLine& line) {
        NodeSample done;
        if (ticks_.Add(line, &done)) samples_.push_back(std::move(done));
      });
  text->Drop(read.bytes);
  if (read.broken > 0) {
    Tell(fmt::format("{}: skipped {} invalid lines; first: {}", path, read.broken,
                     read.first_broken));
  }
}

void MetricStream::OnPause(bool finished, double quiet_seconds) {
  NodeSample done;
  if ((finished || quiet_seconds > kQuietSeconds) && ticks_.Finish(&done)) {
    samples_.push_back(std::move(done));
  }
}

SpanStream::SpanStream(const TraceFile& file, Names* names, std::vector<std::string>* problems)
    : Stream(problems), reader_({file.node, file.source, file.base_us, true}, names) {}

void SpanStream::TakeNext(ProfileBatch* batch) {
  batch->spans.push_back(spans_.front());
  spans_.pop_front();
}

void SpanStream::Parse(PaddedText* text, bool last, const std::string& path) {
  const TraceProblems before = reader_.problems();
  text->Drop(reader_.Read(text->text(), last,
                          [this](const TraceSpan& found) { spans_.push_back(found.span); }));
  const std::string problem = ProblemsSince(before, reader_.problems());
  if (!problem.empty()) Tell(fmt::format("{}: {}", path, problem));
}

}  // namespace warden::timeline
