#ifndef WARDEN_VIEW_TIMELINE_TRACE_FEED_H_
#define WARDEN_VIEW_TIMELINE_TRACE_FEED_H_

// All trace events of a profiler's folder, for the dashboard's timeline. Unlike
// timeline::ProfileFeed it does not sort by time, reads frameworks' own traces too, and remembers
// where the arguments of events are.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warden/timeline/feed/folder_scan.h"
#include "warden/timeline/feed/stream.h"
#include "warden/timeline/import/trace_reader.h"
#include "warden/timeline/names.h"
#include "warden/timeline/profile_files.h"
#include "warden/view/timeline/argument_finder.h"

namespace warden::view {

// Gets a span with its times; its views are valid during the call only.
using TakeTimedSpan = std::function<void(const timeline::TraceSpan&, const SpanTimes&)>;

// Reads the traces of a profiler's folder, finished or growing, each event once; those of a writer
// one after the other, and writer by writer, so that a finished run gives the same each time. Used
// by TimelineBuilder, for which the order in time does not matter. For one thread. Timelines of
// hooks are followed while they grow. Traces that a framework writes at once are read when they are
// complete: TensorFlow's when the file beside them says so, others when nothing was written for a
// second. A gzip file is unpacked in memory as a whole.
class TraceFeed {
 public:
  // folder: need not exist yet. names and arguments are not owned and outlive this; arguments gets
  // the pieces of files. take: gets all spans. begin_file: called before each trace that a
  // framework wrote at once.
  TraceFeed(std::string folder, timeline::Names* names, ArgumentFinder* arguments,
            TakeTimedSpan take, std::function<void()> begin_file);
  ~TraceFeed();

  // Reads the next piece, about 1 MiB, and calls `take` for its spans. False if there is nothing
  // more by now; call it again later. Never blocks but for the disk. An event that is longer than a
  // piece is read with more of them.
  bool Next();

  // How far it is, in bytes of the files that are known.
  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t bytes_known() const { return std::max(bytes_known_, bytes_read_); }
  // Texts for users, at most about a hundred.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  // A timeline that grows, and a trace that a framework wrote at once: defined in the .cc file.
  class Writer;
  class WholeTrace;

  // Looks for new files, at most every 0.25 s. Files of system metrics are not traces and are left
  // out.
  void List();
  // Hands a new or renamed file to its writer, or queues it to be read as a whole.
  void Add(const timeline::FoundFile& found, const timeline::TraceFile& file);
  // Whether a trace that a framework writes at once is complete.
  bool IsQuiet(const timeline::FoundFile& found, const timeline::TraceFile& file);
  void Tell(std::string problem);
  // Takes a piece of text and tells where it was; returns how many bytes of it were done with.
  // Events whose times are not usable are counted, and told once.
  size_t ReadPiece(std::string_view text, bool last, size_t file, uint64_t offset,
                   timeline::TraceReader* reader);

  const std::string folder_;
  timeline::Names* const names_;
  ArgumentFinder* const arguments_;
  const TakeTimedSpan take_;
  const std::function<void()> begin_file_;
  timeline::FolderScan scan_;  // Only reads folders that changed.
  std::chrono::steady_clock::time_point listed_at_;
  bool listed_ = false;
  std::map<timeline::FileId, std::string> known_;           // Under their last names.
  std::map<std::string, std::unique_ptr<Writer>> writers_;  // By node and suffix.
  std::deque<timeline::TraceFile> whole_;                   // Written at once, not read yet.
  std::unique_ptr<WholeTrace> current_;                     // The one that is being read.
  std::vector<std::string> problems_;
  int64_t beyond_ = 0;  // Spans whose times are beyond all measure.
  uint64_t bytes_read_ = 0;
  uint64_t bytes_known_ = 0;  // Of files when they were first seen.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TRACE_FEED_H_
