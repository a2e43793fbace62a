#include <fmt/format.h>

#include "warden/format/crc32c.h"
#include "warden/format/data_type.h"
#include "warden/format/event_message.h"
#include "warden/format/record.h"
#include "warden/format/wire.h"

// Fields are written in the order of their numbers and left out where they equal the default: the
// bytes are those of protobuf's own writers.

namespace warden::format {
namespace {

void AppendHeader(uint64_t payload_size, std::string* out) {
  out->append(AsText(RecordHeader(payload_size)));
}

void AppendFooter(uint32_t check_word, std::string* out) {
  out->append(AsText(RecordFooter(check_word)));
}

// The fields of an Event that stand before its summary.
void AppendEventStart(double wall_time, Step step, std::string* out) {
  AppendDoubleField(1, wall_time, out);
  AppendVarintField(2, static_cast<uint64_t>(step), out);
}

void AppendPlugin(std::string_view name, int64_t content, std::string* out) {
  std::string plugin;
  AppendBytesField(1, name, &plugin);
  AppendBytesField(2, fmt::to_string(content), &plugin);
  AppendBytesField(1, plugin, out);
}

// Every dimension has a name, which nobody reads, made of the tag and the size.
std::string EncodeShape(std::string_view tag, std::span<const int64_t> shape) {
  std::string out;
  std::string dim;
  for (const int64_t size : shape) {
    dim.clear();
    AppendVarintField(1, static_cast<uint64_t>(size), &dim);
    AppendBytesField(2, fmt::format("{}_{}", tag, size), &dim);
    AppendBytesField(2, dim, &out);
  }
  return out;
}

// The record around a TensorProto of which fields are the first bytes and rest_size more follow:
// what precedes those goes to *head, what follows them to *tail.
uint64_t EncodeAround(const TensorEventHeader& header, std::string_view fields, uint64_t rest_size,
                      std::string* head, std::string* tail) {
  std::string metadata;
  AppendPlugin("mode_step", header.mode_step, &metadata);
  AppendPlugin("mode", static_cast<int64_t>(header.mode), &metadata);
  AppendBytesField(9, metadata, tail);

  std::string start;
  AppendEventStart(header.wall_time, header.step, &start);
  const uint64_t tensor_size = fields.size() + rest_size;
  const uint64_t tag_size = header.tag.empty() ? 0 : BytesFieldSize(header.tag.size());
  const uint64_t value_size =
      tag_size + BytesFieldSize(tensor_size) + BytesFieldSize(metadata.size());
  const uint64_t summary_size = BytesFieldSize(value_size);
  const uint64_t payload_size = start.size() + BytesFieldSize(summary_size);

  AppendHeader(payload_size, head);
  head->append(start);
  AppendBytesHead(5, summary_size, head);
  AppendBytesHead(1, value_size, head);
  AppendTextField(1, header.tag, head);
  AppendBytesHead(8, tensor_size, head);
  head->append(fields);
  AppendFooter(kTensorCheckWord, tail);
  return kRecordHeaderSize + payload_size + kRecordFooterSize;
}

// A record of TensorBoard: one value in a summary, with a true checksum.
void AppendTensorBoardRecord(double wall_time, Step step, std::string_view value,
                             std::string* out) {
  std::string summary;
  AppendBytesField(1, value, &summary);
  std::string payload;
  AppendEventStart(wall_time, step, &payload);
  AppendBytesField(5, summary, &payload);
  AppendHeader(payload.size(), out);
  out->append(payload);
  AppendFooter(MaskCrc(Crc32c(AsBytes(payload))), out);
}

void AppendPackedDoubles(int field, std::span<const double> values, std::string* out) {
  if (!values.empty()) AppendBytesField(field, AsText(std::as_bytes(values)), out);
}

// Beyond ASCII everything passes, where the original asks Unicode for letters and digits: what else
// occurs there in names is rare and does no harm in a tag.
bool IsTagCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-' || c == '/' || c == '.' || static_cast<uint8_t>(c) >= 0x80;
}

}  // namespace

uint64_t EncodeTensorRecord(const TensorEventHeader& header, std::string* head, std::string* tail) {
  std::string fields;
  AppendVarintField(1, DataTypeNumber(header.dtype), &fields);
  AppendBytesField(2, EncodeShape(header.tag, header.shape), &fields);
  if (header.content_size > 0) AppendBytesHead(4, header.content_size, &fields);
  return EncodeAround(header, fields, header.content_size, head, tail);
}

void EncodeStringRecord(const TensorEventHeader& header, std::span<const std::string> values,
                        std::string* out) {
  // No data type: the original's reader knows strings by its absence.
  const int64_t shape[] = {static_cast<int64_t>(values.size())};
  std::string fields;
  AppendBytesField(2, EncodeShape(header.tag, shape), &fields);
  for (const std::string& value : values) AppendBytesField(8, value, &fields);
  std::string tail;
  EncodeAround(header, fields, 0, out, &tail);
  out->append(tail);
}

void EncodeScalarRecord(double wall_time, Step step, std::string_view tag, float value,
                        std::string* out) {
  std::string message;
  AppendTextField(1, CleanTag(tag), &message);
  AppendFloatField(2, value, &message);
  AppendTensorBoardRecord(wall_time, step, message, out);
}

void EncodeHistogramRecord(double wall_time, Step step, std::string_view tag,
                           const HistogramView& histogram, std::string* out) {
  std::string histo;
  AppendDoubleField(1, histogram.min, &histo);
  AppendDoubleField(2, histogram.max, &histo);
  AppendDoubleField(3, histogram.num, &histo);
  AppendDoubleField(4, histogram.sum, &histo);
  AppendDoubleField(5, histogram.sum_squares, &histo);
  AppendPackedDoubles(6, histogram.limits, &histo);
  AppendPackedDoubles(7, histogram.counts, &histo);
  std::string message;
  AppendTextField(1, CleanTag(tag), &message);
  AppendBytesField(5, histo, &message);
  AppendTensorBoardRecord(wall_time, step, message, out);
}

std::string CleanTag(std::string_view tag) {
  std::string clean(tag);
  for (char& c : clean) {
    if (!IsTagCharacter(c)) c = '_';
  }
  clean.erase(0, std::min(clean.find_first_not_of('/'), clean.size()));
  return clean;
}

}  // namespace warden::format
