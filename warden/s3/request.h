#ifndef WARDEN_S3_REQUEST_H_
#define WARDEN_S3_REQUEST_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"
#include "warden/s3/error.h"
#include "warden/service/options.h"

namespace warden::s3 {

class ObjectFiles;

// A request that was understood and may be answered.
struct S3Request {
  http::RequestHead head;
  auth::Identity identity;
  const service::ServiceOptions* options = nullptr;
  std::string bucket;                                      // Empty: all of them.
  std::string key;                                         // Empty: the bucket.
  std::vector<std::pair<std::string, std::string>> query;  // Decoded.

  // Whether the query has it, with a value or without.
  bool Asks(std::string_view name) const;
  // Its value, empty if there is none.
  std::string_view Parameter(std::string_view name) const;
};

// The objects of the service that it was sent to.
ObjectFiles FilesOf(const S3Request& request);

// Bucket, key and query of what was sent; an error if they are none.
std::optional<S3Error> ReadTarget(const http::RequestHead& head, S3Request* request);

// What "%41" and, in queries, '+' stand for; nothing if it is not well-formed.
std::optional<std::string> PercentDecode(std::string_view text, bool plus_is_blank);
// All but letters, digits and "-_.~/" as "%41".
std::string PercentEncode(std::string_view text);

}  // namespace warden::s3

#endif  // WARDEN_S3_REQUEST_H_
