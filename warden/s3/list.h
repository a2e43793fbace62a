#ifndef WARDEN_S3_LIST_H_
#define WARDEN_S3_LIST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/time.h"

namespace warden::s3 {

struct ListOptions {
  std::string prefix;     // Of the keys wanted.
  std::string delimiter;  // Keys that have it behind the prefix are told as one, up to it.
  std::string after;      // Only keys behind this one.
  std::string skip;       // And none that begin with this, if it is not empty.
  size_t limit = 1000;    // Of keys and common prefixes together.
};

struct ListedObject {
  std::string key;
  uint64_t size = 0;
  Time modified;
  std::string etag;
};

struct Listing {
  std::vector<ListedObject> objects;
  std::vector<std::string> prefixes;
  bool truncated = false;
  // The last of both, to go on behind it.
  std::string last;
  bool last_is_prefix = false;
};

// The objects of a bucket, in the order of the bytes of their keys. Only folders that can hold keys
// of the listing are read, each when its turn comes. kIo.
Result<Listing> ListObjects(int bucket_folder, const ListOptions& options);

}  // namespace warden::s3

#endif  // WARDEN_S3_LIST_H_
