#include <fmt/format.h>

#include "warden/base/strings.h"
#include "warden/format/event_message.h"
#include "warden/format/little_endian.h"
#include "warden/format/tensor_proto.h"
#include "warden/format/wire.h"

namespace warden::format {
namespace {

// Hooks write one value to an event, TensorBoard's writers a few dozen. Two bytes suffice for an
// empty one, which takes a hundred times as much here.
constexpr size_t kMaxValues = 1 << 16;

// What tensors may be filled up with, for a whole event. See ParseTensorProto.
uint64_t FillBudget(Bytes payload) { return (1 << 20) + 4 * payload.size(); }

Status CorruptMessage(uint64_t offset, std::string_view what) {
  return Status(Code::kCorrupt, fmt::format("{} at byte {} of the message", what, offset));
}

// What one plugin entry says. The original keeps a tensor's mode in two of them.
Status ParsePlugin(WireReader plugin, EventValue* value) {
  std::string_view name;
  std::string_view content;
  while (plugin.Next()) {
    if (plugin.Is(1, WireType::kBytes)) name = plugin.text();
    if (plugin.Is(2, WireType::kBytes)) content = plugin.text();
  }
  if (!plugin.status().ok()) return plugin.status();
  if (name != "mode" && name != "mode_step") return Status();
  const std::optional<int64_t> number = ParseInt(content);
  if (!number) return CorruptMessage(plugin.offset(), fmt::format("{} is not a number", name));
  if (name == "mode_step") {
    value->mode_step = number;
    return Status();
  }
  if (*number < 1 || *number > static_cast<int64_t>(kAllModes.size())) {
    return CorruptMessage(plugin.offset(), fmt::format("unknown mode {}", *number));
  }
  value->mode = static_cast<Mode>(*number);
  return Status();
}

Status ParseMetadata(WireReader metadata, EventValue* value) {
  while (metadata.Next()) {
    if (!metadata.Is(1, WireType::kBytes)) continue;
    if (Status s = ParsePlugin(metadata.message(), value); !s.ok()) return s;
  }
  return metadata.status();
}

Status AppendDoubles(const WireReader& list, std::vector<double>* out) {
  const Bytes packed = list.bytes();
  if (packed.size() % sizeof(double) != 0)
    return CorruptMessage(list.offset(), "invalid list of numbers");
  for (size_t at = 0; at < packed.size(); at += sizeof(double)) {
    out->push_back(LoadLittleEndian<double>(packed.data() + at));
  }
  return Status();
}

Status ParseHistogram(WireReader histogram, EventValue* value) {
  double* const numbers[] = {&value->min, &value->max, &value->num, &value->sum,
                             &value->sum_squares};
  std::vector<double>* const lists[] = {&value->limits, &value->counts};
  while (histogram.Next()) {
    const uint32_t field = histogram.field();
    if (field >= 1 && field <= 5 && histogram.Is(field, WireType::kFixed64)) {
      *numbers[field - 1] = histogram.AsDouble();
    } else if ((field == 6 || field == 7) && histogram.Is(field, WireType::kFixed64)) {
      lists[field - 6]->push_back(histogram.AsDouble());
    } else if ((field == 6 || field == 7) && histogram.Is(field, WireType::kBytes)) {
      if (Status s = AppendDoubles(histogram, lists[field - 6]); !s.ok()) return s;
    }
  }
  if (!histogram.status().ok()) return histogram.status();
  if (value->limits.size() == value->counts.size()) return Status();
  return CorruptMessage(histogram.offset(),
                        fmt::format("histogram with {} limits and {} counts", value->limits.size(),
                                    value->counts.size()));
}

// The parts of a value as they stand. Of what a value can be, the last that is given counts.
struct ValueParts {
  EventValue::Kind kind = EventValue::Kind::kNone;
  WireReader body{Bytes()};
  float scalar = 0;
};

Status ParseValueParts(WireReader message, ValueParts* parts, EventValue* value) {
  while (message.Next()) {
    if (message.Is(1, WireType::kBytes)) {
      value->tag = message.text();
    } else if (message.Is(2, WireType::kFixed32)) {
      *parts = {EventValue::Kind::kScalar, WireReader({}), message.AsFloat()};
    } else if (message.Is(5, WireType::kBytes)) {
      *parts = {EventValue::Kind::kHistogram, message.message()};
    } else if (message.Is(8, WireType::kBytes)) {
      *parts = {EventValue::Kind::kTensor, message.message()};
    } else if (message.Is(9, WireType::kBytes)) {
      if (Status s = ParseMetadata(message.message(), value); !s.ok()) return s;
    }
  }
  return message.status();
}

Status ParseValue(const WireReader& message, uint64_t* fill_budget, EventValue* value) {
  ValueParts parts;
  if (Status s = ParseValueParts(message, &parts, value); !s.ok()) return s;
  value->kind = parts.kind;
  value->scalar = parts.scalar;
  switch (parts.kind) {
    case EventValue::Kind::kTensor: return ParseTensorProto(parts.body, fill_budget, value);
    case EventValue::Kind::kHistogram: return ParseHistogram(parts.body, value);
    case EventValue::Kind::kScalar:
    case EventValue::Kind::kNone: break;
  }
  return Status();
}

Status ParseSummary(WireReader summary, uint64_t* fill_budget, std::vector<EventValue>* values) {
  while (summary.Next()) {
    if (!summary.Is(1, WireType::kBytes)) continue;
    if (values->size() == kMaxValues) return CorruptMessage(summary.offset(), "too many values");
    if (Status s = ParseValue(summary.message(), fill_budget, &values->emplace_back()); !s.ok()) {
      return s;
    }
  }
  return summary.status();
}

}  // namespace

Result<Event> ParseEvent(Bytes payload) {
  Event event;
  uint64_t fill_budget = FillBudget(payload);
  WireReader reader(payload);
  while (reader.Next()) {
    if (reader.Is(1, WireType::kFixed64)) {
      event.wall_time = reader.AsDouble();
    } else if (reader.Is(2, WireType::kVarint)) {
      event.step = static_cast<Step>(reader.number());
    } else if (reader.Is(5, WireType::kBytes)) {
      Status s = ParseSummary(reader.message(), &fill_budget, &event.values);
      if (!s.ok()) return s;
    }
  }
  if (!reader.status().ok()) return reader.status();
  return event;
}

}  // namespace warden::format
