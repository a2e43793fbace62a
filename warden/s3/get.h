#ifndef WARDEN_S3_GET_H_
#define WARDEN_S3_GET_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// GetObject and HeadObject.
http::Response GetObject(const S3Request& request);

struct ByteRange {
  uint64_t offset = 0;
  uint64_t length = 0;
};

// "bytes=2-5", "bytes=2-" and "bytes=-4" of so many bytes; nothing if it is something else, which
// is then to be ignored. A length of 0: there are no such bytes.
std::optional<ByteRange> ParseRange(std::string_view header, uint64_t size);

}  // namespace warden::s3

#endif  // WARDEN_S3_GET_H_
