#ifndef WARDEN_TIMELINE_IMPORT_SPAN_TABLE_H_
#define WARDEN_TIMELINE_IMPORT_SPAN_TABLE_H_

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

// The spans of a run. All columns are as long as `spans`; every NameId is a code into `names`.
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

  int64_t broken = 0;                 // Events that say nothing usable; they are left out.
  std::vector<std::string> problems;  // Files that could not be read, and those with such events.

  size_t size() const { return spans.size(); }
  std::string_view Args(size_t i) const {
    const uint64_t begin = i == 0 ? 0 : args_ends[i - 1];
    return std::string_view(args_text).substr(begin, args_ends[i] - begin);
  }
};

struct SpanQuery {
  TimeRange range;                    // Of spans: those that overlap it, however little.
  std::vector<std::string> suffixes;  // Only files whose names end so; all if empty.
  bool args = false;                  // Keep the arguments.
  int64_t buffer_us = kTimeBufferUs;
  bool unfinished = true;  // Also files that are being written.
};

// The spans of the timelines in a profiler's folder that the original would look into, in the order
// of TraceFiles, then as they stand there. An empty table if there are none; kNotFound only if
// there is no such folder.
Result<SpanTable> ReadSpans(const std::string& folder, const SpanQuery& query);

// The spans of one trace in any of the forms, a plain one too: "trace.json", "trace.json.gz".
Result<SpanTable> ReadSpansOfFile(const std::string& path, const SpanQuery& query);

// What the file of that path is, by its name alone; a plain trace if the name says nothing.
TraceFile TraceFileAt(const std::string& path);

// Hands every span of a file to `take`, in pieces, so that a long file takes little memory; the
// views in it live during the call only. The reader goes on from the file's writer's last one.
Status ReadTraceFile(const TraceFile& file, TraceReader* reader, const TakeSpan& take);

// One reader for each writer, so that a file can do without what an earlier one of the same writer
// has said.
class TraceReaders {
 public:
  TraceReaders(Names* names, bool want_names) : names_(names), want_names_(want_names) {}

  // The reader for a file, at its beginning.
  TraceReader* Of(const TraceFile& file);

 private:
  Names* const names_;
  const bool want_names_;
  std::map<std::pair<std::string, std::string>, TraceReader> readers_;
};

// "12 of its events are broken and left out; first ...": what a reader has come to tell since
// `before`; empty if nothing.
std::string ProblemsSince(const TraceProblems& before, const TraceProblems& now);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_IMPORT_SPAN_TABLE_H_
