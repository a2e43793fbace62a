#ifndef WARDEN_VIEW_METRICS_METRICS_READER_H_
#define WARDEN_VIEW_METRICS_METRICS_READER_H_

// Reads a profiler's folder into tables, for RunMetrics. Only system metrics and the steps of the
// hooks' own timelines: operators and kernels are the timeline's business.

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

// Where a reader puts what it reads. Nothing is owned; none is null. Guarded by the caller, who
// holds its lock during Advance() and lets requests in between.
struct MetricsTarget {
  std::map<std::string, std::unique_ptr<NodeTable>, std::less<>>* nodes = nullptr;
  StepTimes* steps = nullptr;
  std::vector<std::string>* problems = nullptr;  // Replaced by each Advance().
};

// Reads the metrics of a profiler's folder, finished or growing, each line once, and the steps of
// its timelines. For one thread, that of RunMetrics.
//
//   reader.List();
//   while (reader.Advance({&nodes, &steps, &problems})) {}
//
// At most 512 nodes; lines of further ones are ignored.
class MetricsReader {
 public:
  // folder: need not exist yet.
  explicit MetricsReader(const std::string& folder);

  // Looks for files that are new or have got their final names.
  void List();
  // Reads a piece, of one node; false if there is nothing more in the files that are known. Metrics
  // come first: timelines may be long. The target is only used during the call, and must be the
  // same in all. Nodes take turns, so that all of them appear soon. At most 20,000 steps are taken
  // at once.
  bool Advance(const MetricsTarget& target);

  // Of files with metrics; bytes_total() as of the last List(). last_time(): of the last moment of
  // any node, in seconds since 1970; nothing before the first.
  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t bytes_total() const { return bytes_total_; }
  std::optional<double> last_time() const { return last_time_; }

 private:
  // The files of one node and the tables that they feed: a file may have lines of several nodes.
  struct Fed {
    std::unique_ptr<LineStream> stream;
    std::map<timeline::FileId, uint64_t> sizes;
    std::set<NodeTable*> nodes;
    NodeTable* last = nullptr;
  };

  // A file of metrics goes to the stream of its node, a hook's timeline to that of its process.
  void AddMetrics(const timeline::FoundFile& found);
  void AddTimeline(const timeline::FoundFile& found, const std::vector<std::string>& keys);
  // Whether the file, or the name that it has now, is new. A file keeps its inode when it gets its
  // final name, which is how it is recognized.
  bool IsNew(const timeline::FoundFile& found);
  std::unique_ptr<LineStream> MakeStream(Fed* fed);
  // A line: into the table of its node. Lines that the table refuses are counted.
  void Take(Fed* fed, const format::MetricLine& line);
  // The table of a node, made if it is new; null if there are too many nodes.
  NodeTable* NodeOf(std::string_view name);
  // A piece of one node, in turn, since others wait for the tables meanwhile.
  bool AdvanceMetrics();
  // Some steps of the timelines.
  bool AdvanceSteps();

  const std::string folder_;
  timeline::FolderScan scan_;
  timeline::Names names_;                          // Of the timelines' spans.
  std::map<timeline::FileId, std::string> known_;  // Keys, as they were last.
  std::map<std::string, Fed> metrics_;             // Never moves what it has.
  std::map<std::string, std::unique_ptr<timeline::SpanStream>> timelines_;
  std::vector<std::string> stream_problems_;  // Of all streams; at most a hundred.
  std::string last_node_;                     // That was advanced.
  timeline::ProfileBatch batch_;
  MetricsTarget target_;  // During Advance().
  uint64_t bytes_read_ = 0;
  uint64_t bytes_total_ = 0;
  std::optional<double> last_time_;
  std::map<std::string, int64_t> passed_over_;  // Lines, by node.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_METRICS_METRICS_READER_H_
