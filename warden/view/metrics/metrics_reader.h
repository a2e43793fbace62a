#ifndef WARDEN_VIEW_METRICS_METRICS_READER_H_
#define WARDEN_VIEW_METRICS_METRICS_READER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "warden/timeline/feed/folder_scan.h"
#include "warden/timeline/feed/stream.h"
#include "warden/timeline/names.h"
#include "warden/view/metrics/line_stream.h"
#include "warden/view/metrics/node_table.h"
#include "warden/view/metrics/step_times.h"

namespace warden::view {

// Where a reader puts what it reads.
struct MetricsTarget {
  std::map<std::string, std::unique_ptr<NodeTable>, std::less<>>* nodes = nullptr;
  StepTimes* steps = nullptr;
  std::vector<std::string>* problems = nullptr;
};

// Reads the metrics of a profiler's folder, finished or growing, each line once, and the steps of
// its timelines. For one thread.
class MetricsReader {
 public:
  explicit MetricsReader(const std::string& folder);

  // Looks for files that are new or have got their names.
  void List();
  // Reads a piece; false if there is nothing more in the files that are known. Metrics come first:
  // timelines may be long.
  bool Advance(const MetricsTarget& target);

  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t bytes_total() const { return bytes_total_; }
  std::optional<double> last_time() const { return last_time_; }

 private:
  // What the files of one node feed.
  struct Fed {
    std::unique_ptr<LineStream> stream;
    std::map<timeline::FileId, uint64_t> sizes;
    std::set<NodeTable*> nodes;
    NodeTable* last = nullptr;
  };

  void AddMetrics(const timeline::FoundFile& found);
  void AddTimeline(const timeline::FoundFile& found, const std::vector<std::string>& keys);
  bool IsNew(const timeline::FoundFile& found);
  std::unique_ptr<LineStream> MakeStream(Fed* fed);
  void Take(Fed* fed, const format::MetricLine& line);
  NodeTable* NodeOf(std::string_view name);
  bool AdvanceMetrics();
  bool AdvanceSteps();

  const std::string folder_;
  timeline::FolderScan scan_;
  timeline::Names names_;
  std::map<timeline::FileId, std::string> known_;  // Keys, as they were last.
  std::map<std::string, Fed> metrics_;             // Never moves what it has.
  std::map<std::string, std::unique_ptr<timeline::SpanStream>> timelines_;
  std::vector<std::string> stream_problems_;
  std::string last_node_;  // That was advanced.
  timeline::ProfileBatch batch_;
  MetricsTarget target_;  // During Advance().
  uint64_t bytes_read_ = 0;
  uint64_t bytes_total_ = 0;
  std::optional<double> last_time_;
  std::map<std::string, int64_t> passed_over_;  // Lines, by node.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_METRICS_READER_H_
