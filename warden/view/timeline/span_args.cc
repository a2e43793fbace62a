#include "warden/view/timeline/span_args.h"

#include "warden/timeline/import/json_cursor.h"

namespace warden::view {

SpanArgs ReadSpanArgs(std::string_view args) {
  SpanArgs found;
  timeline::JsonCursor cursor(args);
  if (args.empty() || !cursor.Take('{')) return found;
  timeline::JsonValue key;
  timeline::JsonValue value;
  do {
    if (!cursor.Key(&key) || !cursor.Value(&value)) return found;
    const auto set = [&](std::string_view name, std::optional<int64_t>* number) {
      if (key.text == name) *number = WholeNumber(value);
    };
    // Most keys have a length of their own, so that one comparison tells.
    switch (key.text.size()) {
      case 3: set("tid", &found.tid); break;
      case 6: set("stream", &found.stream); break;
      case 10:
        if (key.text == "event_name" && !value.escaped) found.launch_name = value.text;
        break;
      case 11: set("correlation", &found.correlation); break;
      case 16: set("start_cpu_thread", &found.launch_thread); break;
      case 21: set("cpu_thread_start_time", &found.launch_us); break;
      default: break;
    }
  } while (cursor.Take(','));
  return found;
}

}  // namespace warden::view
