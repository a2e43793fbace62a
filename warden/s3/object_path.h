#ifndef WARDEN_S3_OBJECT_PATH_H_
#define WARDEN_S3_OBJECT_PATH_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::s3 {

// A bucket and what is in it, as "s3://bucket/key" names it.
struct ObjectName {
  std::string bucket;
  std::string key;  // Or the beginning of keys; no '/' at its front.
};

// Whether a bucket may be called so: 3 to 63 lower-case letters, digits, '-' and '.', as at Amazon.
bool IsBucketName(std::string_view name);

// kInvalid unless it is "s3://BUCKET" or "s3://BUCKET/KEY" with a name that a bucket may have.
Result<ObjectName> ParseS3Uri(std::string_view uri);

inline constexpr size_t kMaxKey = 1024;  // Bytes: what S3 takes.

// Objects are files: <objects>/<bucket>/<key>. A part of a key that would not be the name of a file
// in its folder ("..", ".", nothing) is written between '%', and so are those that begin with
// ".w-", which are our own, those that end in ".tmp", which are unfinished files of others, and
// those that begin with '%' themselves. No key leads out of the bucket's folder. kInvalid if it is
// too long for a file or not UTF-8. The key "" is the bucket's folder.
Result<std::string> PathOfObject(const std::string& objects, const ObjectName& name);
// The same without what leads to the bucket's folder.
Result<std::string> PathInBucket(std::string_view key);
// The key of a file in a bucket's folder; nothing if it is not an object (".w-" and ".tmp" files).
std::optional<std::string> KeyOfPath(std::string_view path_in_bucket);

}  // namespace warden::s3

#endif  // WARDEN_S3_OBJECT_PATH_H_
