#include "warden/timeline/summary/timeline_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "warden/timeline/file_text.h"
#include "warden/timeline/import/span_table.h"
#include "warden/timeline/metric_table.h"

namespace warden::timeline {
namespace {

constexpr size_t kHead = size_t{64} << 10;  // Of a file of metrics; its first lines are enough.

void Lower(int64_t time_us, std::optional<int64_t>* earliest) {
  *earliest = std::min(time_us, earliest->value_or(time_us));
}

// As NumPy has it, of sorted values.
double Quantile(const std::vector<int64_t>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = at - static_cast<double>(below);
  return static_cast<double>(sorted[below]) * (1 - part) +
         static_cast<double>(sorted[above]) * part;
}

DurationStats StatsOf(std::vector<int64_t>* durations) {
  DurationStats stats;
  if (durations->empty()) return stats;
  std::sort(durations->begin(), durations->end());
  double sum = 0;
  for (const int64_t duration : *durations) sum += static_cast<double>(duration);
  stats.count = static_cast<int64_t>(durations->size());
  stats.total_us = static_cast<int64_t>(std::min(sum, 9e18));
  stats.mean_us = sum / static_cast<double>(stats.count);
  stats.p50_us = Quantile(*durations, 0.50);
  stats.p95_us = Quantile(*durations, 0.95);
  stats.max_us = durations->back();
  return stats;
}

class Summariser {
 public:
  explicit Summariser(const TimeRange& range) : range_(range), breakdowns_(&summary_.names) {}

  Names* names() { return &summary_.names; }
  std::vector<std::string>* problems() { return &summary_.problems; }

  void Take(const Span& span) {
    if (!range_.Overlaps(span.start_us, span.end_us())) return;
    const uint32_t row = RowOf(span);
    const uint32_t thread = ThreadOf(span);
    pieces_.push_back({span.start_us, span.duration_us, thread, row});
    breakdowns_.Add(span);
  }

  TimelineSummary Finish() {
    summary_.spans = static_cast<int64_t>(pieces_.size());
    CountTimes();
    CountSelf();
    SumUp();
    summary_.breakdowns = breakdowns_.Finish();
    SumUpSteps();
    return std::move(summary_);
  }

 private:
  struct Piece {
    int64_t start_us;
    int64_t duration_us;
    uint32_t thread;
    uint32_t row;  // Of the operators.

    int64_t end_us() const { return start_us + duration_us; }
  };

  uint32_t RowOf(const Span& span) {
    const uint64_t key = (uint64_t{span.phase} << 32) | span.name;
    const auto [found, made] = rows_.try_emplace(key, static_cast<uint32_t>(rows_.size()));
    if (made) summary_.operators.push_back({span.phase, span.name, {}});
    return found->second;
  }

  uint32_t ThreadOf(const Span& span) {
    const std::tuple key(span.node, span.pid, span.tid);
    if (key == last_thread_.first) return last_thread_.second;
    const auto next = static_cast<uint32_t>(threads_.size());
    last_thread_ = {key, threads_.try_emplace(key, next).first->second};
    return last_thread_.second;
  }

  void CountTimes() {
    for (const Piece& piece : pieces_) {
      const bool first = &piece == pieces_.data();
      summary_.start_us = first ? piece.start_us : std::min(summary_.start_us, piece.start_us);
      summary_.end_us = first ? piece.end_us() : std::max(summary_.end_us, piece.end_us());
    }
  }

  // What lies inside another span of the same thread is not that one's own time.
  void CountSelf() {
    std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
      return std::tuple(a.thread, a.start_us, -a.duration_us) <
             std::tuple(b.thread, b.start_us, -b.duration_us);
    });
    std::vector<const Piece*> around;
    for (const Piece& piece : pieces_) {
      while (!around.empty() &&
             (around.back()->thread != piece.thread || around.back()->end_us() <= piece.start_us)) {
        around.pop_back();
      }
      summary_.operators[piece.row].durations.self_us += piece.duration_us;
      if (!around.empty() && piece.end_us() <= around.back()->end_us()) {
        summary_.operators[around.back()->row].durations.self_us -= piece.duration_us;
      }
      around.push_back(&piece);
    }
  }

  void SumUp() {
    std::vector<std::vector<int64_t>> by_row(summary_.operators.size());
    for (const Piece& piece : pieces_) by_row[piece.row].push_back(piece.duration_us);
    std::map<NameId, std::vector<int64_t>> by_phase;
    std::map<NameId, int64_t> self;
    for (size_t i = 0; i < by_row.size(); ++i) {
      SummaryRow& row = summary_.operators[i];
      auto& phase = by_phase[row.phase];
      phase.insert(phase.end(), by_row[i].begin(), by_row[i].end());
      self[row.phase] += row.durations.self_us;
      const int64_t own = row.durations.self_us;
      row.durations = StatsOf(&by_row[i]);
      row.durations.self_us = own;
      by_row[i] = {};
    }
    for (auto& [phase, durations] : by_phase) {
      summary_.phases.push_back({phase, 0, StatsOf(&durations)});
      summary_.phases.back().durations.self_us = self[phase];
    }
    const auto longer = [this](const SummaryRow& a, const SummaryRow& b) {
      return std::tuple(-a.durations.total_us, std::string_view(summary_.names.Text(a.phase)),
                        std::string_view(summary_.names.Text(a.name))) <
             std::tuple(-b.durations.total_us, std::string_view(summary_.names.Text(b.phase)),
                        std::string_view(summary_.names.Text(b.name)));
    };
    std::sort(summary_.phases.begin(), summary_.phases.end(), longer);
    std::sort(summary_.operators.begin(), summary_.operators.end(), longer);
  }

  void SumUpSteps() {
    std::map<std::pair<std::string, std::string>, std::vector<const StepBreakdown*>> groups;
    for (const StepBreakdown& step : summary_.breakdowns) {
      const auto mode = ModeOfStepPhase(summary_.names.Text(step.phase));
      groups[{std::string(mode.value_or("")), summary_.names.Text(step.node)}].push_back(&step);
    }
    for (const auto& [key, steps] : groups) {
      StepRow row{key.first, steps[0]->node, steps[0]->step, steps[0]->step, {}, {}};
      std::vector<int64_t> durations;
      const auto count = static_cast<double>(steps.size());
      for (const StepBreakdown* step : steps) {
        durations.push_back(step->duration_us);
        row.first_step = std::min(row.first_step, step->step);
        row.last_step = std::max(row.last_step, step->step);
        row.mean.forward += step->us.forward / count;
        row.mean.backward += step->us.backward / count;
        row.mean.optimizer += step->us.optimizer / count;
        row.mean.data_loading += step->us.data_loading / count;
        row.mean.other += step->us.other / count;
      }
      row.durations = StatsOf(&durations);
      summary_.steps.push_back(std::move(row));
    }
  }

  const TimeRange& range_;
  TimelineSummary summary_;
  StepBreakdowns breakdowns_;
  std::vector<Piece> pieces_;
  std::unordered_map<uint64_t, uint32_t> rows_;
  std::map<std::tuple<NameId, int64_t, int64_t>, uint32_t> threads_;
  std::pair<std::tuple<NameId, int64_t, int64_t>, uint32_t> last_thread_{{0, -1, -1}, 0};
};

}  // namespace

Result<TimelineSummary> SummariseTimelines(const std::string& path, const SummaryOptions& options) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return Status(Code::kNotFound, fmt::format("cannot open {}: no such file or folder", path));
  }
  const bool folder = std::filesystem::is_directory(path, error);
  const std::vector<TraceFile> files =
      folder ? TraceFiles(path, options.range, kTimeBufferUs, /*unfinished=*/true, options.suffixes)
             : std::vector{TraceFileAt(path)};
  Summariser summariser(options.range);
  TraceReaders readers(summariser.names(), /*want_names=*/true);
  for (const TraceFile& file : files) {
    TraceReader* const reader = readers.Of(file);
    const TraceProblems before = reader->problems();
    const Status status =
        ReadTraceFile(file, reader, [&](const TraceSpan& found) { summariser.Take(found.span); });
    const std::string problem = ProblemsSince(before, reader->problems());
    if (!problem.empty())
      summariser.problems()->push_back(fmt::format("{}: {}", file.path, problem));
    if (!status.ok() && !folder) return status;
    if (!status.ok()) summariser.problems()->push_back(status.message());
  }
  return summariser.Finish();
}

std::optional<int64_t> StartOfRun(const std::string& folder) {
  std::optional<int64_t> earliest;
  const auto metrics = MetricFiles(folder, {}, kTimeBufferUs, /*unfinished=*/true);
  for (const MetricFile& file : metrics) {
    if (file.time_us != metrics.front().time_us) break;
    PaddedText text;
    if (!ReadFileRange(file, 0, kHead, &text).ok()) continue;
    const MetricTable table = ReadMetricText(text.text(), {});
    for (const int64_t time_us : table.times_us) Lower(time_us, &earliest);
  }
  std::set<std::pair<std::string, std::string>> writers;
  Names names;
  TraceReaders readers(&names, /*want_names=*/false);
  for (const TraceFile& file : TraceFiles(folder, {}, kTimeBufferUs, /*unfinished=*/true, {})) {
    if (!writers.emplace(file.node, file.suffix).second) continue;
    // A file that cannot be read does not tell when it began.
    (void)ReadTraceFile(file, readers.Of(file),
                        [&](const TraceSpan& found) { Lower(found.span.start_us, &earliest); });
  }
  return earliest;
}

}  // namespace warden::timeline
