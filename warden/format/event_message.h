#ifndef WARDEN_FORMAT_EVENT_MESSAGE_H_
#define WARDEN_FORMAT_EVENT_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/dtype.h"
#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::format {

// Tensors, scalars and histograms as records of event files: what a hook writes for each tensor,
// and what TensorBoard shows. capture encodes, trial, the dashboard and the Python package parse.
// Bytes in, bytes out: no I/O. Everything here is safe for many threads.
//
//   std::string head, tail;
//   EncodeTensorRecord({now, step, "weight", mode, mode_step, dtype, shape, size}, &head, &tail);
//   ... write head, the tensor's bytes, tail ...
//
//   const auto payload = ParseRecord(bytes);          // record.h
//   const auto event = ParseEvent(payload.value());
//   const EventValue& value = event.value().values[0];  // tag, dtype, shape, data()

// ---- Writing. The protobuf messages are laid out by hand so that a tensor's bytes are never
// copied into a message: a record is a head, the tensor's own bytes, and a tail. Writing cannot
// fail. What is given is not checked: a shape that does not fit content_size makes a record that
// ParseEvent refuses.

// All about a tensor's record but its values. The views need to live only during the call.
struct TensorEventHeader {
  double wall_time = 0;  // Seconds since 1970.
  Step step = 0;         // Global.
  std::string_view tag = {};
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;
  DType dtype = DType::kFloat32;  // Not kString.
  std::span<const int64_t> shape = {};
  uint64_t content_size = 0;  // Bytes of the values.
};

// Appends to *head all of the record that precedes the tensor's bytes (record header included) and
// to *tail all that follows them, check word included. Both are appended to, so that buffers can be
// reused. Returns the size of the whole record in bytes: head, content_size and tail. The check
// word is the constant kTensorCheckWord, so the values are not read here.
uint64_t EncodeTensorRecord(const TensorEventHeader& header, std::string* head, std::string* tail);

// A one-dimensional tensor of UTF-8 strings as a whole record, appended to *out. dtype, shape and
// content_size of the header are ignored.
void EncodeStringRecord(const TensorEventHeader& header, std::span<const std::string> values,
                        std::string* out);

// TensorBoard records, with true checksums, appended to *out. tag is cleaned here (CleanTag).
void EncodeScalarRecord(double wall_time, Step step, std::string_view tag, float value,
                        std::string* out);
// A histogram that somebody else keeps alive during the call: counts[i] values lie between
// limits[i - 1] and limits[i]. Both lists have the same length (stats/histogram.h).
struct HistogramView {
  double min = 0, max = 0, num = 0, sum = 0, sum_squares = 0;
  std::span<const double> limits = {}, counts = {};
};
void EncodeHistogramRecord(double wall_time, Step step, std::string_view tag,
                           const HistogramView& histogram, std::string* out);

// What TensorBoard accepts as a tag: every ASCII character outside [-/\w.] becomes '_', then
// leading '/' are removed. Bytes beyond ASCII stay.
std::string CleanTag(std::string_view tag);

// ---- Reading. Views point into the payload that was parsed: whoever keeps an Event keeps the
// payload alive.

// A value of one of the forms that our files and TensorBoard's use. kind says which members count.
struct EventValue {
  enum class Kind { kNone, kTensor, kScalar, kHistogram };  // kNone: a form we do not know.
  Kind kind = Kind::kNone;
  std::string_view tag;

  // kTensor.
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape;
  Bytes content;                          // Exactly shape's elements, unless own_content is used.
  std::vector<std::byte> own_content;     // Values that came in a *_val list instead.
  std::vector<std::string_view> strings;  // dtype kString.
  std::optional<Mode> mode;               // Absent: global.
  std::optional<Step> mode_step;

  float scalar = 0;  // kScalar.

  // kHistogram.
  double min = 0, max = 0, num = 0, sum = 0, sum_squares = 0;
  std::vector<double> limits, counts;

  // The bytes of a tensor's values, wherever they are: C order, little-endian, not aligned. Valid
  // as long as this and the payload are. Empty for strings.
  Bytes data() const { return own_content.empty() ? content : Bytes(own_content); }
};

// One event: hooks write one value into each, TensorBoard's writers may write several.
struct Event {
  double wall_time = 0;  // Seconds since 1970.
  Step step = 0;         // Global.
  std::vector<EventValue> values;
};

// Parses the payload of a record. kCorrupt says what is wrong and near which byte of the payload:
// broken wire format, a shape that does not fit the bytes, more than 65,536 values. kInvalidType:
// elements of a type that we do not have (quantized, float8); the message gives its number. Unknown
// fields are skipped. Safe for hostile bytes: takes no more memory than they justify, and no
// recursion depends on them.
Result<Event> ParseEvent(Bytes payload);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_EVENT_MESSAGE_H_
