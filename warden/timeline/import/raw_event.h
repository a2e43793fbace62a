#ifndef WARDEN_TIMELINE_IMPORT_RAW_EVENT_H_
#define WARDEN_TIMELINE_IMPORT_RAW_EVENT_H_

// Events of a Chrome trace before they are interpreted. Used by TraceReader alone.

#include <cstdint>
#include <optional>
#include <string_view>

#include "warden/timeline/import/json_cursor.h"

namespace warden::timeline {

// The number of a process or a thread of a trace; where it is a text ("stream 7"), its
// StableThreadId.
struct TraceNumber {
  int64_t number = 0;
  std::string_view text;  // Without quotes, its escapes as they are; empty for a number.
  bool given = false;     // The event has it, with a usable type.
};

// The arguments of an event that we use. Views refer to the text of the cursor.
struct EventArgs {
  JsonValue all;      // As they stand there; text is empty if there are none.
  bool empty = true;  // No members.
  JsonValue name;     // These two have no text where they are missing.
  JsonValue layer_name;
  std::optional<int64_t> base_time_us;  // "start_time_since_epoch_in_micros".
  std::optional<int64_t> pid;
  std::optional<int64_t> thread_id;
  std::optional<int64_t> step;    // "step_num".
  std::optional<int64_t> worker;  // "worker_id" of a data loader.
  std::optional<int64_t> num_workers;
  std::optional<int64_t> bytes;  // "bytes_fetched".
  std::optional<int64_t> device;
  int8_t pinned = -1;  // "pin_memory": 0 or 1; -1: not said.

  // Resets all members. Quicker than a new one, for there are millions.
  void Clear();
};

// One event of a trace, in the words of the trace. Views refer to the text of the cursor.
struct RawEvent {
  std::string_view all;  // From brace to brace.
  char kind = 0;         // "ph": 'X', 'M', ...; 0 if missing, '?' if not a single letter.
  JsonValue name;
  JsonValue category;
  TraceNumber pid;
  TraceNumber tid;
  std::optional<double> ts;   // Start, in microseconds as the file counts them.
  std::optional<double> dur;  // Duration, in microseconds.
  EventArgs args;

  void Clear();
};

// Reads one event, whose brace is next, into *event, which may be reused. False if it is not valid
// JSON, or not complete by now: the cursor is at the end of the text then. Unknown members are
// checked and ignored.
bool ReadRawEvent(JsonCursor* cursor, RawEvent* event);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_IMPORT_RAW_EVENT_H_
