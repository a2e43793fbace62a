#include "warden/format/tensor_proto.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <limits>

#include "warden/format/data_type.h"

namespace warden::format {
namespace {

// TensorFlow's own limit.
constexpr size_t kMaxRank = 254;

// A TensorProto as it stands, before its parts are compared.
struct Parts {
  uint64_t data_type = 0;
  std::vector<int64_t> shape;
  Bytes content;
  std::vector<std::string_view> strings;
};

// The field in which values of a type are listed one by one, and the bytes that each number there
// adds to the tensor. Complex numbers are listed as two.
struct ListField {
  uint32_t field;
  WireType type;
  size_t width;
};

ListField ListFieldOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat32: return {5, WireType::kFixed32, 4};
    case DType::kFloat64: return {6, WireType::kFixed64, 8};
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kUInt8:
    case DType::kUInt16: return {7, WireType::kVarint, DTypeSize(dtype)};
    case DType::kString: return {8, WireType::kBytes, 0};
    case DType::kComplex64: return {9, WireType::kFixed32, 4};
    case DType::kInt64: return {10, WireType::kVarint, 8};
    case DType::kBool: return {11, WireType::kVarint, 1};
    case DType::kComplex128: return {12, WireType::kFixed64, 8};
    case DType::kFloat16:
    case DType::kBFloat16: return {13, WireType::kVarint, 2};
    case DType::kUInt32: return {16, WireType::kVarint, 4};
    case DType::kUInt64: return {17, WireType::kVarint, 8};
  }
  return {};
}

Status CorruptTensor(uint64_t offset, std::string_view what) {
  return Status(Code::kCorrupt, fmt::format("tensor at byte {}: {}", offset, what));
}

Status ParseDim(WireReader dim, std::vector<int64_t>* shape) {
  int64_t size = 0;
  while (dim.Next()) {
    if (dim.Is(1, WireType::kVarint)) size = static_cast<int64_t>(dim.number());
  }
  if (!dim.status().ok()) return dim.status();
  if (size < 0) return CorruptTensor(dim.offset(), fmt::format("invalid dimension size {}", size));
  if (shape->size() == kMaxRank) return CorruptTensor(dim.offset(), "too many dimensions");
  shape->push_back(size);
  return Status();
}

Status ParseShape(WireReader message, std::vector<int64_t>* shape) {
  shape->clear();
  while (message.Next()) {
    if (message.Is(2, WireType::kBytes)) {
      if (Status s = ParseDim(message.message(), shape); !s.ok()) return s;
    } else if (message.Is(3, WireType::kVarint) && message.number() != 0) {
      return CorruptTensor(message.offset(), "unknown rank");
    }
  }
  return message.status();
}

Status ParseParts(WireReader tensor, Parts* parts) {
  while (tensor.Next()) {
    if (tensor.Is(1, WireType::kVarint)) {
      parts->data_type = tensor.number();
    } else if (tensor.Is(2, WireType::kBytes)) {
      if (Status s = ParseShape(tensor.message(), &parts->shape); !s.ok()) return s;
    } else if (tensor.Is(4, WireType::kBytes)) {
      parts->content = tensor.bytes();
    } else if (tensor.Is(8, WireType::kBytes)) {
      parts->strings.push_back(tensor.text());
    }
  }
  return tensor.status();
}

// How many bytes elements of that size fill in that shape; nothing if the sizes, zeros aside, have
// a product beyond any memory, as NumPy sees it.
std::optional<uint64_t> SizeOf(std::span<const int64_t> shape, size_t element_size) {
  int64_t product = static_cast<int64_t>(element_size);
  bool empty = false;
  for (const int64_t size : shape) {
    empty |= size == 0;
    if (size != 0 && __builtin_mul_overflow(product, size, &product)) return std::nullopt;
  }
  return empty ? 0 : static_cast<uint64_t>(product);
}

void AppendNumber(uint64_t number, DType dtype, size_t width, std::vector<std::byte>* out) {
  if (dtype == DType::kBool) number = number != 0;
  const auto* bytes = reinterpret_cast<const std::byte*>(&number);
  out->insert(out->end(), bytes, bytes + width);
}

Status AppendPacked(const WireReader& list, DType dtype, const ListField& kind,
                    std::vector<std::byte>* out) {
  Bytes packed = list.bytes();
  if (kind.type != WireType::kVarint) {
    out->insert(out->end(), packed.begin(), packed.end());
    return Status();
  }
  while (!packed.empty()) {
    uint64_t number;
    if (!TakeVarint(&packed, &number))
      return CorruptTensor(list.offset(), "invalid list of values");
    AppendNumber(number, dtype, kind.width, out);
  }
  return Status();
}

// All values that are listed one by one, each alone in a field or many packed in one.
Status CollectList(WireReader tensor, DType dtype, std::vector<std::byte>* out) {
  const ListField kind = ListFieldOf(dtype);
  while (tensor.Next()) {
    if (tensor.Is(kind.field, kind.type)) {
      AppendNumber(tensor.number(), dtype, kind.width, out);
    } else if (tensor.Is(kind.field, WireType::kBytes)) {
      if (Status s = AppendPacked(tensor, dtype, kind, out); !s.ok()) return s;
    }
  }
  return tensor.status();
}

// Repeats the last element until there are size bytes. REQUIRES: at least one whole element, and
// fewer than size bytes, of which it is a divisor.
void FillWithLast(size_t element_size, uint64_t size, std::vector<std::byte>* bytes) {
  const size_t listed = bytes->size();
  bytes->resize(size);
  // Each element from the one before it.
  for (size_t at = listed; at < size; at += element_size) {
    std::memcpy(bytes->data() + at, bytes->data() + at - element_size, element_size);
  }
}

Status ParseListed(const WireReader& tensor, uint64_t size, uint64_t* fill_budget,
                   EventValue* value) {
  std::vector<std::byte>& bytes = value->own_content;
  if (Status s = CollectList(tensor, value->dtype, &bytes); !s.ok()) return s;
  const size_t element_size = DTypeSize(value->dtype);
  if (bytes.empty() || bytes.size() > size || bytes.size() % element_size != 0) {
    return CorruptTensor(tensor.offset(), fmt::format("shape [{}] of {} needs {} bytes, got {}",
                                                      fmt::join(value->shape, ", "),
                                                      DTypeName(value->dtype), size, bytes.size()));
  }
  if (const uint64_t missing = size - bytes.size(); missing > 0) {
    if (missing > *fill_budget) {
      return CorruptTensor(
          tensor.offset(),
          fmt::format("{} bytes to fill with one value exceed the limit", missing));
    }
    *fill_budget -= missing;
    FillWithLast(element_size, size, &bytes);
  }
  return Status();
}

Status ParseStrings(const WireReader& tensor, Parts parts, EventValue* value) {
  value->dtype = DType::kString;
  value->shape = std::move(parts.shape);
  value->strings = std::move(parts.strings);
  const std::optional<uint64_t> count = SizeOf(value->shape, 1);
  if (count == value->strings.size()) return Status();
  return CorruptTensor(tensor.offset(),
                       fmt::format("shape [{}] does not fit {} strings",
                                   fmt::join(value->shape, ", "), value->strings.size()));
}

Status ParseNumbers(const WireReader& tensor, Parts parts, uint64_t* fill_budget,
                    EventValue* value) {
  value->shape = std::move(parts.shape);
  const std::optional<uint64_t> size = SizeOf(value->shape, DTypeSize(value->dtype));
  if (size && parts.content.empty() && *size > 0) {
    return ParseListed(tensor, *size, fill_budget, value);
  }
  if (size == parts.content.size()) {
    value->content = parts.content;
    return Status();
  }
  return CorruptTensor(tensor.offset(), fmt::format("shape [{}] of {} does not fit {} bytes",
                                                    fmt::join(value->shape, ", "),
                                                    DTypeName(value->dtype), parts.content.size()));
}

}  // namespace

Status ParseTensorProto(const WireReader& tensor, uint64_t* fill_budget, EventValue* value) {
  Parts parts;
  if (Status s = ParseParts(tensor, &parts); !s.ok()) return s;
  // Strings are the one kind that is written without a type.
  const bool untyped =
      parts.data_type == 0 && (!parts.strings.empty() || SizeOf(parts.shape, 1) == 0u);
  const std::optional<DType> dtype = untyped ? DType::kString : DTypeFromNumber(parts.data_type);
  if (!dtype) {
    return Status(Code::kInvalidType, fmt::format("tensor at byte {}: unsupported element type {}",
                                                  tensor.offset(), parts.data_type));
  }
  if (*dtype == DType::kString) return ParseStrings(tensor, std::move(parts), value);
  value->dtype = *dtype;
  return ParseNumbers(tensor, std::move(parts), fill_budget, value);
}

}  // namespace warden::format
