#include "warden/jobs/launch/tar_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "warden/base/strings.h"

namespace warden::jobs {
namespace {

struct Field {
  size_t offset;
  size_t size;
};
constexpr Field kName{0, 100};
constexpr Field kMode{100, 8};
constexpr Field kOwner{108, 8};
constexpr Field kGroup{116, 8};
constexpr Field kSize{124, 12};
constexpr Field kModified{136, 12};
constexpr Field kSum{148, 8};
constexpr Field kType{156, 1};
constexpr Field kLink{157, 100};
constexpr Field kMagic{257, 8};
constexpr Field kPrefix{345, 155};

Status Corrupt(std::string_view what) {
  return Status(Code::kCorrupt, fmt::format("not a tar archive: {}", what));
}

std::string_view Bytes(const TarBlock& block, Field field) {
  return {block.data() + field.offset, field.size};
}

// Up to the first zero.
std::string Text(const TarBlock& block, Field field) {
  const std::string_view bytes = Bytes(block, field);
  return std::string(bytes.substr(0, bytes.find('\0')));
}

// Octal digits, or, after a byte of 0x80, the number itself.
std::optional<uint64_t> Number(const TarBlock& block, Field field) {
  const std::string_view bytes = Bytes(block, field);
  uint64_t number = 0;
  if (static_cast<unsigned char>(bytes[0]) == 0x80) {
    for (const char c : bytes.substr(1)) {
      if (number >> 55 != 0) return std::nullopt;
      number = number << 8 | static_cast<unsigned char>(c);
    }
    return number;
  }
  const std::string digits(Trim(bytes.substr(0, bytes.find('\0'))));
  for (const char c : digits) {
    if (c < '0' || c > '7') return std::nullopt;
    number = number << 3 | static_cast<uint64_t>(c - '0');
  }
  return number;
}

// The sum of all bytes, those of the sum itself counted as blanks.
uint64_t SumOf(const TarBlock& block) {
  uint64_t sum = uint64_t{' '} * kSum.size;
  for (size_t i = 0; i < block.size(); ++i) {
    const bool own = i >= kSum.offset && i < kSum.offset + kSum.size;
    if (!own) sum += static_cast<unsigned char>(block[i]);
  }
  return sum;
}

void Put(TarBlock* block, Field field, std::string_view text) {
  std::memcpy(block->data() + field.offset, text.data(), std::min(text.size(), field.size));
}

void PutNumber(TarBlock* block, Field field, uint64_t number) {
  std::string digits = fmt::format("{:0{}o}", number, field.size - 1);
  if (digits.size() < field.size) return Put(block, field, digits);
  std::string bytes(field.size, '\0');
  for (size_t i = field.size; i-- > 1; number >>= 8) bytes[i] = static_cast<char>(number & 0xff);
  bytes[0] = static_cast<char>(0x80);
  Put(block, field, bytes);
}

}  // namespace

bool IsEmptyBlock(const TarBlock& block) {
  return std::all_of(block.begin(), block.end(), [](char c) { return c == '\0'; });
}

Result<TarHeader> ParseTarHeader(const TarBlock& block) {
  if (Number(block, kSum) != SumOf(block)) return Corrupt("header checksum mismatch");
  const auto mode = Number(block, kMode);
  const auto size = Number(block, kSize);
  if (!mode || !size) return Corrupt("a header field is not a number");
  TarHeader header;
  header.name = Text(block, kName);
  const bool posix = Bytes(block, kMagic).starts_with(std::string_view("ustar\0", 6));
  const std::string prefix = posix ? Text(block, kPrefix) : "";
  if (!prefix.empty()) header.name = prefix + "/" + header.name;
  header.link = Text(block, kLink);
  header.type = block[kType.offset] == '\0' ? '0' : block[kType.offset];
  header.mode = static_cast<uint32_t>(*mode & 0777);
  header.size = *size;
  header.modified = static_cast<int64_t>(Number(block, kModified).value_or(0));
  return header;
}

TarBlock MakeTarHeader(const TarHeader& header) {
  TarBlock block{};
  Put(&block, kName, header.name);
  PutNumber(&block, kMode, header.mode);
  PutNumber(&block, kOwner, 0);
  PutNumber(&block, kGroup, 0);
  PutNumber(&block, kSize, header.size);
  PutNumber(&block, kModified, static_cast<uint64_t>(std::max<int64_t>(header.modified, 0)));
  block[kType.offset] = header.type;
  Put(&block, kLink, header.link);
  Put(&block, kMagic, std::string_view("ustar\00000", 8));
  Put(&block, kSum, fmt::format("{:06o}", SumOf(block)) + std::string("\0 ", 2));
  return block;
}

std::string TarAttribute(std::string_view name, std::string_view value) {
  // The length counts its own digits.
  const size_t rest = name.size() + value.size() + 3;
  size_t length = rest + 1;
  while (std::to_string(length).size() + rest != length) {
    length = std::to_string(length).size() + rest;
  }
  return fmt::format("{} {}={}\n", length, name, value);
}

Status ApplyTarAttributes(std::string_view attributes, TarHeader* header) {
  while (!attributes.empty()) {
    const auto length = ParseInt(attributes.substr(0, attributes.find(' ')));
    if (!length || *length <= 0 || static_cast<size_t>(*length) > attributes.size()) {
      return Corrupt("an attribute has no length");
    }
    std::string_view record = attributes.substr(0, static_cast<size_t>(*length));
    attributes.remove_prefix(record.size());
    record.remove_prefix(std::min(record.size(), record.find(' ') + 1));
    const size_t equals = record.find('=');
    if (equals == std::string_view::npos || !record.ends_with('\n')) {
      return Corrupt("an attribute has no value");
    }
    const std::string_view name = record.substr(0, equals);
    const std::string_view value = record.substr(equals + 1, record.size() - equals - 2);
    if (name == "path") header->name = value;
    if (name == "linkpath") header->link = value;
    if (name == "size") {
      const auto size = ParseInt(value);
      if (!size || *size < 0) return Corrupt("attribute 'size' is not a number");
      header->size = static_cast<uint64_t>(*size);
    }
  }
  return Status();
}

}  // namespace warden::jobs
