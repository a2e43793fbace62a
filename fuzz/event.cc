// The input as an event. What it holds must come back from a record written with it.

#include <cstring>
#include <string>
#include <vector>

#include "fuzz/check.h"
#include "warden/format/event_message.h"
#include "warden/format/record.h"

namespace warden::fuzz {
namespace {

using format::Event;
using format::EventValue;

// Bit by bit, so that what is no number equals itself.
template <class T>
bool Same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

bool Same(const std::vector<double>& a, const std::vector<double>& b) {
  return AsText(std::as_bytes(std::span(a))) == AsText(std::as_bytes(std::span(b)));
}

std::string Encode(const Event& event, const EventValue& value) {
  std::string record;
  const format::TensorEventHeader header{.wall_time = event.wall_time,
                                         .step = event.step,
                                         .tag = value.tag,
                                         .mode = value.mode.value_or(Mode::kGlobal),
                                         .mode_step = value.mode_step.value_or(0),
                                         .dtype = value.dtype,
                                         .shape = value.shape,
                                         .content_size = value.data().size()};
  if (value.kind == EventValue::Kind::kScalar) {
    format::EncodeScalarRecord(event.wall_time, event.step, value.tag, value.scalar, &record);
  } else if (value.kind == EventValue::Kind::kHistogram) {
    format::EncodeHistogramRecord(
        event.wall_time, event.step, value.tag,
        {value.min, value.max, value.num, value.sum, value.sum_squares, value.limits, value.counts},
        &record);
  } else if (value.dtype == DType::kString) {
    format::EncodeStringRecord(
        header, std::vector<std::string>(value.strings.begin(), value.strings.end()), &record);
  } else {
    std::string tail;
    const uint64_t size = format::EncodeTensorRecord(header, &record, &tail);
    record += AsText(value.data());
    record += tail;
    Check(record.size() == size);
  }
  return record;
}

void CheckSameTensor(const EventValue& a, const EventValue& b) {
  Check(a.tag == b.tag && a.dtype == b.dtype && a.strings == b.strings);
  // Strings are written in one dimension only.
  Check(a.shape == b.shape || a.dtype == DType::kString);
  Check(AsText(a.data()) == AsText(b.data()));
  Check(b.mode == a.mode.value_or(Mode::kGlobal) && b.mode_step == a.mode_step.value_or(0));
}

void CheckSame(const EventValue& a, const EventValue& b) {
  Check(a.kind == b.kind);
  if (a.kind == EventValue::Kind::kTensor) {
    CheckSameTensor(a, b);
    return;
  }
  Check(b.tag == format::CleanTag(a.tag) && Same(a.scalar, b.scalar));
  Check(Same(a.min, b.min) && Same(a.max, b.max) && Same(a.num, b.num) && Same(a.sum, b.sum) &&
        Same(a.sum_squares, b.sum_squares));
  Check(Same(a.limits, b.limits) && Same(a.counts, b.counts));
}

void RoundTrip(const Event& event, const EventValue& value) {
  const std::string record = Encode(event, value);
  const Result<Bytes> payload = format::ParseRecord(AsBytes(record));
  Check(payload.ok());
  const Result<Event> again = format::ParseEvent(payload.value());
  Check(again.ok() && again.value().values.size() == 1);
  Check(Same(again.value().wall_time, event.wall_time) && again.value().step == event.step);
  CheckSame(value, again.value().values[0]);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto event = warden::format::ParseEvent(std::as_bytes(std::span(data, size)));
  if (!event.ok()) return 0;
  for (const auto& value : event.value().values) {
    if (value.kind == warden::format::EventValue::Kind::kNone) continue;
    warden::fuzz::RoundTrip(event.value(), value);
  }
  return 0;
}
