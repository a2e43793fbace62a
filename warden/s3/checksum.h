#ifndef WARDEN_S3_CHECKSUM_H_
#define WARDEN_S3_CHECKSUM_H_

// The checksums that clients send along with bodies. Used by S3Body and for ETags.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warden::s3 {

// A checksum over bytes that arrive in pieces. For one thread at a time.
class Checksum {
 public:
  virtual ~Checksum() = default;
  // Adds a piece. Not after Finish().
  virtual void Update(std::string_view piece) = 0;
  // Returns the bytes of the checksum, most significant first: 16 for MD5, 4 for CRC32. Call it
  // once.
  virtual std::string Finish() = 0;
};

// Returns a new "md5", "sha256", "sha1", "crc32", "crc32c" or "crc64nvme"; null for any other name.
std::unique_ptr<Checksum> MakeChecksum(std::string_view name);

// Returns "crc32" for "x-amz-checksum-crc32" and so on; empty if it is not such a header, or the
// algorithm is unknown. The result is a constant and stays valid.
std::string_view ChecksumOfHeader(std::string_view lower_case_header);

}  // namespace warden::s3

#endif  // WARDEN_S3_CHECKSUM_H_
