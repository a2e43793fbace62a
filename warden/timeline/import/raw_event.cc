#include "warden/timeline/import/raw_event.h"

#include <cmath>

#include "warden/timeline/thread_id.h"

namespace warden::timeline {
namespace {

using Kind = JsonValue::Kind;

// Members of an event or of its arguments, one after the other; `take` is given the key and reads
// the value.
template <class Take>
bool ReadMembers(JsonCursor* cursor, Take&& take) {
  if (!cursor->Take('{')) return false;
  if (cursor->Take('}')) return true;
  JsonValue key;
  do {
    if (!cursor->Key(&key) || !take(key.text)) return false;
  } while (cursor->Take(','));
  return cursor->Take('}');
}

int8_t Truth(const JsonValue& value) {
  if (value.text == "true" || value.text == "True" || value.text == "1") return 1;
  if (value.text == "false" || value.text == "False" || value.text == "0") return 0;
  return -1;
}

// Reads a value that counts only if it is a string.
bool ReadText(JsonCursor* cursor, JsonValue* value) {
  if (!cursor->Value(value)) return false;
  if (value->kind != Kind::kString) *value = JsonValue();
  return true;
}

// Written out, since to hand an optional over costs more than to find the number.
void Set(const JsonValue& value, std::optional<int64_t>* number) {
  if (value.is_whole) {
    number->emplace(value.whole);
  } else {
    *number = OtherWholeNumber(value);
  }
}
void Set(const JsonValue& value, std::optional<double>* number) {
  if (value.is_whole) {
    number->emplace(static_cast<double>(value.whole));
  } else {
    *number = OtherNumber(value);
  }
}

// Which of the keys it is; most have a length of their own, so that one comparison tells.
void TakeArgument(std::string_view key, const JsonValue& value, EventArgs* args) {
  switch (key.size()) {
    case 3:
      if (key == "pid") Set(value, &args->pid);
      break;
    case 6:
      if (key == "device") Set(value, &args->device);
      break;
    case 8:
      if (key == "step_num") Set(value, &args->step);
      break;
    case 9:
      if (key == "thread_id") Set(value, &args->thread_id);
      if (key == "worker_id") Set(value, &args->worker);
      break;
    case 10:
      if (key == "pin_memory") args->pinned = Truth(value);
      break;
    case 11:
      if (key == "num_workers") Set(value, &args->num_workers);
      break;
    case 13:
      if (key == "bytes_fetched") Set(value, &args->bytes);
      break;
    case 32:
      if (key == "start_time_since_epoch_in_micros") Set(value, &args->base_time_us);
      break;
    default: break;
  }
}

bool ReadArgs(JsonCursor* cursor, EventArgs* args) {
  if (!args->all.text.empty()) args->Clear();  // Of two with one name the later counts.
  cursor->SkipBlanks();
  if (cursor->at_end()) return false;
  if (*cursor->at() != '{') return cursor->Value(&args->all);
  const char* const begin = cursor->at();
  JsonValue value;
  const bool good = ReadMembers(cursor, [&](std::string_view key) {
    args->empty = false;
    if (key == "name") return ReadText(cursor, &args->name);
    if (key == "layer_name") return ReadText(cursor, &args->layer_name);
    if (!cursor->Value(&value)) return false;
    args->all.non_finite |= value.non_finite;
    TakeArgument(key, value, args);
    return true;
  });
  args->all.kind = Kind::kObject;
  args->all.text = {begin, static_cast<size_t>(cursor->at() - begin)};
  return good;
}

void SetTraceNumber(const JsonValue& value, TraceNumber* number) {
  *number = {};
  if (value.is_whole) {
    number->number = value.whole;
    number->given = true;
  } else if (value.kind == Kind::kNumber) {
    const auto whole = OtherWholeNumber(value);
    number->number = whole.value_or(0);
    number->given = whole.has_value();
  } else if (value.kind == Kind::kString) {
    *number = {StableThreadId(value.text), value.text, true};
  }
}

char EventKind(const JsonValue& value) {
  return value.kind == Kind::kString && value.text.size() == 1 ? value.text[0] : '?';
}

void TakeMember(std::string_view key, const JsonValue& value, RawEvent* event) {
  switch (key.size()) {
    case 2:
      if (key == "ts") Set(value, &event->ts);
      if (key == "ph") event->kind = EventKind(value);
      break;
    case 3:
      if (key == "dur") Set(value, &event->dur);
      if (key == "pid") SetTraceNumber(value, &event->pid);
      if (key == "tid") SetTraceNumber(value, &event->tid);
      break;
    default: break;
  }
}

}  // namespace

void EventArgs::Clear() {
  all.text = {};
  all.non_finite = false;
  empty = true;
  name.text = layer_name.text = {};
  name.escaped = layer_name.escaped = false;
  base_time_us.reset();
  pid.reset();
  thread_id.reset();
  step.reset();
  worker.reset();
  num_workers.reset();
  bytes.reset();
  device.reset();
  pinned = -1;
}

void RawEvent::Clear() {
  all = {};
  kind = 0;
  name.text = category.text = {};
  name.escaped = category.escaped = false;
  pid.number = tid.number = 0;
  pid.text = tid.text = {};
  pid.given = tid.given = false;
  ts.reset();
  dur.reset();
  args.Clear();
}

bool ReadRawEvent(JsonCursor* cursor, RawEvent* event) {
  event->Clear();
  JsonValue value;
  const char* const begin = cursor->at();
  const bool good = ReadMembers(cursor, [&](std::string_view key) {
    if (key == "args") return ReadArgs(cursor, &event->args);
    if (key == "name") return ReadText(cursor, &event->name);
    if (key == "cat") return ReadText(cursor, &event->category);
    if (!cursor->Value(&value)) return false;
    TakeMember(key, value, event);
    return true;
  });
  event->all = {begin, static_cast<size_t>(cursor->at() - begin)};
  return good;
}

}  // namespace warden::timeline
