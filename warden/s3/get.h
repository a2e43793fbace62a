#ifndef WARDEN_S3_GET_H_
#define WARDEN_S3_GET_H_

// GetObject and HeadObject.

#include <cstdint>
#include <optional>
#include <string_view>

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// Answers GET and HEAD with the object or the range that is asked for: 200, 206, 304 or 412
// (conditions such as If-None-Match), 416 InvalidRange, 404 NoSuchKey. The response keeps the file
// open, so an object that is replaced or removed meanwhile is still sent as it was.
http::Response GetObject(const S3Request& request);

// Bytes of an object, from offset (counted from 0).
struct ByteRange {
  uint64_t offset = 0;  // May be behind the end if length is 0.
  uint64_t length = 0;  // Bytes.
};

// Reads a Range header for an object of size bytes; the result is within it. Nothing for anything
// else, also several ranges: S3 ignores such a header and sends all. Length 0: the object has no
// such bytes (416). With 10 bytes:
//
//   "bytes=2-5"  {2, 4}
//   "bytes=2-"   {2, 8}
//   "bytes=-4"   {6, 4}
//   "bytes=20-"  {20, 0}
std::optional<ByteRange> ParseRange(std::string_view header, uint64_t size);

}  // namespace warden::s3

#endif  // WARDEN_S3_GET_H_
