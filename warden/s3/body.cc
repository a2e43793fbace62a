#include "warden/s3/body.h"

#include <fmt/format.h>

#include "warden/base/strings.h"
#include "warden/net/digest.h"

namespace warden::s3 {
namespace {

constexpr std::string_view kContentHash = "x-amz-content-sha256";
constexpr std::string_view kUnsignedTrailer = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
constexpr std::string_view kSigned = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
constexpr std::string_view kSignedTrailer = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER";

bool IsSha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

S3Body::S3Body(const http::RequestHead& head, const std::optional<auth::ChunkSeed>& chunks,
               uint64_t limit, Sink sink)
    : sink_(std::move(sink)), limit_(limit), md5_sum_(MakeChecksum("md5")) {
  refusal_ = ReadHeaders(head, chunks);
}

std::optional<S3Error> S3Body::ReadHeaders(const http::RequestHead& head,
                                           const std::optional<auth::ChunkSeed>& chunks) {
  if (auto error = ReadContentHash(head.Header(kContentHash), chunks)) return error;
  if (std::optional<S3Error> error = ReadLengths(head)) return error;
  if (std::optional<S3Error> error = ReadTrailerNames(head.Header("x-amz-trailer"))) return error;
  for (const auto& [name, value] : head.headers) Expect(LowerAscii(name), value);
  if (const std::string_view md5 = head.Header("content-md5"); !md5.empty()) {
    expected_.push_back({"content-md5", std::string(md5), MakeChecksum("md5"), "BadDigest"});
  }
  return std::nullopt;
}

std::optional<S3Error> S3Body::ReadContentHash(std::string_view value,
                                               const std::optional<auth::ChunkSeed>& chunks) {
  if (value.empty() || value == "UNSIGNED-PAYLOAD") return std::nullopt;
  if (value == kUnsignedTrailer) {
    decoder_.emplace([this](std::string_view piece) { return Decoded(piece); });
    return std::nullopt;
  }
  if (value == kSigned || value == kSignedTrailer) {
    if (!chunks) {
      return S3Error{400, "InvalidRequest", "Signed chunks need a request that is signed, too."};
    }
    decoder_.emplace([this](std::string_view piece) { return Decoded(piece); },
                     SignedChunks{*chunks, value == kSignedTrailer});
    return std::nullopt;
  }
  if (value.starts_with("STREAMING-")) {
    return S3Error{501, "NotImplemented",
                   fmt::format("{} is not supported. Send the hash of the whole body, "
                               "UNSIGNED-PAYLOAD, {} or {}.",
                               value, kSigned, kUnsignedTrailer)};
  }
  if (!IsSha256(value)) {
    return InvalidArgument(
        "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER or a "
        "valid sha256 value.");
  }
  expected_.push_back({std::string(kContentHash), std::string(value), MakeChecksum("sha256"),
                       "XAmzContentSHA256Mismatch"});
  return std::nullopt;
}

std::optional<S3Error> S3Body::ReadLengths(const http::RequestHead& head) {
  const std::string_view name = decoder_ ? "x-amz-decoded-content-length" : "content-length";
  const std::string_view text = head.Header(name);
  if (text.empty()) return std::nullopt;
  const std::optional<int64_t> length = ParseInt(text);
  if (!length || *length < 0) return InvalidArgument(fmt::format("{} is not a valid length", name));
  length_ = static_cast<uint64_t>(*length);
  if (*length_ <= limit_) return std::nullopt;
  return S3Error{400, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size"};
}

std::optional<S3Error> S3Body::ReadTrailerNames(std::string_view names) {
  for (const std::string& name : SplitTrimmed(names, ',')) {
    if (!decoder_ || !Expect(LowerAscii(name), "")) {
      return InvalidArgument(fmt::format("x-amz-trailer is '{}', which is not supported", name));
    }
  }
  return std::nullopt;
}

bool S3Body::Expect(std::string_view header, std::string_view value) {
  const std::string_view algorithm = ChecksumOfHeader(header);
  if (algorithm.empty()) return false;
  expected_.push_back(
      {std::string(header), std::string(value), MakeChecksum(algorithm), "BadDigest"});
  return true;
}

Status S3Body::Decoded(std::string_view piece) {
  taken_ += piece.size();
  if (taken_ > length_.value_or(limit_) || taken_ > limit_) {
    too_large_ = true;
    return Status(Code::kInvalid, "the body is too large");
  }
  md5_sum_->Update(piece);
  for (Expected& expected : expected_) expected.sum->Update(piece);
  return sink_(piece);
}

bool S3Body::Take(std::string_view piece) {
  if (refusal_ || !failure_.ok()) return false;
  failure_ = decoder_ ? decoder_->Take(piece) : Decoded(piece);
  return failure_.ok();
}

std::optional<S3Error> S3Body::CheckLength() const {
  if (too_large_) {
    return S3Error{400, "EntityTooLarge",
                   "Your upload exceeds its declared size or the maximum allowed size"};
  }
  if (decoder_ && decoder_->is_forged()) {
    return S3Error{403, "SignatureDoesNotMatch",
                   "The signature of a chunk does not match the chunk that we received."};
  }
  if (!failure_.ok()) return FromStatus(failure_);
  if ((decoder_ && !decoder_->done()) || (length_ && *length_ != taken_)) {
    return S3Error{400, "IncompleteBody",
                   "You did not provide the number of bytes specified by the Content-Length HTTP "
                   "header"};
  }
  return std::nullopt;
}

std::optional<S3Error> S3Body::Finish() {
  if (refusal_) return refusal_;
  if (std::optional<S3Error> error = CheckLength()) return error;
  md5_ = md5_sum_->Finish();
  for (Expected& expected : expected_) {
    if (std::optional<S3Error> error = CheckSum(&expected)) return error;
  }
  return std::nullopt;
}

std::optional<S3Error> S3Body::CheckSum(Expected* expected) {
  if (expected->value.empty() && decoder_) {
    for (const auto& [name, value] : decoder_->trailers()) {
      if (name == expected->header) expected->value = value;
    }
  }
  const std::string sum = expected->sum->Finish();
  const bool hexadecimal = expected->header == kContentHash;
  const std::string seen = hexadecimal ? net::Hex(sum) : net::Base64(sum);
  if (seen != expected->value) {
    return S3Error{
        400, expected->wrong,
        fmt::format("The {} you specified did not match what we received.", expected->header)};
  }
  if (expected->header.starts_with("x-amz-checksum-")) {
    checked_.emplace_back(expected->header, seen);
  }
  return std::nullopt;
}

namespace {

class CheckedExchange final : public http::Exchange {
 public:
  CheckedExchange(const S3Request& request, size_t limit,
                  std::function<http::Response(const std::string&)> answer)
      : head_(request.head),
        body_(head_, request.identity.chunks, limit,
              [this](std::string_view piece) {
                text_ += piece;
                return Status();
              }),
        answer_(std::move(answer)) {}

  bool Take(std::string_view piece) override { return body_.Take(piece); }
  http::Response Answer() override {
    if (const std::optional<S3Error> error = body_.Finish()) return ErrorResponse(*error, head_);
    return WithRequestId(answer_(text_), head_);
  }

 private:
  const http::RequestHead head_;
  std::string text_;
  S3Body body_;
  std::function<http::Response(const std::string&)> answer_;
};

}  // namespace

std::unique_ptr<http::Exchange> GatherChecked(
    const S3Request& request, size_t limit,
    std::function<http::Response(const std::string& body)> answer) {
  return std::make_unique<CheckedExchange>(request, limit, std::move(answer));
}

}  // namespace warden::s3
