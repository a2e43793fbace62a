#ifndef WARDEN_TIMELINE_IMPORT_TRACE_READER_H_
#define WARDEN_TIMELINE_IMPORT_TRACE_READER_H_

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

// A span as a trace has it: what rules need, and what is needed to write it again.
struct TraceSpan {
  Span span;  // Whole microseconds; here with their fractions:
  double start_us = 0;
  double duration_us = 0;
  double ts_us = 0;  // The start as the file counts; since 1970 there are no bits for nanoseconds.
  NameId event_name = 0;         // The event's own, where span.name may be its layer's.
  int64_t phase_pid = 0;         // The number of its phase in the file.
  int64_t phase_tid = 0;         // Of its thread; one that we gave if the file does not name it.
  std::string_view name_json;    // The event's name as it stands in the file, without quotes.
  std::string_view args;         // Its arguments: a JSON object, or empty.
  bool args_non_finite = false;  // They hold NaN or an Infinity, which is no JSON to a viewer.
};

// What is known of a writer of traces between two pieces of its files: the names of its phases and
// threads, which later files need not repeat, its base time, and what has begun and not yet ended.
// A copy goes on from the same place.
class TraceState {
 public:
  // What times in the file count from, as far as it is known by now.
  int64_t base_us() const { return base_us_; }

 private:
  friend class TraceReader;

  struct Process {
    NameId phase = 0;
    std::map<int64_t, int64_t> threads;  // As the file counts them -> as we tell them.
  };
  struct Begun {
    NameId name = 0;
    std::string name_json;
    double ts = 0;
    int64_t pid = 0;
    int64_t tid = 0;
  };
  enum class Place : uint8_t { kStart, kEvents, kEnd };

  Place place_ = Place::kStart;
  int64_t base_us_ = 0;
  std::map<int64_t, Process> processes_;
  std::map<std::pair<int64_t, int64_t>, std::vector<Begun>> begun_;
};

// What was wrong with a piece of a trace, and how much of it.
struct TraceProblems {
  int64_t events = 0;    // That were whole and well-formed.
  int64_t broken = 0;    // Events that are no JSON or lack what they need.
  int64_t unpaired = 0;  // Ends without a beginning, or before it.
  std::string first = {};
};

// Is given one span; the views in it live during the call only.
using TakeSpan = std::function<void(const TraceSpan&)>;

// Reads traces in the Chrome trace event format in pieces of any size: arrays of events, finished
// or not, and objects with a member traceEvents. A broken event is counted and passed over, up to
// the next line. For one thread; `names` outlives it.
class TraceReader {
 public:
  struct Options {
    std::string node;  // As events tell it.
    Source source = Source::kOther;
    int64_t base_us = 0;     // Added to times until the trace says otherwise.
    bool want_names = true;  // Else Span::name and event_name stay 0, which is quicker.
  };

  TraceReader(Options options, Names* names);

  // A new file of the same writer begins.
  void BeginFile(int64_t base_us = 0);

  // Hands the spans of the whole events in the text to take, and returns how many bytes it is done
  // with; the rest is to be given again with what follows it. After the text there must be
  // kTracePadding readable bytes. `last`: nothing follows.
  size_t Read(std::string_view text, bool last, const TakeSpan& take);

  const TraceProblems& problems() const { return problems_; }
  const TraceState& state() const { return state_; }
  // Goes on where a copy of this writer's state was made.
  void Resume(TraceState state);

 private:
  size_t Resynchronise(std::string_view text, size_t from, bool last);
  bool FindEvents(std::string_view text, size_t* at);
  void TakeEvent(const RawEvent& event, const TakeSpan& take);
  void TakeMetadata(const RawEvent& event);
  void TakeEnd(const RawEvent& event, const TakeSpan& take);
  void Begin(const RawEvent& event);
  void Hand(const RawEvent& event, const TraceState::Begun& begun, double duration,
            const TakeSpan& take);
  void Fail(std::string_view why, const RawEvent& event);
  std::pair<int64_t, int64_t> PairKey(const RawEvent& event) const;
  TraceState::Process& ProcessOf(int64_t pid, std::string_view text);
  int64_t ThreadOf(int64_t tid, std::string_view text, TraceState::Process* process);
  NameId NameOf(const JsonValue& name);
  NameId PhaseOf(const RawEvent& event, const TraceState::Process& process);

  const Options options_;
  Names* const names_;
  const NameId node_;
  TraceState state_;
  TraceProblems problems_;
};

// How many readable bytes must follow a text of a trace.
inline constexpr size_t kTracePadding = 64;

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_IMPORT_TRACE_READER_H_
