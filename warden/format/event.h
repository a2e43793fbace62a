#ifndef WARDEN_FORMAT_EVENT_H_
#define WARDEN_FORMAT_EVENT_H_

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

// ---- Writing. The protobuf messages are laid out by hand so that a tensor's bytes are never
// copied into a message: a record is a head, the tensor's own bytes, and a tail.

struct TensorEventHeader {
  double wall_time = 0;
  Step step = 0;  // Global.
  std::string_view tag = {};
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;
  DType dtype = DType::kFloat32;  // Not kString.
  std::span<const int64_t> shape = {};
  uint64_t content_size = 0;  // Bytes of the values.
};

// Appends to *head all of the record that precedes the tensor's bytes (record header included) and
// to *tail all that follows them, check word included. Both are appended to, so that buffers can be
// reused. Returns the size of the whole record.
uint64_t EncodeTensorRecord(const TensorEventHeader& header, std::string* head, std::string* tail);

// A one-dimensional tensor of UTF-8 strings as a whole record.
void EncodeStringRecord(const TensorEventHeader& header, std::span<const std::string> values,
                        std::string* out);

// TensorBoard records, with true checksums. tag is cleaned here (CleanTag).
void EncodeScalarRecord(double wall_time, Step step, std::string_view tag, float value,
                        std::string* out);
struct HistogramView {
  double min = 0, max = 0, num = 0, sum = 0, sum_squares = 0;
  std::span<const double> limits = {}, counts = {};
};
void EncodeHistogramRecord(double wall_time, Step step, std::string_view tag,
                           const HistogramView& histogram, std::string* out);

// Every character outside [-/\w.] becomes '_', then leading '/' go.
std::string CleanTag(std::string_view tag);

// ---- Reading. Views point into the payload that was parsed.

// A value of one of the forms that our files and TensorBoard's use.
struct EventValue {
  enum class Kind { kNone, kTensor, kScalar, kHistogram };
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

  Bytes data() const { return own_content.empty() ? content : Bytes(own_content); }
};

struct Event {
  double wall_time = 0;
  Step step = 0;
  std::vector<EventValue> values;
};

// kCorrupt says what is wrong and near which byte of the payload: broken wire format, a shape that
// does not fit the bytes. kInvalidType: elements of a type that is none of ours (quantised,
// float8); the message gives its number. Unknown fields are passed over.
Result<Event> ParseEvent(Bytes payload);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_EVENT_H_
