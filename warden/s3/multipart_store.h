#ifndef WARDEN_S3_MULTIPART_STORE_H_
#define WARDEN_S3_MULTIPART_STORE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/time.h"
#include "warden/s3/object_meta.h"
#include "warden/s3/upload_file.h"

namespace warden::s3 {

inline constexpr int kMaxParts = 10'000;

// An upload in parts that was begun and neither completed nor aborted.
struct PendingUpload {
  std::string id;
  std::string bucket;
  std::string key;
  http::Headers headers;  // That the object will have.
  Time begun;
};

struct UploadedPart {
  int number = 0;
  std::string etag;  // MD5 in hexadecimal digits.
  uint64_t size = 0;
  Time modified;
};

// Uploads in parts: a folder for each, with what it is to become and a file for each part, called
// by its number and ETag. So a part that is sent again does not disturb one that somebody counts
// on, and nothing needs a lock. All survives the service.
class MultipartStore {
 public:
  explicit MultipartStore(std::string uploads) : uploads_(std::move(uploads)) {}

  // The id of a new one.
  Result<std::string> Begin(const PendingUpload& upload) const;
  // kNotFound if there is none of that id for that object.
  Result<PendingUpload> Find(const std::string& id, const std::string& bucket,
                             const std::string& key) const;
  // Those of a bucket, sorted by key and id.
  Result<std::vector<PendingUpload>> List(const std::string& bucket) const;
  // Moves a finished file to its place.
  Status AddPart(const std::string& id, int number, const std::string& etag,
                 const std::string& file) const;
  // Sorted by number; of parts sent more than once the last one.
  Result<std::vector<UploadedPart>> Parts(const std::string& id) const;
  std::string PathOfPart(const std::string& id, int number, const std::string& etag) const;
  void Remove(const std::string& id) const;

 private:
  std::string FolderOf(const std::string& id) const;
  Result<PendingUpload> Read(const std::string& id) const;

  std::string uploads_;
};

}  // namespace warden::s3

#endif  // WARDEN_S3_MULTIPART_STORE_H_
