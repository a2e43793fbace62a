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

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::s3 {

// Decodes a body in the encoding "aws-chunked": chunks with their sizes (in hexadecimal digits)
// before them, then trailers such as a checksum. Chunk signatures are skipped, not checked. Memory
// is bounded: lines of at most 1 KB, 4 KB of trailers. For one thread at a time.
class AwsChunkedDecoder {
 public:
  // Gets the decoded bytes in pieces; the view ends with the call. An error stops the decoder.
  using Sink = std::function<Status(std::string_view)>;
  // Keeps the sink, and what it captures, for its whole life.
  explicit AwsChunkedDecoder(Sink sink) : sink_(std::move(sink)) {}

  // Takes any piece of the body, cut anywhere. kInvalid if the encoding is malformed or data
  // follows the end; or the sink's error. Do not call it again after an error.
  Status Take(std::string_view piece);

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

  Sink sink_;
  State state_ = State::kSize;
  uint64_t left_ = 0;         // Bytes of the current chunk to come.
  std::string line_;          // Its end has not arrived yet.
  size_t trailer_bytes_ = 0;  // Of all trailers so far.
  http::Headers trailers_;
};

}  // namespace warden::s3

#endif  // WARDEN_S3_AWS_CHUNKED_H_
