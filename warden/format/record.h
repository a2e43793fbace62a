#ifndef WARDEN_FORMAT_RECORD_H_
#define WARDEN_FORMAT_RECORD_H_

#include <array>
#include <cstdint>

#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::format {

// Framing of event files and TensorBoard files, as TensorFlow's TFRecord has it. Payloads are
// events (event_message.h). No I/O: bytes come from a storage::Blob and must outlive what is
// returned.
//
//   RecordReader reader(blob.bytes);
//   while (!reader.done()) {
//     const Result<Bytes> payload = reader.Next();
//     if (!payload.ok()) ... report it, the loop may continue ...
//   }

// A record file is records end to end, nothing before, between or after them:
//   8 bytes  length N of the payload, little-endian
//   4 bytes  masked CRC-32C of those 8 bytes
//   N bytes  payload
//   4 bytes  check word
inline constexpr uint64_t kRecordHeaderSize = 12;
inline constexpr uint64_t kRecordFooterSize = 4;

// The check word of tensor files. It is a constant, not a checksum: the original writes it and
// refuses anything else. Damage inside a tensor's values is therefore not detected.
inline constexpr uint32_t kTensorCheckWord = 0x062DC0B3;

// What a writer puts before and after a payload. For a true checksum check_word is
// MaskCrc(Crc32c(payload)).
std::array<std::byte, kRecordHeaderSize> RecordHeader(uint64_t payload_size);
std::array<std::byte, kRecordFooterSize> RecordFooter(uint32_t check_word);

// What to demand of the check word.
enum class Check {
  kFast,  // The tensor constant passes; anything else must be the payload's true checksum.
  kFull,  // Only the payload's true checksum passes (TensorBoard files).
};

// The payload, a view into bytes, of the one record that fills bytes exactly. offset is where bytes
// start in their file: messages name it. kTruncated if bytes end before the record does, kCorrupt
// if a check fails or the record ends before bytes do.
Result<Bytes> ParseRecord(Bytes bytes, uint64_t offset = 0, Check check = Check::kFast);

// Walks over the records of a whole file in memory. The file outlives the reader and the payloads.
// For one thread.
class RecordReader {
 public:
  explicit RecordReader(Bytes file, Check check = Check::kFast) : file_(file), check_(check) {}

  // Whether no more records can be had: the file is at its end, or what follows cannot be framed.
  bool done() const { return stopped_ || offset_ == file_.size(); }
  // Where the next record starts; after kTruncated, where to continue once the file has grown.
  uint64_t offset() const { return offset_; }

  // The next payload, a view into the file. kTruncated: the file ends inside this record, and the
  // reader is done(). kCorrupt: a check failed. After a bad check word the reader stands at the
  // next record and can continue; after a bad length nothing further can be framed and the reader
  // is done(). REQUIRES: !done().
  Result<Bytes> Next();

 private:
  Bytes file_;
  Check check_;
  uint64_t offset_ = 0;
  bool stopped_ = false;
};

}  // namespace warden::format

#endif  // WARDEN_FORMAT_RECORD_H_
