#ifndef WARDEN_S3_OBJECT_FILES_H_
#define WARDEN_S3_OBJECT_FILES_H_

// Buckets and objects as folders and files: what the operations of S3 do on disk. Nothing here
// knows about HTTP, except for the headers that are kept with an object.
//
//   const ObjectFiles files(service::DataLayout(options.data).Objects());
//   const Result<StoredObject> object = files.Open("bucket", "a/key");  // kNotFound?
//   ReadAll(object.value().file->get(), object.value().size);

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/time.h"
#include "warden/os/posix.h"
#include "warden/s3/object_meta.h"

namespace warden::s3 {

// A bucket, for ListBuckets.
struct BucketInfo {
  std::string name;  // Valid (IsBucketName).
  Time created;      // Of its folder, as far as the file system knows.
};

// An open object. It stays readable when the object is replaced or removed.
struct StoredObject {
  std::shared_ptr<const os::UniqueFd> file;  // Shared with the response that sends it.
  uint64_t size = 0;                         // Bytes, when it was opened.
  Time modified;                             // Of the file.
  ObjectMeta meta;                           // ETag and kept headers.
};

// The files of buckets below one folder. Holds no state: cheap to make, and safe for many threads
// and processes, since each change is a single step of the file system. Nothing outside of the
// buckets is touched, and no link is followed (os/open_beneath.h). Bucket names must be valid
// (IsBucketName): they are not checked again. Errors of the system are kIo; keys that cannot be
// stored are kInvalid.
class ObjectFiles {
 public:
  // objects: the folder of all buckets (DataLayout::Objects). Need not exist.
  explicit ObjectFiles(std::string objects) : objects_(std::move(objects)) {}

  Result<std::vector<BucketInfo>> Buckets() const;  // Sorted by name.
  // kExists if there is one of that name.
  Status MakeBucket(const std::string& bucket) const;
  // kNotFound; kExists if there is anything in it. Empty folders do not count.
  Status RemoveBucket(const std::string& bucket) const;
  Result<os::UniqueFd> OpenBucket(const std::string& bucket) const;  // kNotFound.

  // kNotFound if there is no such bucket or object; also if it is a folder, a link or a pipe.
  Result<StoredObject> Open(const std::string& bucket, const std::string& key) const;
  // Moves a finished file to the object's place, replacing what was there. Folders of the key are
  // made. kExists: the key is the beginning of another one's path or the other way round.
  // kUnavailable: only_new and it exists. kNotFound: no such bucket. On errors the file stays where
  // it was.
  Status Place(const std::string& file, const std::string& bucket, const std::string& key,
               bool only_new) const;
  // Removes an object. Ok also if there was none; kNotFound if there is no such bucket.
  Status Remove(const std::string& bucket, const std::string& key) const;

 private:
  std::string objects_;
};

// A time of stat() in milliseconds, rounded down.
Time TimeOf(const struct timespec& time);

}  // namespace warden::s3

#endif  // WARDEN_S3_OBJECT_FILES_H_
