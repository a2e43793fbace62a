#ifndef WARDEN_TIMELINE_IMPORT_RAW_EVENT_H_
#define WARDEN_TIMELINE_IMPORT_RAW_EVENT_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "warden/timeline/import/json_cursor.h"

namespace warden::timeline {

// The number of a process or a thread of a trace; where it is a text ("stream 7"), one that stands
// for it.
struct TraceNumber {
  int64_t number = 0;
  std::string_view text;  // Without quotes, its escapes as they are; empty for a number.
  bool given = false;
};

// What the arguments of an event have for us.
struct EventArgs {
  JsonValue all;  // As they stand there; text is empty if there are none.
  bool empty = true;
  JsonValue name;  // These two have no text where they are missing.
  JsonValue layer_name;
  std::optional<int64_t> base_time_us;
  std::optional<int64_t> pid;
  std::optional<int64_t> thread_id;
  std::optional<int64_t> step;
  std::optional<int64_t> worker;
  std::optional<int64_t> num_workers;
  std::optional<int64_t> bytes;
  std::optional<int64_t> device;
  int8_t pinned = -1;

  // As it was made. Quicker than a new one.
  void Clear();
};

// One event of a trace, in the words of the trace.
struct RawEvent {
  std::string_view all;  // From brace to brace.
  char kind = 0;         // "ph": 'X', 'M', ...; 0 if there is none, '?' if it is no single letter.
  JsonValue name;
  JsonValue category;
  TraceNumber pid;
  TraceNumber tid;
  std::optional<double> ts;
  std::optional<double> dur;
  EventArgs args;

  void Clear();
};

// Reads one event, whose brace is next. False if it is broken, or not whole by now: the cursor is
// at the end of the text then.
bool ReadRawEvent(JsonCursor* cursor, RawEvent* event);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_IMPORT_RAW_EVENT_H_
