#include "warden/format/wire.h"

#include <fmt/format.h>

#include <array>

#include "warden/format/little_endian.h"

namespace warden::format {
namespace {

// As libprotobuf's.
constexpr size_t kMaxGroupDepth = 100;
constexpr uint32_t kMaxField = (1u << 29) - 1;

void AppendTag(int field, WireType type, std::string* out) {
  out->push_back(static_cast<char>(field << 3 | static_cast<int>(type)));
}

}  // namespace

bool WireReader::Next() {
  if (rest_.empty() || !status_.ok()) return false;
  if (!TakeTag()) return false;
  return type_ == WireType::kGroup ? SkipGroup() : TakeValue();
}

bool WireReader::TakeTag() {
  uint64_t tag;
  if (!TakeVarint(&rest_, &tag)) return Fail("invalid tag");
  if (tag >> 3 == 0 || tag >> 3 > kMaxField) return Fail("field number out of range");
  field_ = static_cast<uint32_t>(tag >> 3);
  type_ = static_cast<WireType>(tag & 7);
  return true;
}

bool WireReader::TakeValue() {
  switch (type_) {
    case WireType::kVarint: return TakeVarint(&rest_, &number_) || Fail("invalid varint");
    case WireType::kFixed64: return TakeFixed(8);
    case WireType::kFixed32: return TakeFixed(4);
    case WireType::kBytes: return TakeBytes();
    case WireType::kGroupEnd: return Fail("unmatched end of group");
    default: return Fail("unknown wire type");
  }
}

bool WireReader::TakeFixed(size_t size) {
  if (rest_.size() < size) return Fail("number cut off");
  number_ = size == 8 ? LoadLittleEndian<uint64_t>(rest_.data())
                      : LoadLittleEndian<uint32_t>(rest_.data());
  rest_ = rest_.subspan(size);
  return true;
}

bool WireReader::TakeBytes() {
  uint64_t size;
  if (!TakeVarint(&rest_, &size)) return Fail("invalid length");
  if (size > rest_.size()) return Fail(fmt::format("length {} exceeds the message", size));
  bytes_ = rest_.first(size);
  rest_ = rest_.subspan(size);
  return true;
}

// With a list of the groups that are open instead of recursion, so that hostile nesting costs no
// stack.
bool WireReader::SkipGroup() {
  std::array<uint32_t, kMaxGroupDepth> open = {field_};
  for (size_t depth = 1; depth > 0;) {
    if (!TakeTag()) return false;
    if (type_ == WireType::kGroup) {
      if (depth == kMaxGroupDepth) return Fail("groups nested too deeply");
      open[depth++] = field_;
    } else if (type_ == WireType::kGroupEnd) {
      if (open[--depth] != field_) return Fail("mismatched end of group");
    } else if (!TakeValue()) {
      return false;
    }
  }
  type_ = WireType::kGroup;
  return true;
}

bool WireReader::Fail(std::string_view what) {
  status_ = Status(Code::kCorrupt, fmt::format("{} at byte {} of the message", what, offset()));
  return false;
}

bool TakeVarint(Bytes* bytes, uint64_t* value) {
  uint64_t bits = 0;
  for (size_t i = 0; i < bytes->size() && i < 10; ++i) {
    const auto byte = static_cast<uint8_t>((*bytes)[i]);
    if (i == 9 && byte > 1) return false;
    bits |= static_cast<uint64_t>(byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      *value = bits;
      *bytes = bytes->subspan(i + 1);
      return true;
    }
  }
  return false;
}

size_t VarintSize(uint64_t value) {
  return (static_cast<size_t>(std::bit_width(value | 1)) + 6) / 7;
}

void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

void AppendVarintField(int field, uint64_t value, std::string* out) {
  if (value == 0) return;
  AppendTag(field, WireType::kVarint, out);
  AppendVarint(value, out);
}

void AppendDoubleField(int field, double value, std::string* out) {
  if (std::bit_cast<uint64_t>(value) == 0) return;  // Minus zero is written.
  AppendTag(field, WireType::kFixed64, out);
  AppendLittleEndian(value, out);
}

void AppendBytesField(int field, std::string_view value, std::string* out) {
  AppendBytesHead(field, value.size(), out);
  out->append(value);
}

void AppendTextField(int field, std::string_view value, std::string* out) {
  if (!value.empty()) AppendBytesField(field, value, out);
}

void AppendFloatField(int field, float value, std::string* out) {
  AppendTag(field, WireType::kFixed32, out);
  AppendLittleEndian(value, out);
}

void AppendBytesHead(int field, uint64_t size, std::string* out) {
  AppendTag(field, WireType::kBytes, out);
  AppendVarint(size, out);
}

uint64_t BytesFieldSize(uint64_t size) { return 1 + VarintSize(size) + size; }

}  // namespace warden::format
