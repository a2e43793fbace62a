#ifndef WARDEN_S3_MULTIPART_STORE_H_
#define WARDEN_S3_MULTIPART_STORE_H_

// Uploads in parts, on disk. The operations in multipart.h are its only users.
//
//   DATA/uploads/upload-<id>/upload.json    the object that it is to become
//   DATA/uploads/upload-<id>/00001-<MD5>    part 1

#include <cstdint>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/time.h"
#include "warden/s3/object_meta.h"
#include "warden/s3/upload_file.h"

namespace warden::s3 {

// Parts are numbered from 1 to this.
inline constexpr int kMaxParts = 10'000;

// An upload in parts that was begun and neither completed nor aborted.
struct PendingUpload {
  std::string id;         // 32 hexadecimal digits.
  std::string bucket;     // Of the object that it is to become.
  std::string key;        // Of the object that it is to become.
  http::Headers headers;  // That the object will have (KeptHeaders).
  Time begun;             // When CreateMultipartUpload came.
};

// A part that has arrived.
struct UploadedPart {
  int number = 0;     // 1 to kMaxParts.
  std::string etag;   // Its MD5, in 32 hexadecimal digits.
  uint64_t size = 0;  // Bytes.
  Time modified;      // When it arrived.
};

// Uploads in parts: a folder for each, with a description of the object and a file for each part,
// named by its number and ETag. So a part that is sent again does not disturb one that a client
// counts on, and nothing needs a lock: safe for many threads. All of it survives a restart of the
// service.
//
// Only Find and Remove check an id; the others take ids that Begin or Find has returned.
class MultipartStore {
 public:
  // uploads: the folder of uploads (DataLayout::Uploads), on the file system of the buckets.
  explicit MultipartStore(std::string uploads) : uploads_(std::move(uploads)) {}

  // Begins an upload and returns its id; upload.id is ignored. kIo.
  Result<std::string> Begin(const PendingUpload& upload) const;
  // kNotFound if there is no upload of that id for that object, or the id is malformed.
  Result<PendingUpload> Find(const std::string& id, const std::string& bucket,
                             const std::string& key) const;
  // The uploads of a bucket, sorted by key and id. Uploads that cannot be read are skipped; does
  // not fail.
  Result<std::vector<PendingUpload>> List(const std::string& bucket) const;
  // Moves a finished file to its place as a part. etag: its MD5. kNotFound: the upload is gone, or
  // the etag is not an MD5; the file stays where it was. kIo.
  Status AddPart(const std::string& id, int number, const std::string& etag,
                 const std::string& file) const;
  // The parts, sorted by number; of a number that was sent more than once, the last. kNotFound.
  Result<std::vector<UploadedPart>> Parts(const std::string& id) const;
  // The file of a part, whether it exists or not; "" if the etag is not an MD5 in lower-case
  // digits.
  std::string PathOfPart(const std::string& id, int number, const std::string& etag) const;
  // Removes an upload with all its parts, as far as possible. Does nothing for a malformed id.
  void Remove(const std::string& id) const;

 private:
  std::string FolderOf(const std::string& id) const;        // Of one upload.
  Result<PendingUpload> Read(const std::string& id) const;  // kNotFound.

  std::string uploads_;  // The folder.
};

}  // namespace warden::s3

#endif  // WARDEN_S3_MULTIPART_STORE_H_
