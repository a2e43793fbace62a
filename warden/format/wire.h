#ifndef WARDEN_FORMAT_WIRE_H_
#define WARDEN_FORMAT_WIRE_H_

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::format {

// Protobuf's wire format, by hand instead of with libprotobuf: one message holds a whole tensor,
// which may be larger than the 2 GiB that the library allows, and whose bytes must be copied
// neither on reading nor on writing. Only the parser and writer of events use it.

// How the value of a field is stored; the lower three bits of its tag.
enum class WireType : uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,  // Text, bytes, a message, or a packed list.
  kGroup = 3,  // No message of ours has one; skipped as a whole.
  kGroupEnd = 4,
  kFixed32 = 5,
};

// Walks over the fields of one message:
//   while (reader.Next()) {
//     if (reader.Is(2, WireType::kVarint)) step = reader.number();
//   }
//   return reader.status();
// A field that nobody asks for is thereby skipped, as is one of another type than expected. A plain
// value: copies advance independently. The message outlives it and what it returns. For one thread.
// Messages come from files that anybody may have written: no length is believed before it is
// compared with what is left. Nested messages are read by a WireReader of their own, so the depth
// is that of the caller.
class WireReader {
 public:
  // offset is where message starts in the outermost one: errors name places in that.
  explicit WireReader(Bytes message, uint64_t offset = 0)
      : message_(message), offset_(offset), rest_(message) {}

  // Moves to the next field. False at the end of the message, and where its bytes stop making
  // sense: then status() is kCorrupt and says what and where.
  bool Next();
  const Status& status() const { return status_; }

  // About the current field. REQUIRES, for all below: the last Next() returned true.
  bool Is(uint32_t field, WireType type) const { return field_ == field && type_ == type; }
  uint32_t field() const { return field_; }

  // The bits of a number, of any of the three numeric types. AsDouble is for kFixed64, AsFloat for
  // kFixed32; a negative varint is what a cast to int64_t gives.
  uint64_t number() const { return number_; }
  double AsDouble() const { return std::bit_cast<double>(number_); }
  float AsFloat() const { return std::bit_cast<float>(static_cast<uint32_t>(number_)); }
  // What a field of type kBytes holds, in its three readings: views into the message. A message()
  // begins at its first field and reports errors in places of the outermost message, too.
  Bytes bytes() const { return bytes_; }
  std::string_view text() const { return AsText(bytes_); }
  WireReader message() const { return WireReader(bytes_, offset() - bytes_.size()); }

  // Where the current field ends, in the outermost message.
  uint64_t offset() const { return offset_ + (message_.size() - rest_.size()); }

 private:
  // These six move rest_ and return false after Fail(), which keeps the first error.
  bool TakeTag();
  bool TakeValue();
  bool TakeFixed(size_t size);
  bool TakeBytes();
  bool SkipGroup();
  bool Fail(std::string_view what);

  Bytes message_;
  uint64_t offset_;
  Bytes rest_;
  uint32_t field_ = 0;
  WireType type_ = WireType::kVarint;
  uint64_t number_ = 0;
  Bytes bytes_;
  Status status_;
};

// Takes a varint from the front of *bytes. False, with *bytes left as it was, if none ends there
// or it has more than 64 bits.
bool TakeVarint(Bytes* bytes, uint64_t* value);

// ---- Writing. Everything is appended to *out. Field numbers are below 16 throughout, so that
// every tag is one byte.

// 1 to 10 bytes.
size_t VarintSize(uint64_t value);
void AppendVarint(uint64_t value, std::string* out);

// Left out if zero, as protobuf does with what equals the default.
void AppendVarintField(int field, uint64_t value, std::string* out);
// Left out if zero, as above.
void AppendDoubleField(int field, double value, std::string* out);
// Present even if empty.
void AppendBytesField(int field, std::string_view value, std::string* out);
// Left out if empty.
void AppendTextField(int field, std::string_view value, std::string* out);
// Always present: for a field of a oneof, where being present means that this one is set.
void AppendFloatField(int field, float value, std::string* out);

// The tag and size that stand before a field's bytes, where those come from somewhere else.
void AppendBytesHead(int field, uint64_t size, std::string* out);
// Bytes that AppendBytesField gives for a value of that size.
uint64_t BytesFieldSize(uint64_t size);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_WIRE_H_
