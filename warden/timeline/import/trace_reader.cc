#include "warden/timeline/import/trace_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "warden/timeline/import/raw_event.h"
#include "warden/timeline/thread_id.h"

namespace warden::timeline {
namespace {

// An event that is not whole by then never will be.
constexpr size_t kLongestEvent = size_t{16} << 20;
constexpr double kLatest = 2e18;  // Microseconds: beyond, sums would leave 64 bits.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsUtf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

int32_t Narrow(std::optional<int64_t> value) {
  return value && *value >= -1 && *value <= INT32_MAX ? static_cast<int32_t>(*value) : -1;
}

std::string_view Head(std::string_view text) { return text.substr(0, 60); }

constexpr std::array<std::string_view, 2> kOperators = {"cpu_op", "Operator"};
// With small and with capital letters: older versions spelt them so.
constexpr std::array<std::string_view, 6> kOnDevice = {"kernel", "gpu_memcpy", "gpu_memset",
                                                       "Kernel", "Memcpy",     "Memset"};
constexpr std::array<std::string_view, 2> kAnnotations = {"user_annotation", "User Scope"};

template <size_t kCount>
bool Has(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The phase that an event of PyTorch's own profiler belongs to, by its category, under the name
// that hooks use: "cpu_functions", "gpu_functions-dev:0", "Annotation". device: the GPU's number, 0
// if the event has none. Empty if there is no such phase: that of the process counts then.
std::string TorchPhase(std::string_view category, std::optional<int64_t> device) {
  if (Has(kOperators, category)) return "cpu_functions";
  if (Has(kOnDevice, category)) return fmt::format("gpu_functions-dev:{}", device.value_or(0));
  if (Has(kAnnotations, category)) return "Annotation";
  return "";
}

}  // namespace

TraceReader::TraceReader(Options options, Names* names)
    : options_(std::move(options)), names_(names), node_(names->IdOf(options_.node)) {
  state_.base_us_ = options_.base_us;
}

void TraceReader::BeginFile(int64_t base_us) {
  state_.place_ = TraceState::Place::kStart;
  if (base_us != 0) state_.base_us_ = base_us;
}

void TraceReader::Resume(TraceState state) { state_ = std::move(state); }

size_t TraceReader::Read(std::string_view text, bool last, const TakeSpan& take) {
  size_t done = 0;
  if (state_.place_ == TraceState::Place::kStart && !FindEvents(text, &done)) {
    return last ? text.size() : done;
  }
  const bool all_utf8 = IsUtf8(text.substr(done));
  RawEvent event;
  while (state_.place_ == TraceState::Place::kEvents) {
    JsonCursor cursor(text.substr(done));
    while (cursor.Take(',')) {
    }
    done = text.size() - cursor.left();
    if (cursor.at_end()) return done;
    if (*cursor.at() == ']') {
      state_.place_ = TraceState::Place::kEnd;
      break;
    }
    if (*cursor.at() == '{' && ReadRawEvent(&cursor, &event)) {
      done = text.size() - cursor.left();
      if (all_utf8 || IsUtf8(event.all)) {
        TakeEvent(event, take);
      } else {
        Fail("not valid UTF-8", event);
      }
      continue;
    }
    // A piece that may be cut at the end of the text is waited for.
    if (cursor.at_end() && !last && text.size() - done < kLongestEvent) return done;
    event.all = text.substr(done, 80);
    Fail(cursor.at_end() ? "truncated" : "not valid JSON", event);
    done = Resynchronise(text, done, last);
  }
  return text.size();
}

// What follows a broken event is looked for at the beginning of a line.
size_t TraceReader::Resynchronise(std::string_view text, size_t from, bool last) {
  for (size_t at = text.find('\n', from); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    if (at + 1 == text.size()) return last ? text.size() : at;
    const size_t next = text.find_first_not_of(" \t\r\n,", at + 1);
    if (next == std::string_view::npos) return at;
    if (text[next] == '{' || (text[next] == ']' && next + 2 >= text.size())) return next;
  }
  return text.size();
}

// Up to the bracket that opens the events. False if it has not come yet or never will.
bool TraceReader::FindEvents(std::string_view text, size_t* at) {
  const bool marked = text.starts_with(kByteOrderMark);
  JsonCursor cursor(marked ? text.substr(kByteOrderMark.size()) : text);
  if (cursor.Take('[')) {
    state_.place_ = TraceState::Place::kEvents;
    *at = text.size() - cursor.left();
    return true;
  }
  bool found = false;
  JsonValue key;
  JsonValue value;
  if (cursor.Take('{')) {
    do {
      if (!cursor.Key(&key)) break;
      found = key.text == "traceEvents" && cursor.Take('[');
      if (found || !cursor.Value(&value)) break;
      // Newer traces of PyTorch count from a moment of their own.
      const auto base_ns = WholeNumber(value);
      if (key.text == "baseTimeNanoseconds" && base_ns) state_.base_us_ = *base_ns / 1000;
    } while (cursor.Take(','));
  }
  if (found) {
    state_.place_ = TraceState::Place::kEvents;
    *at = text.size() - cursor.left();
    return true;
  }
  cursor.SkipBlanks();
  if (!cursor.at_end() || text.size() > kLongestEvent) {
    state_.place_ = TraceState::Place::kEnd;
    RawEvent nothing;
    nothing.all = Head(text);
    Fail("expected an array of events or an object with traceEvents", nothing);
  }
  return false;
}

void TraceReader::TakeEvent(const RawEvent& event, const TakeSpan& take) {
  ++problems_.events;
  switch (event.kind) {
    case 'M': return TakeMetadata(event);
    case 'B': return Begin(event);
    case 'E': return TakeEnd(event, take);
    case 'X': break;
    default: return;
  }
  const bool usable = event.ts && event.dur && *event.dur >= 0;
  if (!usable || std::abs(*event.ts) > kLatest || *event.dur > kLatest) {
    return Fail("a span needs numbers ts and dur, dur >= 0", event);
  }
  TraceState::Begun whole;
  whole.ts = *event.ts;
  whole.pid = event.pid.number;
  whole.tid = event.tid.number;
  if (options_.want_names) whole.name = NameOf(event.name);
  Hand(event, whole, *event.dur, take);
}

void TraceReader::TakeMetadata(const RawEvent& event) {
  if (event.name.text == "process_name") {
    const auto base = event.args.base_time_us;
    if (base && std::abs(static_cast<double>(*base)) < kLatest) state_.base_us_ = *base;
    if (event.args.name.text.empty()) return;
    if (!event.pid.given) return Fail("a process needs a pid", event);
    const NameId phase = NameOf(event.args.name);
    TraceState::Process& process = state_.processes_[event.pid.number];
    // A repeated announcement must not lose the threads that are known by now.
    if (process.phase != phase) process = {phase, {}};
  } else if (event.name.text == "thread_name") {
    if (!event.pid.given || !event.tid.given) return Fail("a thread needs pid and tid", event);
    ProcessOf(event.pid.number, event.pid.text).threads[event.tid.number] = event.tid.number;
  }
}

// The original's timelines pair what begins and what ends by phase; elsewhere it is by thread.
std::pair<int64_t, int64_t> TraceReader::PairKey(const RawEvent& event) const {
  const bool by_thread = options_.source == Source::kOther;
  return {event.pid.number, by_thread ? event.tid.number : 0};
}

void TraceReader::Begin(const RawEvent& event) {
  if (!event.ts || std::abs(*event.ts) > kLatest) {
    return Fail("a begin event needs a number ts", event);
  }
  TraceState::Begun begun;
  begun.name = NameOf(event.name);
  begun.name_json = event.name.text;
  begun.ts = *event.ts;
  begun.pid = event.pid.number;
  begun.tid = event.tid.number;
  ProcessOf(event.pid.number, event.pid.text);
  if (!event.tid.text.empty()) {
    ThreadOf(begun.tid, event.tid.text, &state_.processes_[begun.pid]);
  }
  state_.begun_[PairKey(event)].push_back(std::move(begun));
}

void TraceReader::TakeEnd(const RawEvent& event, const TakeSpan& take) {
  const auto open = state_.begun_.find(PairKey(event));
  if (open == state_.begun_.end()) {
    ++problems_.unpaired;
    return;
  }
  const TraceState::Begun begun = std::move(open->second.back());
  open->second.pop_back();
  if (open->second.empty()) state_.begun_.erase(open);
  if (!event.ts || *event.ts < begun.ts || *event.ts > kLatest) {
    ++problems_.unpaired;
    return;
  }
  Hand(event, begun, *event.ts - begun.ts, take);
}

void TraceReader::Hand(const RawEvent& event, const TraceState::Begun& begun, double duration,
                       const TakeSpan& take) {
  const EventArgs& args = event.args;
  TraceState::Process& process = ProcessOf(begun.pid, event.pid.text);
  TraceSpan out;
  out.event_name = begun.name;
  out.phase_pid = begun.pid;
  out.phase_tid = ThreadOf(begun.tid, event.tid.text, &process);
  out.name_json = event.kind == 'X' ? event.name.text : std::string_view(begun.name_json);
  if (!args.empty) out.args = args.all.text;
  out.args_non_finite = args.all.non_finite;
  const int64_t base_us = state_.base_us_ - options_.ahead_us;
  out.start_us = begun.ts + static_cast<double>(base_us);
  out.duration_us = duration;
  out.ts_us = begun.ts;
  const int64_t start = std::llround(begun.ts);
  Span& span = out.span;
  span.start_us = start + base_us;
  span.duration_us = std::llround(begun.ts + duration) - start;
  span.name = begun.name;
  if (options_.want_names && !args.layer_name.text.empty()) {
    span.name = NameOf(args.layer_name);
  } else if (options_.want_names && !args.name.text.empty()) {
    span.name = NameOf(args.name);
  }
  span.phase = PhaseOf(event, process);
  span.node = node_;
  span.source = options_.source;
  span.pinned = args.pinned;
  span.worker = Narrow(args.worker);
  span.num_workers = Narrow(args.num_workers);
  span.step = args.step.value_or(-1);
  span.pid = args.pid.value_or(begun.pid);
  span.tid = args.thread_id.value_or(out.phase_tid);
  span.bytes = args.bytes.value_or(-1);
  take(out);
}

void TraceReader::Fail(std::string_view why, const RawEvent& event) {
  if (problems_.broken++ > 0) return;
  const std::string_view line = event.all.substr(0, event.all.find('\n'));
  problems_.first = fmt::format("'{}': {}", Head(line), why);
}

TraceState::Process& TraceReader::ProcessOf(int64_t pid, std::string_view text) {
  const auto [found, made] = state_.processes_.try_emplace(pid);
  if (made) found->second.phase = names_->IdOf(text.empty() ? "Unknown" : text);
  return found->second;
}

int64_t TraceReader::ThreadOf(int64_t tid, std::string_view text, TraceState::Process* process) {
  const auto [found, made] = process->threads.try_emplace(tid);
  if (made) {
    const std::string number = text.empty() ? std::to_string(tid) : std::string(text);
    found->second =
        StableThreadId(fmt::format("{}_{}{}", options_.node, number, names_->Text(process->phase)));
  }
  return found->second;
}

NameId TraceReader::NameOf(const JsonValue& name) {
  return name.escaped ? names_->IdOf(Unescaped(name)) : names_->IdOf(name.text);
}

NameId TraceReader::PhaseOf(const RawEvent& event, const TraceState::Process& process) {
  if (options_.source != Source::kOther || event.category.text.empty()) return process.phase;
  const std::string phase = TorchPhase(event.category.text, event.args.device);
  return phase.empty() ? process.phase : names_->IdOf(phase);
}

}  // namespace warden::timeline
