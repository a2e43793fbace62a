#ifndef WARDEN_VIEW_TIMELINE_TRACE_FEED_H_
#define WARDEN_VIEW_TIMELINE_TRACE_FEED_H_

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

// A span with its times.
using TakeTimedSpan = std::function<void(const timeline::TraceSpan&, const SpanTimes&)>;

// Reads the traces of a profiler's folder, finished or growing, each event once; those of a writer
// one after the other, and writer by writer, so that a finished run gives the same each time. For
// one thread.
class TraceFeed {
 public:
  // begin_file: a trace that a framework wrote at once begins.
  TraceFeed(std::string folder, timeline::Names* names, ArgumentFinder* arguments,
            TakeTimedSpan take, std::function<void()> begin_file);
  ~TraceFeed();

  // Reads the next piece. False if there is nothing more by now.
  bool Next();

  uint64_t bytes_read() const { return bytes_read_; }
  uint64_t bytes_known() const { return std::max(bytes_known_, bytes_read_); }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  class Writer;
  class WholeTrace;

  void List();
  void Add(const timeline::FoundFile& found, const timeline::TraceFile& file);
  bool IsQuiet(const timeline::FoundFile& found, const timeline::TraceFile& file);
  void Tell(std::string problem);
  // Takes a piece of text and tells where it was; returns how many bytes of it were done with.
  size_t ReadPiece(std::string_view text, bool last, size_t file, uint64_t offset,
                   timeline::TraceReader* reader);

  const std::string folder_;
  timeline::Names* const names_;
  ArgumentFinder* const arguments_;
  const TakeTimedSpan take_;
  const std::function<void()> begin_file_;
  timeline::FolderScan scan_;
  std::chrono::steady_clock::time_point listed_at_;
  bool listed_ = false;
  std::map<timeline::FileId, std::string> known_;           // Under their last names.
  std::map<std::string, std::unique_ptr<Writer>> writers_;  // By node and suffix.
  std::deque<timeline::TraceFile> whole_;                   // Written at once, not read yet.
  std::unique_ptr<WholeTrace> current_;                     // The one that is being read.
  std::vector<std::string> problems_;
  int64_t beyond_ = 0;  // Spans whose times are beyond all measure.
  uint64_t bytes_read_ = 0;
  uint64_t bytes_known_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TRACE_FEED_H_
