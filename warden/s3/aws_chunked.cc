#include "warden/s3/aws_chunked.h"

#include <algorithm>
#include <charconv>

#include "warden/base/strings.h"

namespace warden::s3 {
namespace {

constexpr size_t kMaxLine = 1024;
constexpr size_t kMaxTrailers = 4096;

Status NotChunked(const char* reason) {
  return Status(Code::kInvalid, std::string("Invalid aws-chunked body: ") + reason);
}

}  // namespace

Status AwsChunkedDecoder::Take(std::string_view piece) {
  while (!piece.empty()) {
    if (state_ == State::kDone) return NotChunked("data after the last chunk");
    if (state_ == State::kData) {
      const std::string_view data = piece.substr(0, std::min<uint64_t>(left_, piece.size()));
      if (Status status = sink_(data); !status.ok()) return status;
      piece.remove_prefix(data.size());
      left_ -= data.size();
      if (left_ == 0) state_ = State::kDataEnd;
      continue;
    }
    const size_t end = piece.find('\n');
    line_ += piece.substr(0, end);
    if (line_.size() > kMaxLine) return NotChunked("a line is too long");
    if (end == std::string_view::npos) return Status();
    piece.remove_prefix(end + 1);
    if (line_.ends_with('\r')) line_.pop_back();
    if (Status status = TakeLine(line_); !status.ok()) return status;
    line_.clear();
  }
  return Status();
}

Status AwsChunkedDecoder::TakeLine(std::string_view line) {
  switch (state_) {
    case State::kSize: return TakeSize(line);
    case State::kDataEnd:
      if (!line.empty()) return NotChunked("a chunk is longer than its size");
      state_ = State::kSize;
      return Status();
    default: return TakeTrailer(line);
  }
}

Status AwsChunkedDecoder::TakeSize(std::string_view line) {
  // Behind ';' may be a signature.
  const std::string_view digits = line.substr(0, line.find(';'));
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, left_, 16);
  if (error != std::errc() || stop != end) return NotChunked("a chunk has no size");
  state_ = left_ == 0 ? State::kTrailer : State::kData;
  return Status();
}

Status AwsChunkedDecoder::TakeTrailer(std::string_view line) {
  if (line.empty()) {
    state_ = State::kDone;
    return Status();
  }
  const size_t colon = line.find(':');
  trailer_bytes_ += line.size();
  if (colon == std::string_view::npos || trailer_bytes_ > kMaxTrailers) {
    return NotChunked("a trailer line is not a header");
  }
  trailers_.emplace_back(LowerAscii(line.substr(0, colon)), Trim(line.substr(colon + 1)));
  return Status();
}

}  // namespace warden::s3
