#ifndef WARDEN_S3_AWS_CHUNKED_H_
#define WARDEN_S3_AWS_CHUNKED_H_

// The encoding in which SDKs send bodies whose checksum they know only at the end. Used by S3Body.
// "hello" in two chunks (lines end with "\r\n"):
//
//   3
//   hel
//   2
//   lo
//   0
//   x-amz-checksum-crc32:NhCmhg==
//
// Signed, each size has the chunk's signature behind it, and the trailers have one as the last:
//
//   3;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "warden/auth/chunk_signature.h"
#include "warden/base/status.h"
#include "warden/http/message.h"
#include "warden/s3/checksum.h"

namespace warden::s3 {

// That all chunks must be signed.
struct SignedChunks {
  auth::ChunkSeed seed;      // Of the request.
  bool has_trailer = false;  // The trailers must be signed, too; else there are none.
};

// Decodes a body in the encoding "aws-chunked": chunks with their sizes (in hexadecimal digits)
// before them, then trailers such as a checksum. Memory is bounded: lines of at most 1 KB, 4 KB of
// trailers. For one thread at a time.
class AwsChunkedDecoder {
 public:
  // Gets the decoded bytes in pieces; the view ends with the call. An error stops the decoder.
  using Sink = std::function<Status(std::string_view)>;
  // Keeps the sink, and what it captures, for its whole life. Without `is_signed`, signatures of
  // chunks are skipped.
  explicit AwsChunkedDecoder(Sink sink, std::optional<SignedChunks> is_signed = std::nullopt);

  // Takes any piece of the body, cut anywhere. kInvalid if the encoding is malformed, a signature
  // is missing or wrong, or data follows the end; or the sink's error. The sink gets a chunk before
  // its signature is compared: what it was given counts only when done(). Do not call it again
  // after an error.
  Status Take(std::string_view piece);
  // Whether the last error was a signature.
  bool is_forged() const { return is_forged_; }

  // Whether the end was read. A body that ends before is incomplete.
  bool done() const { return state_ == State::kDone; }
  // The trailers, with names in lower case. Complete once done().
  const http::Headers& trailers() const { return trailers_; }

 private:
  enum class State : uint8_t { kSize, kData, kDataEnd, kTrailer, kDone };  // What comes next.

  // A whole line, without its end.
  Status TakeLine(std::string_view line);
  Status TakeSize(std::string_view line);
  Status TakeTrailer(std::string_view line);
  Status EndChunk();     // Compares its signature.
  Status EndTrailers();  // The same of all trailers, and ends the body.
  Status Forged();

  Sink sink_;
  std::optional<auth::ChunkSignatures> signatures_;  // Only of signed chunks.
  bool has_signed_trailer_ = false;
  bool is_forged_ = false;
  std::string signature_;          // Of the current chunk.
  std::unique_ptr<Checksum> sum_;  // SHA-256 of the current chunk so far.
  State state_ = State::kSize;
  uint64_t left_ = 0;         // Bytes of the current chunk to come.
  std::string line_;          // Its end has not arrived yet.
  size_t trailer_bytes_ = 0;  // Of all trailers so far.
  http::Headers trailers_;
};

}  // namespace warden::s3

#endif  // WARDEN_S3_AWS_CHUNKED_H_
