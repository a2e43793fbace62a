#ifndef WARDEN_S3_BODY_H_
#define WARDEN_S3_BODY_H_

// Receives the body of a request and checks it before anything is done with it. Bodies of objects
// go to a file (put.h); small XML documents are gathered in memory (GatherChecked).
//
//   S3Body body(head, identity.chunks, kMaxPut, [&](std::string_view piece) { return
//   file->Append(piece); }); if (body.refusal()) return ErrorResponse(*body.refusal(), head); while
//   (NextPiece(&piece) && body.Take(piece)) {} if (const auto error = body.Finish()) return
//   ErrorResponse(*error, head);

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/http/message.h"
#include "warden/s3/aws_chunked.h"
#include "warden/s3/checksum.h"
#include "warden/s3/request.h"
#include "warden/s3/s3_error.h"

namespace warden::s3 {

// A body on its way in: decoded where it is encoded, and compared with all that the request says
// about it: its length, x-amz-content-sha256, Content-MD5 and x-amz-checksum-* in headers or
// trailers. For one thread at a time. Must not be moved: the decoder refers to it. Nothing is
// believed before Finish(): a client that is cut off, or lies about its digest, leaves no object
// behind.
class S3Body {
 public:
  using Sink = std::function<Status(std::string_view)>;  // The view ends with the call.
  // limit: bytes of the decoded body. sink gets the decoded body in pieces; its first error ends
  // the body. What sink wrote must be dropped unless Finish() succeeds. The head is not kept.
  // chunks: of the sender's Identity, for bodies in signed chunks.
  S3Body(const http::RequestHead& head, const std::optional<auth::ChunkSeed>& chunks,
         uint64_t limit, Sink sink);

  // Set if the headers alone are reason to refuse: contradictory, too large, or an encoding that is
  // not supported (501).
  const std::optional<S3Error>& refusal() const { return refusal_; }

  // Takes the next piece. False: it is malformed or too large, or the sink failed; Finish() says
  // which. Costs one pass for each checksum that the request names, and one for the MD5 of the
  // ETag.
  bool Take(std::string_view piece);
  // Call once, after the last piece. EntityTooLarge, IncompleteBody, BadDigest,
  // XAmzContentSHA256Mismatch or SignatureDoesNotMatch (of a chunk) if the body is not what the
  // request says; the sink's error (FromStatus); or the refusal.
  std::optional<S3Error> Finish();

  // After Finish() has succeeded: the MD5 of the decoded body, from which its ETag is made.
  const std::string& md5() const { return md5_; }  // 16 bytes.
  // "x-amz-checksum-crc32" and its value, for those that the request named. After Finish() as well.
  const http::Headers& checksums() const { return checked_; }

 private:
  // One checksum that the request names.
  struct Expected {
    std::string header;             // In lower case.
    std::string value;              // In base64, or hexadecimal digits for x-amz-content-sha256.
    std::unique_ptr<Checksum> sum;  // Over what was taken so far.
    std::string wrong;              // The code of the error.
  };

  // Calls the next three.
  std::optional<S3Error> ReadHeaders(const http::RequestHead& head,
                                     const std::optional<auth::ChunkSeed>& chunks);
  std::optional<S3Error> ReadLengths(const http::RequestHead& head);
  std::optional<S3Error> ReadContentHash(std::string_view value,
                                         const std::optional<auth::ChunkSeed>& chunks);
  std::optional<S3Error> ReadTrailerNames(std::string_view names);
  // An algorithm of a header x-amz-checksum-*; true if it is one.
  bool Expect(std::string_view header, std::string_view value);
  Status Decoded(std::string_view piece);  // Counts, sums and passes on.
  // EntityTooLarge, IncompleteBody, or the error of decoder or sink.
  std::optional<S3Error> CheckLength() const;
  // Compares one checksum, taken from the trailers if the headers had only its name.
  std::optional<S3Error> CheckSum(Expected* expected);

  Sink sink_;
  uint64_t limit_;                            // Of the decoded body.
  std::optional<S3Error> refusal_;            // Set by the constructor.
  std::optional<AwsChunkedDecoder> decoder_;  // Only for aws-chunked bodies.
  std::unique_ptr<Checksum> md5_sum_;         // Always computed: the ETag needs it.
  std::vector<Expected> expected_;            // All that the request names.
  std::optional<uint64_t> length_;            // That the decoded body is to have.
  uint64_t taken_ = 0;                        // Of the decoded body.
  Status failure_;                            // The first of decoder and sink.
  bool too_large_ = false;                    // Then failure_ is set, too.
  std::string md5_;                           // Set by Finish, as is the next.
  http::Headers checked_;
};

// Returns an exchange that gathers a small body (an XML document) of at most limit bytes and passes
// it to answer if it is what the request says; else the exchange answers the error. answer is
// called at most once, on a thread of the server; the request's ID is added to its response.
std::unique_ptr<http::Exchange> GatherChecked(
    const S3Request& request, size_t limit,
    std::function<http::Response(const std::string& body)> answer);

}  // namespace warden::s3

#endif  // WARDEN_S3_BODY_H_
