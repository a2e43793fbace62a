#ifndef WARDEN_S3_UPLOAD_FILE_H_
#define WARDEN_S3_UPLOAD_FILE_H_

// Where a body is written before it is an object (PutObject, parts, copies).
//
//   auto file = UploadFile::Create(layout.Uploads());
//   file.value()->Append(bytes);
//   file.value()->Finish({etag, headers});
//   ObjectFiles(layout.Objects()).Place(file.value()->path(), bucket, key, false);

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/posix.h"
#include "warden/s3/object_meta.h"

namespace warden::s3 {

// A file on its way to become an object, in the folder of uploads. Removed by the destructor unless
// it was moved away before. For one thread at a time; calls block on the disk. Errors are kIo.
class UploadFile {
 public:
  // Creates an empty file with a random name, and the folder if it is missing.
  static Result<std::unique_ptr<UploadFile>> Create(const std::string& uploads);
  // Removes files that a service left when it was killed. Call it before the first Create: it
  // removes those in use, too.
  static void RemoveLeftOver(const std::string& uploads);
  ~UploadFile();

  // Appends bytes. After an error the file is of no use.
  Status Append(std::string_view piece);
  // Appends length bytes of another open file, which stays the caller's; shares blocks where the
  // file system can. kUnavailable if the source is shorter.
  Status AppendFrom(int fd, uint64_t offset, uint64_t length);
  // Stores meta with it and flushes it to disk. Nothing can be appended after that. kInvalid as
  // WriteMeta.
  Status Finish(const ObjectMeta& meta);

  // Absolute if the folder was; valid as long as this.
  const std::string& path() const { return path_; }
  // Bytes so far.
  uint64_t size() const { return size_; }

 private:
  UploadFile(std::string path, os::UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  os::UniqueFd fd_;  // Closed by Finish.
  uint64_t size_ = 0;
};

}  // namespace warden::s3

#endif  // WARDEN_S3_UPLOAD_FILE_H_
