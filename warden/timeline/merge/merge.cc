#include "warden/timeline/merge/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "warden/format/profiler_layout.h"
#include "warden/timeline/import/span_table.h"
#include "warden/timeline/merge/block_loader.h"
#include "warden/timeline/merge/event_writer.h"
#include "warden/timeline/merge/kernel_events.h"
#include "warden/timeline/merge/system_events.h"
#include "warden/timeline/merge/text_sink.h"
#include "warden/timeline/merge/trace_blocks.h"
#include "warden/timeline/metric_table.h"
#include "warden/timeline/node_sample.h"

namespace warden::timeline {
namespace {

// The files of a run, with the clocks of their hosts.
std::vector<TraceFile> FilesOf(const std::string& folder, const MergeOptions& options) {
  // The names of files have the times of their hosts.
  const int64_t buffer_us = options.buffer_us + FarthestUs(options.clocks);
  std::vector<TraceFile> files =
      TraceFiles(folder, options.range, buffer_us, options.unfinished, options.suffixes);
  for (TraceFile& file : files) {
    file.ahead_us = AheadUs(options.clocks, SplitNode(file.node).first);
  }
  return files;
}

// The same of GPU activity, which no suffix names.
std::vector<ActivityFile> ActivityOf(const std::string& folder, const MergeOptions& options) {
  if (!options.kernels || !options.suffixes.empty()) return {};
  std::vector<ActivityFile> files = ActivityFiles(folder, options.unfinished);
  for (ActivityFile& file : files) {
    file.ahead_us = AheadUs(options.clocks, SplitNode(file.node).first);
  }
  return files;
}

// The range with so much more on both sides, where it has ends.
TimeRange Widened(TimeRange range, int64_t more_us) {
  const TimeRange all;
  if (range.start_us > all.start_us + more_us) range.start_us -= more_us;
  if (range.end_us < all.end_us - more_us) range.end_us += more_us;
  return range;
}

// The metrics of the range, by one clock.
Result<MetricTable> MetricsOf(const std::string& folder, const MergeOptions& options) {
  MetricQuery query;
  query.range = Widened(options.range, FarthestUs(options.clocks));
  query.buffer_us = options.buffer_us;
  query.unfinished = options.unfinished;
  auto table = ReadMetrics(folder, query);
  if (!table.ok() || options.clocks.empty()) return table;
  MetricTable& metrics = table.value();
  for (size_t i = 0; i < metrics.size(); ++i) {
    metrics.times_us[i] -= AheadUs(options.clocks, metrics.names.Text(metrics.nodes[i]));
    // SystemEvents leaves out what is not a number.
    if (!options.range.Has(metrics.times_us[i])) metrics.values[i] = kNotMeasured;
  }
  return table;
}

// Merges blocks and metrics. A block is read when the first of its spans may be the next, and is
// let go when the last of them is written.
class Merger {
 public:
  Merger(const MergeOptions& options, std::vector<TraceFile> files, TextSink* sink)
      : options_(options), files_(std::move(files)), sink_(sink), writer_(sink->buffer()) {}

  void AddSystem(MetricTable table) {
    Move(&table.problems, &result_.problems);
    system_ = std::make_unique<SystemEvents>(std::move(table), options_.bottlenecks);
    result_.counters = system_->counters();
    result_.marks = system_->marks();
  }

  void AddKernels(std::vector<ActivityFile> files) {
    if (files.empty()) return;
    kernels_ = std::make_unique<KernelEvents>(std::move(files), options_.range, &names_);
  }

  Result<MergeResult> Run() {
    for (const TraceFile& file : files_) {
      std::error_code error;
      const uintmax_t size = std::filesystem::file_size(file.path, error);
      if (!error) all_bytes_ += size;
    }
    BlockScan scan =
        ScanBlocks(files_, options_.range, &names_, [this](uint64_t done) { Tell(done); });
    Move(&scan.problems, &result_.problems);
    result_.bytes_read = scan.bytes;
    loader_ =
        std::make_unique<BlockLoader>(std::move(scan.blocks), &files_, &options_.range, &names_);
    writer_.Begin();
    for (const HostClock& clock : options_.clocks) writer_.Clock(clock);
    while (WriteSome()) sink_->FlushIfFull();
    writer_.End();
    if (kernels_ != nullptr) {
      std::vector<std::string> problems = kernels_->problems();
      Move(&problems, &result_.problems);
    }
    Tell(2 * all_bytes_);
    if (Status status = sink_->Commit(); !status.ok()) return status;
    result_.bytes_written = sink_->bytes();
    return std::move(result_);
  }

 private:
  using Loaded = std::unique_ptr<LoadedBlock>;

  static void Move(std::vector<std::string>* from, std::vector<std::string>* to) {
    to->insert(to->end(), std::make_move_iterator(from->begin()),
               std::make_move_iterator(from->end()));
  }

  // std::*_heap keeps the largest on top: the later one counts as smaller.
  static bool ComesLater(const Loaded& a, const Loaded& b) {
    return std::pair(a->start_us(), a->file()) > std::pair(b->start_us(), b->file());
  }

  int64_t NextSystem() const {
    return system_ != nullptr && !system_->done() ? system_->time_us() : kNever;
  }

  void Tell(uint64_t done) const {
    if (options_.progress) options_.progress({std::min(done, 2 * all_bytes_), 2 * all_bytes_});
  }

  // What comes next, and what follows it in the same block without a question; false at the end.
  bool WriteSome() {
    while (loader_->next_start() != kNever &&
           (loaded_.empty() || loader_->next_start() <= loaded_.front()->start_us())) {
      LoadNext();
    }
    const int64_t system = NextSystem();
    const int64_t kernel = kernels_ != nullptr ? kernels_->time_us() : kNever;
    const int64_t other = std::min(system, kernel);
    if (loaded_.empty() && other == kNever) return false;
    // Of what begins at the same moment spans come first.
    if (loaded_.empty() || other < loaded_.front()->start_us()) {
      if (kernel <= system) {
        Note(kernel, kernels_->WriteNext(&writer_));
        ++result_.spans;
        ++result_.kernels;
      } else {
        Note(system, system);
        system_->WriteNext(&writer_);
      }
      return true;
    }
    std::pop_heap(loaded_.begin(), loaded_.end(), ComesLater);
    Loaded block = std::move(loaded_.back());
    loaded_.pop_back();
    WriteStretch(block.get(), other);
    if (block->done()) return true;
    loaded_.push_back(std::move(block));
    std::push_heap(loaded_.begin(), loaded_.end(), ComesLater);
    return true;
  }

  // The first span of a block, and more of them while nothing else can come between.
  void WriteStretch(LoadedBlock* block, int64_t other) {
    const int64_t next = loaded_.empty() ? kNever : loaded_.front()->start_us();
    const int64_t limit = std::min({other, next, loader_->next_start()});
    constexpr int kMost = 1000;
    for (int i = 0; i < kMost && !block->done(); ++i) {
      if (i > 0 && block->start_us() >= limit) return;
      const MergeSpan& span = block->span();
      writer_.Span(span);
      Note(span.start_us, span.start_us + span.duration_us);
      ++result_.spans;
      block->Next();
    }
  }

  void LoadNext() {
    BlockLoader::Taken next = loader_->Take();
    if (!next.status.ok()) result_.problems.push_back(next.status.message());
    loaded_bytes_ += next.bytes;
    Tell(result_.bytes_read + loaded_bytes_);
    if (next.block->done()) return;
    loaded_.push_back(std::move(next.block));
    std::push_heap(loaded_.begin(), loaded_.end(), ComesLater);
  }

  void Note(int64_t start_us, int64_t end_us) {
    if (!any_) result_.start_us = start_us;
    any_ = true;
    result_.end_us = std::max(result_.end_us, end_us);
  }

  const MergeOptions& options_;
  const std::vector<TraceFile> files_;
  TextSink* const sink_;
  Names names_;
  EventWriter writer_;
  std::unique_ptr<SystemEvents> system_;
  std::unique_ptr<KernelEvents> kernels_;
  std::vector<Loaded> loaded_;  // A heap, the next span on top.
  uint64_t all_bytes_ = 0;
  uint64_t loaded_bytes_ = 0;
  bool any_ = false;
  MergeResult result_;
  std::unique_ptr<BlockLoader> loader_;  // The last member: its thread uses the others.
};

}  // namespace

Result<MergeResult> MergeTimelines(const std::string& folder, const MergeOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return Status(Code::kNotFound, fmt::format("cannot open {}: no such folder", folder));
  }
  auto sink = TextSink::Create(options.out, options.gzip);
  if (!sink.ok()) return sink.status();
  Merger merger(options, FilesOf(folder, options), &sink.value());
  if (options.system) {
    auto metrics = MetricsOf(folder, options);
    if (!metrics.ok()) return metrics.status();
    merger.AddSystem(std::move(metrics.value()));
  }
  merger.AddKernels(ActivityOf(folder, options));
  return merger.Run();
}

Result<TimeRange> TimeOfSteps(const std::string& folder, int64_t first, int64_t last,
                              bool last_included, const HostClocks& clocks) {
  struct Found {
    int64_t start_us = kNever;
    int64_t end_us = std::numeric_limits<int64_t>::min();
  };
  std::map<int64_t, Found> steps;
  Names names;
  TraceReaders readers(&names, /*want_names=*/false);
  MergeOptions all;
  all.clocks = clocks;
  for (const TraceFile& file : FilesOf(folder, all)) {
    if (file.source != Source::kPython) continue;
    // What cannot be read has no steps for us.
    (void)ReadTraceFile(file, readers.Of(file), [&](const TraceSpan& found) {
      if (found.span.step < 0) return;
      Found& step = steps[found.span.step];
      step.start_us = std::min(step.start_us, found.span.start_us);
      step.end_us = std::max(step.end_us, found.span.end_us());
    });
  }
  for (const int64_t step : {first, last}) {
    if (steps.contains(step)) continue;
    if (steps.empty()) {
      return Status(Code::kNotFound, fmt::format("{}: no steps in the timelines", folder));
    }
    return Status(Code::kNotFound, fmt::format("{}: step {} not found; expected {} to {}", folder,
                                               step, steps.begin()->first, steps.rbegin()->first));
  }
  if (first > last) {
    return Status(
        Code::kInvalid,
        fmt::format("the first step is {}; expected at most the last step, {}", first, last));
  }
  if (!last_included) return TimeRange{steps[first].start_us, steps[last].start_us - 1};
  const auto next = steps.upper_bound(last);
  const int64_t end = next == steps.end() ? steps[last].end_us : next->second.start_us - 1;
  return TimeRange{steps[first].start_us, std::max(end, steps[first].start_us)};
}

std::string MergedTimelinePath(std::string_view folder, int64_t end_us, std::string_view node) {
  const size_t last = folder.find_last_not_of('/');
  const std::string_view trimmed = folder.substr(0, last == std::string_view::npos ? 1 : last + 1);
  std::string name(node);
  std::replace(name.begin(), name.end(), '_', '-');
  return fmt::format("{}/{}_{}_{}", trimmed, end_us, name, format::kMergedTimeline);
}

}  // namespace warden::timeline
