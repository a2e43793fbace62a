#ifndef WARDEN_S3_CHECKSUM_H_
#define WARDEN_S3_CHECKSUM_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warden::s3 {

// A sum over bytes that come in pieces.
class Checksum {
 public:
  virtual ~Checksum() = default;
  virtual void Update(std::string_view piece) = 0;
  // The bytes of the sum, most significant first. Once.
  virtual std::string Finish() = 0;
};

// "md5", "sha256", "sha1", "crc32", "crc32c" or "crc64nvme"; nullptr for any other name.
std::unique_ptr<Checksum> MakeChecksum(std::string_view name);

// The algorithm of a header "x-amz-checksum-crc32"; empty if it is none that we know.
std::string_view ChecksumOfHeader(std::string_view lower_case_header);

}  // namespace warden::s3

#endif  // WARDEN_S3_CHECKSUM_H_
