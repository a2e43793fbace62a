#ifndef WARDEN_S3_OBJECT_FILES_H_
#define WARDEN_S3_OBJECT_FILES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/time.h"
#include "warden/os/posix.h"
#include "warden/s3/object_meta.h"

namespace warden::s3 {

struct BucketInfo {
  std::string name;
  Time created;
};

// An object, open.
struct StoredObject {
  std::shared_ptr<const os::UniqueFd> file;
  uint64_t size = 0;
  Time modified;
  ObjectMeta meta;
};

// The files of buckets below one folder. Safe for many threads: all it does are single steps of the
// file system. Nothing outside of the buckets is touched (see open_beneath.h).
class ObjectFiles {
 public:
  explicit ObjectFiles(std::string objects) : objects_(std::move(objects)) {}

  Result<std::vector<BucketInfo>> Buckets() const;     // Sorted by name.
  Status MakeBucket(const std::string& bucket) const;  // kExists.
  // kNotFound; kExists if there is anything in it.
  Status RemoveBucket(const std::string& bucket) const;
  Result<os::UniqueFd> OpenBucket(const std::string& bucket) const;  // kNotFound.

  // kNotFound.
  Result<StoredObject> Open(const std::string& bucket, const std::string& key) const;
  // Moves a finished file there, in place of what was there. kExists if the key is the beginning of
  // another one's path or the other way round; kUnavailable if only_new and it is there already.
  Status Place(const std::string& file, const std::string& bucket, const std::string& key,
               bool only_new) const;
  // Ok also if there was none.
  Status Remove(const std::string& bucket, const std::string& key) const;

 private:
  std::string objects_;
};

Time TimeOf(const struct timespec& time);

}  // namespace warden::s3

#endif  // WARDEN_S3_OBJECT_FILES_H_
