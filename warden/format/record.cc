#include "warden/format/record.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "warden/format/crc32c.h"
#include "warden/format/little_endian.h"

namespace warden::format {
namespace {

constexpr uint64_t kFrameSize = kRecordHeaderSize + kRecordFooterSize;

Status BadRecord(Code code, uint64_t offset, std::string_view what) {
  return Status(code, fmt::format("record at byte {}: {}", offset, what));
}

// The payload's size, its checksum compared. bytes may be anything that starts with a record.
Result<uint64_t> ParseHeader(Bytes bytes, uint64_t offset) {
  if (bytes.size() < kRecordHeaderSize) {
    return BadRecord(Code::kTruncated, offset,
                     fmt::format("header cut off after {} bytes", bytes.size()));
  }
  const uint32_t sum = MaskCrc(Crc32c(bytes.first(8)));
  if (LoadLittleEndian<uint32_t>(bytes.data() + 8) != sum) {
    return BadRecord(Code::kCorrupt, offset, "length checksum mismatch");
  }
  const auto size = LoadLittleEndian<uint64_t>(bytes.data());
  // Compared by subtraction: size may be anything up to 2^64 - 1.
  if (bytes.size() < kFrameSize || size > bytes.size() - kFrameSize) {
    return BadRecord(
        Code::kTruncated, offset,
        fmt::format("payload of {} bytes and its checksum do not fit into the remaining {} bytes",
                    size, bytes.size() - kRecordHeaderSize));
  }
  return size;
}

bool CheckWordHolds(uint32_t word, Bytes payload, Check check) {
  if (check == Check::kFast && word == kTensorCheckWord) return true;
  return word == MaskCrc(Crc32c(payload));
}

// The payload of a record whose header was found good.
Result<Bytes> CheckedPayload(Bytes record, uint64_t offset, Check check) {
  const Bytes payload = record.subspan(kRecordHeaderSize, record.size() - kFrameSize);
  const auto word = LoadLittleEndian<uint32_t>(record.data() + record.size() - kRecordFooterSize);
  if (CheckWordHolds(word, payload, check)) return payload;
  return BadRecord(Code::kCorrupt, offset,
                   fmt::format("payload checksum mismatch (stored checksum {:#010x})", word));
}

}  // namespace

std::array<std::byte, kRecordHeaderSize> RecordHeader(uint64_t payload_size) {
  struct Header {
    std::array<std::byte, 8> size;
    std::array<std::byte, 4> sum;
  };
  const auto size = std::bit_cast<std::array<std::byte, 8>>(payload_size);
  const auto sum = std::bit_cast<std::array<std::byte, 4>>(MaskCrc(Crc32c(size)));
  return std::bit_cast<std::array<std::byte, kRecordHeaderSize>>(Header{size, sum});
}

std::array<std::byte, kRecordFooterSize> RecordFooter(uint32_t check_word) {
  return std::bit_cast<std::array<std::byte, kRecordFooterSize>>(check_word);
}

Result<Bytes> ParseRecord(Bytes bytes, uint64_t offset, Check check) {
  const Result<uint64_t> size = ParseHeader(bytes, offset);
  if (!size.ok()) return size.status();
  if (const uint64_t extra = bytes.size() - kFrameSize - size.value(); extra > 0) {
    return BadRecord(
        Code::kCorrupt, offset,
        fmt::format("ends {} bytes before its indexed length of {} bytes", extra, bytes.size()));
  }
  return CheckedPayload(bytes, offset, check);
}

Result<Bytes> RecordReader::Next() {
  const Bytes rest = file_.subspan(offset_);
  const Result<uint64_t> size = ParseHeader(rest, offset_);
  if (!size.ok()) {
    stopped_ = true;
    return size.status();
  }
  const uint64_t record_size = kFrameSize + size.value();
  const uint64_t start = std::exchange(offset_, offset_ + record_size);
  return CheckedPayload(rest.first(record_size), start, check_);
}

}  // namespace warden::format
