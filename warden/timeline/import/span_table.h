#ifndef WARDEN_TIMELINE_IMPORT_SPAN_TABLE_H_
#define WARDEN_TIMELINE_IMPORT_SPAN_TABLE_H_

// Spans as columns for analysis, and helpers to read whole trace files. The Python package makes
// data frames of the table; summaries, the merge and the feeds use ReadTraceFile and TraceReaders.
//
//   const auto table = ReadSpans(folder, {.range = {start_us, end_us}});
//   Names names;
//   TraceReaders readers(&names, /*want_names=*/true);
//   const auto take = [&](const TraceSpan& found) { Use(found.span); };
//   Status status = ReadTraceFile(file, readers.Of(file), take);

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/timeline/import/trace_reader.h"
#include "warden/timeline/names.h"
#include "warden/timeline/profile_files.h"
#include "warden/timeline/span.h"

namespace warden::timeline {

// The spans of a run. All columns are as long as `spans`; every NameId is a code into `names`. Owns
// everything.
struct SpanTable {
  std::vector<Span> spans;
  std::vector<double> starts_us;     // With fractions, where the file has them.
  std::vector<double> durations_us;  // The same.
  std::vector<NameId> event_names;   // The events' own names, where Span::name may be the layer's.
  std::vector<int64_t> phase_pids;   // The number of the phase in its file.
  std::vector<int64_t> phase_tids;   // Of the thread there; see StableThreadId.
  // The arguments of span i are the bytes [args_ends[i - 1], args_ends[i]) of args_text, a JSON
  // object, or none at all. Both are empty unless SpanQuery::args.
  std::vector<uint64_t> args_ends;
  std::string args_text;
  Names names;

  int64_t broken = 0;                 // Events that are not usable; they are left out.
  std::vector<std::string> problems;  // Files that could not be read, or have such events.

  size_t size() const { return spans.size(); }
  // The arguments of span i; refers to args_text. REQUIRES: SpanQuery::args was set.
  std::string_view Args(size_t i) const {
    const uint64_t begin = i == 0 ? 0 : args_ends[i - 1];
    return std::string_view(args_text).substr(begin, args_ends[i] - begin);
  }
};

// What to read; by default all spans without their arguments.
struct SpanQuery {
  TimeRange range;                    // Of spans: those that overlap it, however little.
  std::vector<std::string> suffixes;  // Only files whose names end so; all if empty.
  bool args = false;                  // Keep the arguments.
  int64_t buffer_us = kTimeBufferUs;
  bool unfinished = true;  // Also files that are being written.
};

// The spans of the timelines in a profiler's folder that the original would look into, in the order
// of TraceFiles, then as they stand there. An empty table if there are none; kNotFound only if
// there is no such folder. A file that cannot be read becomes a problem, not an error.
Result<SpanTable> ReadSpans(const std::string& folder, const SpanQuery& query);

// The spans of one trace in any of the forms, also a plain one: "trace.json", "trace.json.gz". kIo
// if it cannot be read, kCorrupt if it cannot be uncompressed. range and args of the query apply.
Result<SpanTable> ReadSpansOfFile(const std::string& path, const SpanQuery& query);

// What the file at that path is, by its name alone; a plain trace of kOther if the name says
// nothing.
TraceFile TraceFileAt(const std::string& path);

// Hands every span of a file to `take`, in pieces, so that a long file takes little memory, unless
// it is gzip. The views in spans are valid during the call only. reader: at the beginning of the
// file, as TraceReaders::Of returns it. kIo and kCorrupt for the file; broken events are in
// reader->problems().
Status ReadTraceFile(const TraceFile& file, TraceReader* reader, const TakeSpan& take);

// One reader for each writer, so that a file need not repeat what an earlier one of the same writer
// has said. For one thread.
class TraceReaders {
 public:
  // names: not owned, outlives this. want_names: as TraceReader::Options.
  TraceReaders(Names* names, bool want_names) : names_(names), want_names_(want_names) {}

  // The reader for a file, at its beginning. Owned by this object and valid as long as it. Files of
  // a writer are to be read in the order of TraceFiles.
  TraceReader* Of(const TraceFile& file);

 private:
  Names* const names_;
  const bool want_names_;
  std::map<std::pair<std::string, std::string>, TraceReader> readers_;
};

// "skipped 12 invalid events; first: ...": what a reader has to report since `before`; empty if
// nothing.
std::string ProblemsSince(const TraceProblems& before, const TraceProblems& now);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_IMPORT_SPAN_TABLE_H_
