#ifndef WARDEN_S3_AWS_CHUNKED_H_
#define WARDEN_S3_AWS_CHUNKED_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::s3 {

// Takes apart a body in the encoding "aws-chunked": pieces with their sizes before them, then lines
// with what the sender knew only at the end, such as a checksum.
class AwsChunkedDecoder {
 public:
  using Sink = std::function<Status(std::string_view)>;
  explicit AwsChunkedDecoder(Sink sink) : sink_(std::move(sink)) {}

  // Any piece of the body. kInvalid if it is not so encoded, or the sink's error; nothing can be
  // taken after that.
  Status Take(std::string_view piece);

  bool done() const { return state_ == State::kDone; }
  // What came at the end; names in lower case.
  const http::Headers& trailers() const { return trailers_; }

 private:
  enum class State : uint8_t { kSize, kData, kDataEnd, kTrailer, kDone };

  // A whole line, without its end.
  Status TakeLine(std::string_view line);
  Status TakeSize(std::string_view line);
  Status TakeTrailer(std::string_view line);

  Sink sink_;
  State state_ = State::kSize;
  uint64_t left_ = 0;  // Of the present piece.
  std::string line_;   // Not whole yet.
  size_t trailer_bytes_ = 0;
  http::Headers trailers_;
};

}  // namespace warden::s3

#endif  // WARDEN_S3_AWS_CHUNKED_H_
