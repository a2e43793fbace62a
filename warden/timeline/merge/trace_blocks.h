#ifndef WARDEN_TIMELINE_MERGE_TRACE_BLOCKS_H_
#define WARDEN_TIMELINE_MERGE_TRACE_BLOCKS_H_

// Traces in blocks of about 1 MiB that can be read in any order: what lets a merge sort a run that
// does not fit into memory. The first pass finds the blocks and their earliest spans, the second
// reads each block when its first span may be the next.

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/file_text.h"
#include "warden/timeline/import/trace_reader.h"
#include "warden/timeline/names.h"
#include "warden/timeline/profile_files.h"

namespace warden::timeline {

// The start of what does not come.
inline constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// A piece of a trace that can be read alone. A gzip file is one block, whatever its size, since it
// cannot be read from the middle. `state` is what makes the block readable alone: names of phases
// and threads, base time, and spans that have begun before it.
struct TraceBlock {
  uint32_t file = 0;    // Position in the list of files.
  uint64_t offset = 0;  // In the file; uncompressed.
  // In bytes; ends after a whole event.
  uint64_t size = 0;
  bool last = false;        // Of its file.
  int64_t first_start = 0;  // The earliest start of a span in it that is in the range.
  TraceState state;         // Of its writer, before it.
};

// The blocks of some traces that have spans in a range.
struct BlockScan {
  std::vector<TraceBlock> blocks;     // In the order of their first start.
  uint64_t bytes = 0;                 // Of all blocks that were read.
  std::vector<std::string> problems;  // For users: files and events that could not be read.
};
// Reads the traces once. `progress` is called with the number of bytes read so far; may be empty.
// names: gets the names of phases and nodes. Blocks without a span in the range are left out.
// Nothing here is an error: a file that cannot be read is a problem, and its blocks before that
// count. Takes as long as reading all files once; memory grows with the number of blocks, not of
// spans.
BlockScan ScanBlocks(const std::vector<TraceFile>& files, const TimeRange& range, Names* names,
                     const std::function<void(uint64_t)>& progress);

// A span on its way from one trace to another. Pointers and views refer to the Names and to the
// LoadedBlock.
struct MergeSpan {
  int64_t start_us = 0;  // Since 1970.
  int64_t duration_us = 0;
  // Beyond the microseconds, 0 to 999: of GPU activity, which is measured finer than spans are.
  int32_t start_ns = 0;
  int32_t duration_ns = 0;
  int64_t tid = 0;
  NameId phase = 0;
  const std::string* phase_name = nullptr;
  const std::string* node_name = nullptr;
  // A JSON string without its quotes, escapes as they are: it is copied, not parsed.
  std::string_view name;
  // A JSON object, or empty. NaN and Infinity, which are not JSON, have become null.
  std::string_view args;
};

// The spans of one block, sorted by their start; of equal ones the earlier in the file comes first.
// Cannot be copied. For one thread at a time. Owns the text of the block, into which its spans
// point: keep it until the last of them is written.
class LoadedBlock {
 public:
  // Reads the block. Call it once. A file that cannot be read any more gives no spans and an error
  // (kIo, kCorrupt). names: the one of ScanBlocks, or one in which the same names have the same
  // ids. Spans outside of the range are left out.
  Status Load(const TraceBlock& block, const TraceFile& file, const TimeRange& range, Names* names);

  bool done() const { return next_ == order_.size(); }
  // The next span. REQUIRES for these: !done().
  int64_t start_us() const { return order_[next_].first; }
  const MergeSpan& span() const { return spans_[order_[next_].second]; }
  void Next() { ++next_; }
  uint32_t file() const { return file_; }

 private:
  // Copies a name that began in an earlier block, since that block's text is gone.
  void Take(const TraceSpan& found, const Names& names);

  uint32_t file_ = 0;
  PaddedText text_;
  std::deque<std::string> copies_;  // Of what is not in the text as it is needed.
  std::vector<MergeSpan> spans_;
  std::vector<std::pair<int64_t, uint32_t>> order_;
  size_t next_ = 0;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_TRACE_BLOCKS_H_
