#ifndef WARDEN_TIMELINE_IMPORT_TRACE_READER_H_
#define WARDEN_TIMELINE_IMPORT_TRACE_READER_H_

// Reads spans from traces in the Chrome trace event format, from any writer: hooks, the original,
// PyTorch, TensorFlow, Horovod. Everything that reads timelines goes through it.
//
//   TraceReader reader({.node = "algo-1-88", .source = Source::kPython}, &names);
//   text.Drop(reader.Read(text.text(), last, [&](const TraceSpan& found) { Use(found.span); }));

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/timeline/names.h"
#include "warden/timeline/span.h"

namespace warden::timeline {

struct JsonValue;
struct RawEvent;

// A span as a trace has it: what rules need, and what is needed to write it again. Views are valid
// during the call that hands it over. The doubles are for the dashboard, which zooms to
// nanoseconds; everything else uses `span`.
struct TraceSpan {
  Span span;            // Whole microseconds; here with their fractions:
  double start_us = 0;  // Since 1970.
  double duration_us = 0;
  double ts_us = 0;       // The start as the file counts: since 1970 a double has no bits for ns.
  NameId event_name = 0;  // The event's own; span.name may be its layer's.
  int64_t phase_pid = 0;  // The number of its phase in the file.
  int64_t phase_tid = 0;  // Of its thread; StableThreadId if the file does not name it.
  std::string_view name_json;    // The event's name as it stands in the file, without quotes.
  std::string_view args;         // Its arguments: a JSON object, or empty.
  bool args_non_finite = false;  // They contain NaN or an Infinity, which viewers reject.
};

// What is known of a writer of traces between two pieces of its files: the names of its phases and
// threads, which later files need not repeat, its base time, and what has begun and not yet ended.
// A copy can be resumed by another reader of the same writer and Names. A few kB for most writers;
// grows with the number of threads and of open spans.
class TraceState {
 public:
  // What times in the file count from, in microseconds since 1970, as far as it is known by now.
  int64_t base_us() const { return base_us_; }

 private:
  friend class TraceReader;

  struct Process {
    NameId phase = 0;
    std::map<int64_t, int64_t> threads;  // Number in the file -> number in spans.
  };
  // A span whose end has not come. Times and numbers as the file has them.
  struct Begun {
    NameId name = 0;
    std::string name_json;
    double ts = 0;
    int64_t pid = 0;
    int64_t tid = 0;
  };
  // Before the array of events, in it, or after it, where nothing is read any more.
  enum class Place : uint8_t { kStart, kEvents, kEnd };

  Place place_ = Place::kStart;
  int64_t base_us_ = 0;
  std::map<int64_t, Process> processes_;
  std::map<std::pair<int64_t, int64_t>, std::vector<Begun>> begun_;
};

// What was wrong with the traces of a writer so far. The counts only grow. The caller compares the
// counts before and after a file, and reports the difference (ProblemsSince).
struct TraceProblems {
  int64_t events = 0;  // Complete and well-formed.
  int64_t broken = 0;  // Not valid JSON or UTF-8, or without what they need.
  // End events without a beginning, or with a time before it: usual where a recording started in
  // the middle of a step.
  int64_t unpaired = 0;
  // Of the broken ones: its first 60 characters, and why. For a message to the user.
  std::string first = {};
};

// Gets one span; the views in it are valid during the call only.
using TakeSpan = std::function<void(const TraceSpan&)>;

// Reads traces in pieces of any size: arrays of events, finished or not, and objects with a member
// traceEvents. A broken event is counted and skipped, up to the next line. One reader for each
// writer, whose files share names of phases and threads. For one thread. Spans that have begun and
// not ended when a file ends are kept for the next file of the writer, and are never handed out if
// it does not come.
class TraceReader {
 public:
  // Of the writer.
  struct Options {
    std::string node;  // Process and host: Span::node.
    Source source = Source::kOther;
    int64_t base_us = 0;     // Added to times until the trace says otherwise.
    bool want_names = true;  // Else Span::name and event_name stay 0, which is faster.
    int64_t ahead_us = 0;    // Subtracted from all starts since 1970: TraceFile::ahead_us.
  };

  // names: for the ids in spans; not owned, outlives this.
  TraceReader(Options options, Names* names);

  // A new file of the same writer begins. base_us: its base time if its name says one; 0: as
  // before.
  void BeginFile(int64_t base_us = 0);

  // Hands the spans of the complete events in the text to `take`, in the order of the file, and
  // returns how many bytes are done; the caller passes the rest again together with what follows
  // it. At least kTracePadding readable bytes must follow the text. `last`: nothing follows, so
  // that an incomplete event at the end counts as broken. An event of more than 16 MiB counts as
  // broken. A text that is not a trace at all is one broken event, and the rest of the file is
  // skipped. `take` is called on this thread, before Read returns; it must not call the reader.
  size_t Read(std::string_view text, bool last, const TakeSpan& take);

  // Since the reader was made, over all files.
  const TraceProblems& problems() const { return problems_; }
  const TraceState& state() const { return state_; }
  // Continues where a copy of this writer's state was made. REQUIRES: the state is of a reader with
  // the same node, source and Names.
  void Resume(TraceState state);

 private:
  // Where reading continues after a broken event: at the next line that begins with an event, or
  // the end of the array. Returns a position in the text.
  size_t Resynchronise(std::string_view text, size_t from, bool last);
  // Up to the bracket that opens the events; base times on the way are noted. False if it has not
  // come yet or never will.
  bool FindEvents(std::string_view text, size_t* at);
  // By its kind: 'X' a span, 'B' and 'E' its two halves, 'M' metadata; others are counted and
  // ignored.
  void TakeEvent(const RawEvent& event, const TakeSpan& take);
  // Names of processes, which are phases here, and of threads.
  void TakeMetadata(const RawEvent& event);
  // Ends the span that was begun last with the same key. One that ends before it began is dropped.
  void TakeEnd(const RawEvent& event, const TakeSpan& take);
  void Begin(const RawEvent& event);
  // Makes the TraceSpan and calls take. Start and end are rounded, not start and duration: spans
  // that touch in the file touch here.
  void Hand(const RawEvent& event, const TraceState::Begun& begun, double duration,
            const TakeSpan& take);
  // Counts a broken event; the first one is kept with its text.
  void Fail(std::string_view why, const RawEvent& event);
  // What begin and end events have in common: the phase, and for kOther also the thread.
  std::pair<int64_t, int64_t> PairKey(const RawEvent& event) const;
  // Made if it was never announced; its phase is then its text, or "Unknown".
  TraceState::Process& ProcessOf(int64_t pid, std::string_view text);
  // The thread's number in spans: the file's own if it was named, otherwise StableThreadId.
  int64_t ThreadOf(int64_t tid, std::string_view text, TraceState::Process* process);
  NameId NameOf(const JsonValue& name);
  // Of PyTorch's own traces by the category of the event; otherwise that of the process.
  NameId PhaseOf(const RawEvent& event, const TraceState::Process& process);

  const Options options_;
  Names* const names_;
  const NameId node_;
  TraceState state_;
  TraceProblems problems_;
};

// How many readable bytes must follow a text of a trace; PaddedText has them.
inline constexpr size_t kTracePadding = 64;

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_IMPORT_TRACE_READER_H_
