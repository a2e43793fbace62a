#include "warden/s3/aws_chunked.h"

#include <algorithm>
#include <charconv>

#include "warden/base/strings.h"
#include "warden/net/digest.h"

namespace warden::s3 {
namespace {

constexpr size_t kMaxLine = 1024;
constexpr size_t kMaxTrailers = 4096;
constexpr std::string_view kChunkSignature = ";chunk-signature=";
constexpr std::string_view kTrailerSignature = "x-amz-trailer-signature";

Status NotChunked(const char* reason) {
  return Status(Code::kInvalid, std::string("Invalid aws-chunked body: ") + reason);
}

}  // namespace

AwsChunkedDecoder::AwsChunkedDecoder(Sink sink, std::optional<SignedChunks> is_signed)
    : sink_(std::move(sink)) {
  if (!is_signed) return;
  signatures_.emplace(std::move(is_signed->seed));
  has_signed_trailer_ = is_signed->has_trailer;
}

Status AwsChunkedDecoder::Take(std::string_view piece) {
  while (!piece.empty()) {
    if (state_ == State::kDone) return NotChunked("data after the last chunk");
    if (state_ == State::kData) {
      const std::string_view data = piece.substr(0, std::min<uint64_t>(left_, piece.size()));
      if (sum_ != nullptr) sum_->Update(data);
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
      return EndChunk();
    default: return TakeTrailer(line);
  }
}

Status AwsChunkedDecoder::TakeSize(std::string_view line) {
  const size_t semicolon = std::min(line.find(';'), line.size());
  const std::string_view digits = line.substr(0, semicolon);
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, left_, 16);
  if (error != std::errc() || stop != end) return NotChunked("a chunk has no size");
  state_ = left_ == 0 ? State::kTrailer : State::kData;
  if (!signatures_) return Status();
  if (!line.substr(semicolon).starts_with(kChunkSignature)) return Forged();
  signature_ = line.substr(semicolon + kChunkSignature.size());
  sum_ = MakeChecksum("sha256");
  return left_ == 0 ? EndChunk() : Status();
}

Status AwsChunkedDecoder::EndChunk() {
  if (!signatures_) return Status();
  const bool is_right = signatures_->Accept(net::Hex(sum_->Finish()), signature_);
  sum_.reset();
  return is_right ? Status() : Forged();
}

Status AwsChunkedDecoder::EndTrailers() {
  state_ = State::kDone;
  if (!signatures_ || (!has_signed_trailer_ && trailers_.empty())) return Status();
  if (!has_signed_trailer_ || trailers_.empty() || trailers_.back().first != kTrailerSignature) {
    return Forged();
  }
  const std::string signature = std::move(trailers_.back().second);
  trailers_.pop_back();
  std::string text;
  for (const auto& [name, value] : trailers_) text += name + ":" + value + "\n";
  const std::string hash = net::Hex(net::Sha256(text));
  return signatures_->AcceptTrailer(hash, signature) ? Status() : Forged();
}

Status AwsChunkedDecoder::Forged() {
  is_forged_ = true;
  return NotChunked("a signature is missing or wrong");
}

Status AwsChunkedDecoder::TakeTrailer(std::string_view line) {
  if (line.empty()) return EndTrailers();
  const size_t colon = line.find(':');
  trailer_bytes_ += line.size();
  if (colon == std::string_view::npos || trailer_bytes_ > kMaxTrailers) {
    return NotChunked("a trailer line is not a header");
  }
  trailers_.emplace_back(LowerAscii(line.substr(0, colon)), Trim(line.substr(colon + 1)));
  return Status();
}

}  // namespace warden::s3
