#ifndef WARDEN_S3_BODY_H_
#define WARDEN_S3_BODY_H_

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
#include "warden/s3/error.h"

namespace warden::s3 {

// A body on its way in: decoded where it is encoded, and compared with all that the request says
// about it: its length, x-amz-content-sha256, Content-MD5 and x-amz-checksum-* in headers or at its
// end.
class S3Body {
 public:
  using Sink = std::function<Status(std::string_view)>;
  S3Body(const http::RequestHead& head, uint64_t limit, Sink sink);

  // Whether the request says something that cannot be or that we do not do, before any of its body
  // is there.
  const std::optional<S3Error>& refusal() const { return refusal_; }

  // False: it is wrong, too large, or the sink failed; Finish tells which.
  bool Take(std::string_view piece);
  // All of it was taken. An error if it is not what the request says.
  std::optional<S3Error> Finish();

  // After Finish: of the decoded body.
  const std::string& md5() const { return md5_; }  // 16 bytes.
  // "x-amz-checksum-crc32" and its value, of those that the request named.
  const http::Headers& checksums() const { return checked_; }

 private:
  struct Expected {
    std::string header;  // In lower case.
    std::string value;   // In base64, or hexadecimal digits for x-amz-content-sha256.
    std::unique_ptr<Checksum> sum;
    std::string wrong;  // The code of the error.
  };

  std::optional<S3Error> ReadHeaders(const http::RequestHead& head);
  std::optional<S3Error> ReadLengths(const http::RequestHead& head);
  std::optional<S3Error> ReadContentHash(std::string_view value);
  std::optional<S3Error> ReadTrailerNames(std::string_view names);
  // An algorithm of a header x-amz-checksum-*; true if it is one.
  bool Expect(std::string_view header, std::string_view value);
  Status Decoded(std::string_view piece);
  std::optional<S3Error> CheckLength() const;
  std::optional<S3Error> CheckSum(Expected* expected);

  Sink sink_;
  uint64_t limit_;
  std::optional<S3Error> refusal_;
  std::optional<AwsChunkedDecoder> decoder_;
  std::unique_ptr<Checksum> md5_sum_;
  std::vector<Expected> expected_;
  std::optional<uint64_t> length_;  // That the decoded body is to have.
  uint64_t taken_ = 0;              // Of the decoded body.
  Status failure_;
  bool too_large_ = false;
  std::string md5_;
  http::Headers checked_;
};

// An exchange that takes a small body (a document of S3's) and hands it to answer, if it is what
// the request says.
std::unique_ptr<http::Exchange> GatherChecked(
    const http::RequestHead& head, size_t limit,
    std::function<http::Response(const std::string& body)> answer);

}  // namespace warden::s3

#endif  // WARDEN_S3_BODY_H_
