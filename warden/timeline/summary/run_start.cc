#include "warden/timeline/summary/run_start.h"

#include <algorithm>
#include <set>
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

}  // namespace

std::optional<int64_t> StartOfRun(const std::string& folder) {
  std::optional<int64_t> earliest;
  const auto metrics = MetricFiles(folder, {}, kTimeBufferUs, /*unfinished=*/true);
  for (const MetricFile& file : metrics) {
    if (file.time_us != metrics.front().time_us) break;
    PaddedText text;
    if (!ReadFileRange(file.path, 0, kHead, &text).ok()) continue;
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
