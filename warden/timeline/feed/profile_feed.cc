#include "warden/timeline/feed/profile_feed.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "warden/format/profiler_layout.h"
#include "warden/timeline/feed/folder_scan.h"
#include "warden/timeline/feed/stream.h"
#include "warden/timeline/import/span_table.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kListEvery = std::chrono::milliseconds(100);
constexpr int64_t kBatchUs = 2'000'000;  // Of the run's own time.
constexpr size_t kBatchSpans = 20'000;
constexpr size_t kBatchSamples = 5'000;

class Feed final : public ProfileFeed {
 public:
  explicit Feed(std::string folder) : folder_(std::move(folder)), scan_(folder_) {}

  Status Next(ProfileBatch* batch) override {
    batch->clear();
    if (!listed_ || Clock::now() - listed_at_ >= kListEvery) List();
    FillBatch(batch);
    // Nothing more: but what was written before the end was told must have been seen.
    if (batch->empty() && end_told_ && !ended_) {
      List();
      ended_ = true;
      FillBatch(batch);
    }
    return {};
  }

  void LookAgain() override { listed_ = false; }
  bool ended() const override { return ended_; }
  bool any() const override { return !known_.empty(); }
  const Names& names() const override { return names_; }
  const std::vector<std::string>& problems() const override { return problems_; }

 private:
  // A file that is known, under its last name.
  struct Known {
    std::string key;
    bool finished = false;
  };

  void List();
  void AddMetrics(const FoundFile& found);
  void AddTrace(const FoundFile& found, const std::vector<std::string>& keys);
  void AddPacked(const FoundFile& found, const TraceFile& file);
  bool IsNew(const FoundFile& found, bool finished);
  void FillBatch(ProfileBatch* batch);

  const std::string folder_;
  FolderScan scan_;
  Names names_;
  std::vector<std::string> problems_;
  bool listed_ = false;
  Clock::time_point listed_at_;
  bool end_told_ = false;
  bool ended_ = false;
  std::map<FileId, Known> known_;
  // By the node, or by node and suffix: the files of one come after each other.
  std::map<std::string, std::unique_ptr<Stream>> streams_;
  // Spans of packed traces, which are read in one go; by their ends.
  std::multimap<int64_t, Span> packed_;
};

void Feed::List() {
  const std::vector<FoundFile> found = scan_.List();
  listed_ = true;
  listed_at_ = Clock::now();
  std::vector<std::string> keys;
  for (const FoundFile& file : found) keys.push_back(file.key);
  bool system_end = false;
  bool framework_end = false;
  bool unfinished_metrics = false;
  for (const FoundFile& file : found) {
    system_end |= file.key == format::kSystemEnd;
    framework_end |= file.key == format::kFrameworkEnd;
    unfinished_metrics |= file.key.ends_with(format::kUnfinishedMetrics);
    if (file.key.starts_with(format::kSystemPrefix)) {
      AddMetrics(file);
    } else {
      AddTrace(file, keys);
    }
  }
  // The machine is watched for a little longer than the training lasts.
  end_told_ = system_end || (framework_end && !unfinished_metrics);
}

// Whether the file, or the name that it has now, is new. A file keeps its inode when it gets its
// final name; another file may be given the inode of one that was removed.
bool Feed::IsNew(const FoundFile& found, bool finished) {
  const auto [known, made] = known_.try_emplace(found.id, Known{found.key, finished});
  if (made) return true;
  if (known->second.key == found.key) return false;
  known->second = {found.key, finished};
  return true;
}

void Feed::AddMetrics(const FoundFile& found) {
  const auto name = format::ParseMetricFileKey(found.key);
  const auto file = ToMetricFile(folder_, found.key);
  if (!name || !file || !IsNew(found, file->finished)) return;
  std::unique_ptr<Stream>& stream = streams_[name->node];
  if (stream == nullptr) stream = std::make_unique<MetricStream>(&names_, &problems_);
  stream->Add(found.id, file->path, file->time_us, file->finished);
}

void Feed::AddTrace(const FoundFile& found, const std::vector<std::string>& keys) {
  const auto file = ToTraceFile(folder_, found.key, keys);
  if (!file) return;
  const bool whole = file->source == Source::kTensorFlow || file->source == Source::kOther;
  if (whole) return AddPacked(found, *file);
  if (!IsNew(found, file->finished)) return;
  std::unique_ptr<Stream>& stream = streams_[file->node + "/" + file->suffix];
  if (stream == nullptr) stream = std::make_unique<SpanStream>(*file, &names_, &problems_);
  stream->Add(found.id, file->path, file->time_us, file->finished);
}

// Traces that a framework writes at once. They are not begun with before they are whole: those of
// TensorFlow have a file beside them then, others have not been written for a while.
void Feed::AddPacked(const FoundFile& found, const TraceFile& file) {
  constexpr double kQuietEnough = 1;
  if (file.source == Source::kTensorFlow && file.time_us == 0) return;
  FollowedFile open;
  if (known_.contains(found.id) || !open.Open(file.path, found.id).ok()) return;
  if (open.quiet_seconds() < kQuietEnough || !IsNew(found, /*finished=*/true)) return;
  TraceReaders readers(&names_, /*want_names=*/true);
  TraceReader* const reader = readers.Of(file);
  const Status status = ReadTraceFile(file, reader, [this](const TraceSpan& span) {
    packed_.emplace(span.span.end_us(), span.span);
  });
  if (!status.ok()) problems_.push_back(status.message());
}

void Feed::FillBatch(ProfileBatch* batch) {
  std::vector<std::pair<int64_t, Stream*>> heap;  // The earliest on top.
  for (const auto& [name, stream] : streams_) {
    if (stream->Fill()) heap.emplace_back(stream->time_us(), stream.get());
  }
  const std::greater<> later;
  std::make_heap(heap.begin(), heap.end(), later);
  int64_t until = INT64_MAX;
  const auto begin = [&](int64_t time) {
    if (batch->empty()) until = time > INT64_MAX - kBatchUs ? INT64_MAX : time + kBatchUs;
  };
  while (batch->spans.size() < kBatchSpans && batch->samples.size() < kBatchSamples) {
    const int64_t next = heap.empty() ? INT64_MAX : heap.front().first;
    if (!packed_.empty() && packed_.begin()->first <= next) {
      begin(packed_.begin()->first);
      if (packed_.begin()->first > until) return;
      batch->spans.push_back(packed_.begin()->second);
      packed_.erase(packed_.begin());
      continue;
    }
    if (heap.empty()) return;
    begin(next);
    if (next > until) return;
    std::pop_heap(heap.begin(), heap.end(), later);
    Stream* const stream = heap.back().second;
    heap.pop_back();
    stream->TakeNext(batch);
    if (!stream->Fill()) continue;
    heap.emplace_back(stream->time_us(), stream);
    std::push_heap(heap.begin(), heap.end(), later);
  }
}

}  // namespace

std::unique_ptr<ProfileFeed> OpenProfileFeed(std::string folder) {
  return std::make_unique<Feed>(std::move(folder));
}

}  // namespace warden::timeline
