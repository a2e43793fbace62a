#ifndef WARDEN_S3_UPLOAD_FILE_H_
#define WARDEN_S3_UPLOAD_FILE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/posix.h"
#include "warden/s3/object_meta.h"

namespace warden::s3 {

// A file on its way to become an object, in the folder of uploads. It goes with this, unless it was
// moved elsewhere before.
class UploadFile {
 public:
  // kIo.
  static Result<std::unique_ptr<UploadFile>> Create(const std::string& uploads);
  // Removes what a service that was killed has left.
  static void RemoveLeftOver(const std::string& uploads);
  ~UploadFile();

  Status Append(std::string_view piece);
  // So many bytes of another file.
  Status AppendFrom(int fd, uint64_t offset, uint64_t length);
  // Keeps meta with it, and brings it safely to the disk. Nothing can be appended after that.
  Status Finish(const ObjectMeta& meta);

  const std::string& path() const { return path_; }
  uint64_t size() const { return size_; }

 private:
  UploadFile(std::string path, os::UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  std::string path_;
  os::UniqueFd fd_;
  uint64_t size_ = 0;
};

}  // namespace warden::s3

#endif  // WARDEN_S3_UPLOAD_FILE_H_
