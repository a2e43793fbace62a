#include "warden/format/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "warden/base/text/utf8.h"

namespace warden::format {
namespace {

constexpr size_t kAlignment = 64;
// One long text among many short ones makes all of them long.
constexpr size_t kMostTextBytes = size_t{1} << 30;

std::string Descr(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return "<f2";
    case DType::kBFloat16:
    case DType::kFloat32: return "<f4";
    case DType::kFloat64: return "<f8";
    case DType::kInt8: return "|i1";
    case DType::kInt16: return "<i2";
    case DType::kInt32: return "<i4";
    case DType::kInt64: return "<i8";
    case DType::kUInt8: return "|u1";
    case DType::kUInt16: return "<u2";
    case DType::kUInt32: return "<u4";
    case DType::kUInt64: return "<u8";
    case DType::kBool: return "|b1";
    case DType::kComplex64: return "<c8";
    case DType::kComplex128: return "<c16";
    case DType::kString: break;
  }
  return "";
}

// A float is a bfloat16 with zeros behind it.
std::vector<std::byte> WidenBFloat16(Bytes data) {
  std::vector<std::byte> wide(2 * data.size());
  for (size_t i = 0; i + 1 < data.size(); i += 2) {
    wide[2 * i + 2] = data[i];
    wide[2 * i + 3] = data[i + 1];
  }
  return wide;
}

// Code points of UTF-8; what is broken becomes U+FFFD, byte by byte.
std::u32string CodePoints(std::string_view text) {
  std::u32string points;
  while (!text.empty()) {
    const Character next = FirstCharacter(text);
    points += next.size == 0 ? kReplacementCode : next.code;
    text.remove_prefix(std::max<size_t>(next.size, 1));
  }
  return points;
}

}  // namespace

std::string NpyHeader(const std::string& descr, std::span<const int64_t> shape) {
  static_assert(std::endian::native == std::endian::little);
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 descr, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr size_t kPreamble = 10;  // Magic, version and the header's length.
  dict.append(kAlignment - 1 - (kPreamble + dict.size()) % kAlignment, ' ');
  dict += '\n';
  const auto size = static_cast<uint16_t>(dict.size());
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(size & 0xFF);
  header += static_cast<char>(size >> 8);
  return header + dict;
}

NpyFile EncodeNpy(DType dtype, std::span<const int64_t> shape, Bytes data) {
  NpyFile file;
  file.header = NpyHeader(Descr(dtype), shape);
  file.data = data;
  if (dtype == DType::kBFloat16) {
    file.own_data = WidenBFloat16(data);
    file.data = file.own_data;
  }
  return file;
}

Result<NpyFile> EncodeNpy(std::span<const int64_t> shape, std::span<const std::string> texts) {
  std::vector<std::u32string> wide;
  size_t longest = 1;
  for (const std::string& text : texts) {
    wide.push_back(CodePoints(text));
    longest = std::max(longest, wide.back().size());
  }
  const size_t width = longest * sizeof(char32_t);
  if (texts.size() > kMostTextBytes / width) {
    return Status(Code::kInvalid, fmt::format("{} strings of up to {} characters are too large for "
                                              "the npy format; export them as csv or json",
                                              texts.size(), longest));
  }
  NpyFile file;
  file.header = NpyHeader(fmt::format("<U{}", longest), shape);
  file.own_data.resize(texts.size() * width);
  for (size_t i = 0; i < texts.size(); ++i) {
    std::memcpy(file.own_data.data() + i * width, wide[i].data(),
                wide[i].size() * sizeof(char32_t));
  }
  file.data = file.own_data;
  return file;
}

}  // namespace warden::format
