#ifndef WARDEN_STORAGE_S3_LOCATION_H_
#define WARDEN_STORAGE_S3_LOCATION_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::storage::s3 {

// What "s3://bucket/some/folder" names.
struct Location {
  std::string bucket;
  std::string prefix;  // In front of all keys: empty, or with '/' at its end.
};

// kInvalid, with what is accepted, if it is no such URL, the bucket has characters that no bucket
// has, or a part of the path is empty, "." or "..". One '/' at the end does not matter. Pure, safe
// for many threads.
Result<Location> ParseLocation(std::string_view url);

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_LOCATION_H_
