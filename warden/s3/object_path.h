#ifndef WARDEN_S3_OBJECT_PATH_H_
#define WARDEN_S3_OBJECT_PATH_H_

// Where objects are in the file system. Used by this part, and by those who read or write objects
// without HTTP: the launcher (inputs, code, outputs of jobs) and the dashboard.
//
//   auto name = ParseS3Uri("s3://bucket/some/key");             // {"bucket", "some/key"}
//   auto path = PathOfObject(layout.Objects(), name.value());  // DATA/s3/bucket/some/key

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::s3 {

// A bucket and a key in it, as "s3://bucket/key" names them.
struct ObjectName {
  std::string bucket;  // Valid (IsBucketName), unless it was made by hand.
  std::string key;     // Or a prefix of keys; "" is the bucket itself.
};

// Whether a bucket may have this name, as at Amazon: 3 to 63 lower-case letters, digits, '-' and
// '.', a letter or digit at both ends, no "..", not like an IP address. Such a name is safe as a
// file name.
bool IsBucketName(std::string_view name);

// Reads "s3://BUCKET" or "s3://BUCKET/KEY". kInvalid for anything else or an invalid bucket name;
// the key is not checked.
Result<ObjectName> ParseS3Uri(std::string_view uri);

// The longest key, as at Amazon.
inline constexpr size_t kMaxKey = 1024;  // Bytes.

// Returns <objects>/<bucket>/<key>. A part of a key that would not be the name of a file in its
// folder ("..", ".", "") is written between '%', and so are those that begin with ".w-" (our own
// files), end in ".tmp" (unfinished files of others), or begin with '%' themselves. So no key leads
// out of the bucket's folder, and different keys have different paths. kInvalid if the bucket name
// is invalid, or the key is too long for a file or not UTF-8. The key "" is the bucket's folder.
//
//   "a/b.txt"   a/b.txt
//   "a/../b"    a/%..%/b
//   "a/"        a/%%
//   "x.tmp"     %x.tmp%
Result<std::string> PathOfObject(const std::string& objects, const ObjectName& name);
// The same without the path of the bucket's folder; "" for the key "".
Result<std::string> PathInBucket(std::string_view key);
// The reverse: the key of a path in a bucket's folder. Nothing if it is not an object (".w-" and
// ".tmp" files, names that are not UTF-8).
std::optional<std::string> KeyOfPath(std::string_view path_in_bucket);

}  // namespace warden::s3

#endif  // WARDEN_S3_OBJECT_PATH_H_
