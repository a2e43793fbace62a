#include "warden/view/timeline/trace_feed.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "warden/format/profiler_layout.h"
#include "warden/timeline/feed/followed_file.h"
#include "warden/timeline/import/span_table.h"

namespace warden::view {
namespace {

using timeline::FoundFile;
using timeline::PaddedText;
using timeline::Source;
using timeline::TraceFile;

using Clock = std::chrono::steady_clock;

constexpr auto kListEvery = std::chrono::milliseconds(250);
constexpr size_t kPiece = size_t{1} << 20;
constexpr double kQuietSeconds = 1;
constexpr size_t kMostProblems = 100;

uint64_t SizeOf(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 ? static_cast<uint64_t>(info.st_size) : 0;
}

}  // namespace

// The files of one writer, which come after each other.
class TraceFeed::Writer final : public timeline::Stream {
 public:
  Writer(TraceFeed* feed, const TraceFile& file)
      : Stream(&feed->problems_),
        feed_(*feed),
        file_(file),
        reader_({file.node, file.source, file.base_us, true}, feed->names_) {}

  int64_t time_us() const override { return 0; }  // They are not mixed with others.
  // What was read has been handed on already.
  void TakeNext(timeline::ProfileBatch* /*batch*/) override { ready_ = false; }

 private:
  bool ready() const override { return ready_; }
  void BeginFile() override {
    reader_.BeginFile();
    file_number_.reset();
    offset_ = 0;
  }
  void OnPause(bool /*finished*/, double /*quiet_seconds*/) override {}

  void Parse(PaddedText* text, bool last, const std::string& path) override {
    if (!file_number_) file_number_ = feed_.arguments_->AddFile(file_);
    if (file_.path != path) {
      file_.path = path;
      feed_.arguments_->Rename(*file_number_, path);
    }
    const timeline::TraceProblems before = reader_.problems();
    const size_t done = feed_.ReadPiece(text->text(), last, *file_number_, offset_, &reader_);
    offset_ += done;
    feed_.bytes_read_ += done;
    text->Drop(done);
    ready_ |= done > 0;
    const std::string problem = timeline::ProblemsSince(before, reader_.problems());
    if (!problem.empty()) Tell(fmt::format("{}: {}", path, problem));
  }

  TraceFeed& feed_;
  TraceFile file_;
  timeline::TraceReader reader_;
  std::optional<size_t> file_number_;
  uint64_t offset_ = 0;
  bool ready_ = false;
};

// A trace that a framework wrote at once.
class TraceFeed::WholeTrace {
 public:
  WholeTrace(TraceFeed* feed, const TraceFile& file)
      : feed_(*feed),
        file_(file),
        number_(feed->arguments_->AddFile(file)),
        reader_({file.node, file.source, file.base_us, true}, feed->names_) {}

  // Reads a piece. False: that was the last.
  bool Next() {
    bool last = false;
    const Status status = file_.gzip ? Unpack(&last) : ReadMore(&last);
    if (!status.ok()) {
      feed_.Tell(status.message());
      return false;
    }
    const std::string_view text = text_.text().substr(at_, window_);
    const size_t done = feed_.ReadPiece(text, last, number_, offset_, &reader_);
    offset_ += done;
    // An event that is longer than the window is tried again with more.
    window_ = done > 0 ? kPiece : window_ * 2;
    if (file_.gzip) {
      at_ += done;
    } else {
      text_.Drop(done);
      feed_.bytes_read_ += done;
    }
    if (!last) return true;
    const std::string problem = timeline::ProblemsSince({}, reader_.problems());
    if (!problem.empty()) feed_.Tell(fmt::format("{}: {}", file_.path, problem));
    return false;
  }

 private:
  Status ReadMore(bool* last) {
    const size_t before = text_.size();
    Status status = timeline::ReadFileRange(file_, offset_ + before, kPiece, &text_);
    *last = text_.size() == before;
    window_ = text_.size();
    return status;
  }

  // Packed bytes cannot be begun with in the middle: all of it at once.
  Status Unpack(bool* last) {
    if (!unpacked_) {
      bool cut = false;
      auto unpacked = timeline::ReadGzipFile(file_, timeline::kMostUnpacked, &cut);
      feed_.bytes_read_ += SizeOf(file_.path);
      if (!unpacked.ok()) return unpacked.status();
      if (cut) feed_.Tell(fmt::format("{} is cut off", file_.path));
      text_ = std::move(unpacked.value());
      unpacked_ = true;
    }
    *last = text_.size() - at_ <= window_;
    return {};
  }

  TraceFeed& feed_;
  const TraceFile file_;
  const size_t number_;
  timeline::TraceReader reader_;
  PaddedText text_;
  bool unpacked_ = false;
  size_t at_ = 0;           // In the text.
  size_t window_ = kPiece;  // So much of it is looked at.
  uint64_t offset_ = 0;     // In the file, unpacked.
};

TraceFeed::TraceFeed(std::string folder, timeline::Names* names, ArgumentFinder* arguments,
                     TakeTimedSpan take, std::function<void()> begin_file)
    : folder_(std::move(folder)),
      names_(names),
      arguments_(arguments),
      take_(std::move(take)),
      begin_file_(std::move(begin_file)),
      scan_(folder_) {}

TraceFeed::~TraceFeed() = default;

bool TraceFeed::Next() {
  if (!listed_ || Clock::now() - listed_at_ >= kListEvery) List();
  if (current_ == nullptr) {
    for (const auto& [name, writer] : writers_) {
      if (!writer->Fill()) continue;
      writer->TakeNext(nullptr);
      return true;
    }
    if (whole_.empty()) return false;
    begin_file_();
    current_ = std::make_unique<WholeTrace>(this, whole_.front());
    whole_.pop_front();
  }
  if (!current_->Next()) current_.reset();
  return true;
}

void TraceFeed::List() {
  listed_ = true;
  listed_at_ = Clock::now();
  const std::vector<FoundFile> found = scan_.List();
  std::vector<std::string> keys;
  for (const FoundFile& file : found) keys.push_back(file.key);
  for (const FoundFile& one : found) {
    if (one.key.starts_with(format::kSystemPrefix)) continue;
    const auto file = timeline::ToTraceFile(folder_, one.key, keys);
    if (file) Add(one, *file);
  }
}

void TraceFeed::Add(const FoundFile& found, const TraceFile& file) {
  const auto known = known_.find(found.id);
  if (known != known_.end() && known->second == found.key) return;
  const bool whole = file.source == Source::kTensorFlow || file.source == Source::kOther;
  if (whole && (known != known_.end() || !IsQuiet(found, file))) return;
  if (known == known_.end()) bytes_known_ += SizeOf(file.path);
  known_[found.id] = found.key;
  if (whole) {
    whole_.push_back(file);
    return;
  }
  std::unique_ptr<Writer>& writer = writers_[file.node + "/" + file.suffix];
  if (writer == nullptr) writer = std::make_unique<Writer>(this, file);
  writer->Add(found.id, file.path, file.time_us, file.finished);
}

// Traces that a framework writes at once are whole when TensorFlow's have a file beside them, and
// others have not been written for a while.
bool TraceFeed::IsQuiet(const FoundFile& found, const TraceFile& file) {
  if (file.source == Source::kTensorFlow && file.time_us == 0) return false;
  timeline::FollowedFile open;
  return open.Open(file.path, found.id).ok() && open.quiet_seconds() >= kQuietSeconds;
}

size_t TraceFeed::ReadPiece(std::string_view text, bool last, size_t file, uint64_t offset,
                            timeline::TraceReader* reader) {
  ArgumentFinder::Piece piece{file, offset, 0, reader->state().base_us(), INT64_MAX, INT64_MIN};
  const size_t done = reader->Read(text, last, [&](const timeline::TraceSpan& span) {
    const auto times = TimesOf(reader->state().base_us(), span.ts_us, span.duration_us);
    if (!times) {
      if (beyond_++ == 0) {
        Tell(fmt::format("skipped events with an invalid time; first: '{}' at {} µs",
                         names_->Text(span.event_name).substr(0, 100), span.start_us));
      }
      return;
    }
    piece.first_ns = std::min(piece.first_ns, times->start_ns);
    piece.last_ns = std::max(piece.last_ns, times->start_ns);
    take_(span, *times);
  });
  piece.length = done;
  if (piece.first_ns <= piece.last_ns) arguments_->AddPiece(piece);
  return done;
}

void TraceFeed::Tell(std::string problem) {
  if (problems_.size() < kMostProblems) problems_.push_back(std::move(problem));
}

}  // namespace warden::view
