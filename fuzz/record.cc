// The input as a record file, and as the payload of a record.

#include "warden/format/record.h"

#include <string>

#include "fuzz/check.h"
#include "warden/format/crc32c.h"

namespace warden::fuzz {
namespace {

using format::Check;

// Ends, whatever the bytes are, and each payload found can be had by its place as well.
void WalkFile(Bytes file, Check check) {
  format::RecordReader reader(file, check);
  while (!reader.done()) {
    const uint64_t start = reader.offset();
    const Result<Bytes> payload = reader.Next();
    fuzz::Check(reader.done() || reader.offset() > start);
    if (!payload.ok()) continue;
    const Result<Bytes> again =
        format::ParseRecord(file.subspan(start, reader.offset() - start), start, check);
    fuzz::Check(again.ok() && again.value().data() == payload.value().data());
  }
}

// Comes back out of a record made of it, and not out of one that is cut short.
void FramePayload(Bytes payload) {
  std::string record(AsText(format::RecordHeader(payload.size())));
  record += AsText(payload);
  record += AsText(format::RecordFooter(format::MaskCrc(format::Crc32c(payload))));
  for (const Check check : {Check::kFast, Check::kFull}) {
    const Result<Bytes> back = format::ParseRecord(AsBytes(record), 0, check);
    fuzz::Check(back.ok() && AsText(back.value()) == AsText(payload));
  }
  const Bytes cut = AsBytes(record).first(record.size() - 1);
  fuzz::Check(format::ParseRecord(cut).status().code() == Code::kTruncated);
}

}  // namespace
}  // namespace warden::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const warden::Bytes bytes = std::as_bytes(std::span(data, size));
  warden::fuzz::WalkFile(bytes, warden::format::Check::kFast);
  warden::fuzz::WalkFile(bytes, warden::format::Check::kFull);
  warden::fuzz::FramePayload(bytes);
  return 0;
}
