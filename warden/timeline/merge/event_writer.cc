#include "warden/timeline/merge/event_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "warden/base/json.h"

namespace warden::timeline {
namespace {

constexpr std::string_view kCounters = "sys_metrics";
constexpr std::string_view kMarks = "sys_metrics_bottlenecks";

// A phase goes into the first band whose word is in its name.
constexpr std::array<std::pair<std::string_view, int64_t>, 13> kBandList = {{
    {"Step:", 1},
    {"Forward", 10'000},
    {"Backward", 20'000},
    {"DataIterator", 30'000},
    {"Dataset", 40'000},
    {"/device", 50'000},
    {"CUDA calls", 54'000},
    {"GPU ", 57'000},
    {"/host", 60'000},
    {"gpu_functions", 70'000},
    {"cpu_functions", 80'000},
    {"Horovod", 90'000},
    {"", 1'000'000},
}};

void AppendInt(int64_t value, std::string* out) {
  const fmt::format_int text(value);
  out->append(text.data(), text.size());
}

// Microseconds, and what is beyond them as a fraction.
void AppendMicros(int64_t us, int32_t ns, std::string* out) {
  AppendInt(us, out);
  if (ns != 0) fmt::format_to(std::back_inserter(*out), ".{:03}", ns);
}

}  // namespace

void AppendNumber(double value, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{}", value);
}

void EventWriter::NextLine() {
  out_->append(any_ ? ",\n" : "\n");
  any_ = true;
}

int64_t EventWriter::NewPid(std::string_view phase) {
  size_t band = 0;
  while (phase.find(kBandList[band].first) == std::string_view::npos) ++band;
  const int64_t pid = kBandList[band].second + used_[band]++;
  std::string name;
  AppendJsonString(phase, &name);
  NextLine();
  fmt::format_to(std::back_inserter(*out_),
                 R"({{"name": "process_name", "ph": "M", "pid": {}, "args": {{"name": {}}}}})", pid,
                 name);
  NextLine();
  fmt::format_to(
      std::back_inserter(*out_),
      R"({{"name": "process_sort_index", "ph": "M", "pid": {}, "args": {{"sort_index": {}}}}})",
      pid, pid);
  return pid;
}

void EventWriter::NameThread(int64_t pid, const MergeSpan& span) {
  std::string name;
  AppendJsonString(fmt::format("{}_{}", *span.node_name, span.tid), &name);
  NextLine();
  fmt::format_to(
      std::back_inserter(*out_),
      R"({{"name": "thread_name", "ph": "M", "pid": {}, "tid": {}, "args": {{"name": {}}}}})", pid,
      span.tid, name);
}

const EventWriter::Thread& EventWriter::ThreadOf(const MergeSpan& span) {
  if (span.phase >= pids_.size()) {
    pids_.resize(span.phase + 1);
    threads_.resize(span.phase + 1);
  }
  std::vector<Thread>& threads = threads_[span.phase];
  for (size_t i = 0; i < threads.size(); ++i) {
    if (threads[i].tid != span.tid) continue;
    if (i > 0) std::swap(threads[i], threads[i / 2]);  // What is used often comes to the front.
    return threads[i / 2];
  }
  int64_t& pid = pids_[span.phase];
  if (pid == 0) pid = NewPid(*span.phase_name);
  NameThread(pid, span);
  return threads.emplace_back(Thread{
      span.tid, fmt::format(R"(", "pid": {}, "tid": {}, "ph": "X", "ts": )", pid, span.tid)});
}

void EventWriter::Clock(const HostClock& clock) {
  const Json event = {{"name", "clock_moved"},
                      {"ph", "M"},
                      {"pid", 0},
                      {"args",
                       {{"host", clock.host},
                        {"moved_us", -clock.ahead_us},
                        {"error_us", clock.error_us},
                        {"text", WordsOf(clock)}}}};
  NextLine();
  out_->append(DumpLikePython(event));
}

void EventWriter::Span(const MergeSpan& span) {
  const Thread& thread = ThreadOf(span);
  NextLine();
  out_->append(R"({"name": ")");
  out_->append(span.name);
  out_->append(thread.middle);
  AppendMicros(span.start_us, span.start_ns, out_);
  out_->append(R"(, "dur": )");
  AppendMicros(span.duration_us, span.duration_ns, out_);
  if (!span.args.empty()) {
    out_->append(R"(, "args": )");
    out_->append(span.args);
  }
  out_->push_back('}');
}

void EventWriter::Flow(const MergeSpan& span, uint64_t number, std::string_view kind) {
  const int64_t tid = ThreadOf(span).tid;
  NextLine();
  fmt::format_to(
      std::back_inserter(*out_),
      R"({{"name": "launch", "cat": "launch", "ph": "{}", "bp": "e", "id": {}, "pid": {}, "tid": {}, "ts": )",
      kind, number, pids_[span.phase], tid);
  AppendMicros(span.start_us, span.start_ns, out_);
  out_->push_back('}');
}

void EventWriter::Counter(std::string_view name, int64_t time_us, double value) {
  if (counters_pid_ == 0) counters_pid_ = NewPid(kCounters);
  NextLine();
  out_->append(R"({"name": ")");
  out_->append(name);
  out_->append(R"(", "pid": )");
  AppendInt(counters_pid_, out_);
  out_->append(R"(, "ph": "C", "ts": )");
  AppendInt(time_us, out_);
  out_->append(R"(, "args": {"value": )");
  AppendNumber(value, out_);
  out_->append("}}");
}

void EventWriter::Mark(int64_t time_us, std::string_view args) {
  if (marks_pid_ == 0) marks_pid_ = NewPid(kMarks);
  NextLine();
  fmt::format_to(std::back_inserter(*out_),
                 R"({{"name": "{}", "pid": {}, "ph": "i", "ts": {}, "s": "t", "args": {}}})",
                 kMarks, marks_pid_, time_us, args);
}

}  // namespace warden::timeline
