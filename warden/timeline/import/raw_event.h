#ifndef WARDEN_TIMELINE_IMPORT_RAW_EVENT_H_
#define WARDEN_TIMELINE_IMPORT_RAW_EVENT_H_

// Events of a Chrome trace before they are interpreted: which members we look at, and what counts
// as one. Used by TraceReader alone, which gives them their meaning. Reading does not allocate
// memory: traces have millions of events.

#include <cstdint>
#include <optional>
#include <string_view>

#include "warden/timeline/import/json_cursor.h"

namespace warden::timeline {

// The number of a process or a thread of a trace; where it is a text ("stream 7"), its
// StableThreadId. Chrome's format asks for numbers, but PyTorch writes texts for streams of a GPU.
struct TraceNumber {
  int64_t number = 0;
  std::string_view text;  // Without quotes, its escapes as they are; empty for a number.
  bool given = false;     // The event has it, with a usable type.
};

// The arguments of an event that we use. Views refer to the text of the cursor. Numbers may be
// written as strings, as the original does: "12" counts as 12. An argument of the wrong type counts
// as missing. All is as the file has it; ranges are checked by TraceReader.
struct EventArgs {
  JsonValue all;  // As they stand there; text is empty if there are none.
  // An object without members, or something that is not an object.
  bool empty = true;
  JsonValue name;  // These two have no text where they are missing.
  JsonValue layer_name;
  // "start_time_since_epoch_in_micros": what the times of this file count from, in µs since 1970.
  std::optional<int64_t> base_time_us;
  std::optional<int64_t> pid;
  std::optional<int64_t> thread_id;
  std::optional<int64_t> step;    // "step_num".
  std::optional<int64_t> worker;  // "worker_id" of a data loader.
  std::optional<int64_t> num_workers;
  std::optional<int64_t> bytes;  // "bytes_fetched".
  std::optional<int64_t> device;
  // "pin_memory": 0 or 1, also as true, "True" and so on; -1: not said.
  int8_t pinned = -1;

  // Resets all members. Quicker than a new one, for there are millions.
  void Clear();
};

// One event of a trace, in the words of the trace. Views refer to the text of the cursor. A member
// that occurs twice has the later value.
struct RawEvent {
  std::string_view all;  // From brace to brace.
  char kind = 0;         // "ph": 'X', 'M', ...; 0 if missing, '?' if not a single letter.
  JsonValue name;
  JsonValue category;
  TraceNumber pid;
  TraceNumber tid;
  // Start, in microseconds as the file counts them; may have a fraction. Finite where it is set.
  std::optional<double> ts;
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
