#ifndef WARDEN_STORAGE_S3_EXCHANGE_H_
#define WARDEN_STORAGE_S3_EXCHANGE_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/text/uri.h"
#include "warden/base/types.h"

namespace warden::storage::s3 {

// One request about a bucket, or an object in it.
struct Call {
  std::string method;                     // "GET", "HEAD", "PUT", "POST" or "DELETE".
  std::string key;                        // Whole, not encoded. Empty: the bucket itself.
  QueryPairs query = {};                  // In any order, not encoded.
  std::vector<std::string> headers = {};  // "Name: value".
  Bytes body = {};                        // Borrowed during the call.
};

// What the server said.
struct Answer {
  long status = 0;
  std::map<std::string, std::string, std::less<>> headers;  // Names in lower case.
  std::vector<std::byte> body;

  bool ok() const { return status >= 200 && status < 300; }
  std::string_view Header(std::string_view name) const;  // Empty if there is none.
};

inline std::string_view Answer::Header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_EXCHANGE_H_
