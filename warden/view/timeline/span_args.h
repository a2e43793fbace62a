#ifndef WARDEN_VIEW_TIMELINE_SPAN_ARGS_H_
#define WARDEN_VIEW_TIMELINE_SPAN_ARGS_H_

// Arguments of trace events that decide about tracks and connections. Read for each event, so it
// does not build a JSON value: it walks over the text once.

#include <cstdint>
#include <optional>
#include <string_view>

namespace warden::view {

// What the arguments of an event say about where it ran and what it has to do with others. The view
// refers to the text that was parsed.
struct SpanArgs {
  std::optional<int64_t> tid;          // Thread or stream.
  std::optional<int64_t> stream;       // Of a GPU.
  std::optional<int64_t> correlation;  // Of CUPTI: a launch and what it ran have the same.
  // The thread on which a kernel's operator ran, and when it began, in microseconds since 1970.
  std::optional<int64_t> launch_thread;
  std::optional<int64_t> launch_us;
  std::string_view launch_name;  // Of that operator; empty if it is not said.
};

// args: a JSON object as a TraceReader hands it over, or empty; JsonCursor::kPadding readable bytes
// follow it. Unknown members are ignored; broken JSON gives what was read before. Numbers may be
// written as strings. A name with escapes counts as not said.
SpanArgs ReadSpanArgs(std::string_view args);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SPAN_ARGS_H_
