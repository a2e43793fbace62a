#include "warden/s3/checksum.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <array>
#include <cstdint>

#include "warden/format/crc32c.h"

namespace warden::s3 {
namespace {

constexpr std::string_view kHeader = "x-amz-checksum-";
constexpr std::string_view kSums[] = {"crc32", "crc32c", "crc64nvme", "sha1", "sha256"};

std::string BigEndian(uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i));
  return out;
}

class Digest final : public Checksum {
 public:
  explicit Digest(const EVP_MD* kind) : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    EVP_DigestInit_ex(context_.get(), kind, nullptr);
  }
  void Update(std::string_view piece) override {
    EVP_DigestUpdate(context_.get(), piece.data(), piece.size());
  }
  std::string Finish() override {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
    unsigned int size = 0;
    EVP_DigestFinal_ex(context_.get(), bytes.data(), &size);
    return {reinterpret_cast<const char*>(bytes.data()), size};
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

class Crc32 final : public Checksum {
 public:
  void Update(std::string_view piece) override {
    value_ = crc32_z(value_, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  }
  std::string Finish() override { return BigEndian(value_, 4); }

 private:
  uLong value_ = 0;
};

class Crc32c final : public Checksum {
 public:
  void Update(std::string_view piece) override { value_ = format::Crc32c(AsBytes(piece), value_); }
  std::string Finish() override { return BigEndian(value_, 4); }

 private:
  uint32_t value_ = 0;
};

// Byte by byte, with the polynomial's bits in reverse order.
class Crc64Nvme final : public Checksum {
 public:
  void Update(std::string_view piece) override {
    static const std::array<uint64_t, 256> table = MakeTable();
    for (const char c : piece) {
      value_ = table[(value_ ^ static_cast<unsigned char>(c)) & 0xFF] ^ (value_ >> 8);
    }
  }
  std::string Finish() override { return BigEndian(~value_, 8); }

 private:
  static constexpr uint64_t kPolynomial = 0x9A6C9329AC4BC9B5;

  static std::array<uint64_t, 256> MakeTable() {
    std::array<uint64_t, 256> table;
    for (uint64_t i = 0; i < 256; ++i) {
      uint64_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? kPolynomial : 0);
      table[i] = value;
    }
    return table;
  }

  uint64_t value_ = ~uint64_t{0};
};

}  // namespace

std::unique_ptr<Checksum> MakeChecksum(std::string_view name) {
  if (name == "md5") return std::make_unique<Digest>(EVP_md5());
  if (name == "sha1") return std::make_unique<Digest>(EVP_sha1());
  if (name == "sha256") return std::make_unique<Digest>(EVP_sha256());
  if (name == "crc32") return std::make_unique<Crc32>();
  if (name == "crc32c") return std::make_unique<Crc32c>();
  if (name == "crc64nvme") return std::make_unique<Crc64Nvme>();
  return nullptr;
}

std::string_view ChecksumOfHeader(std::string_view lower_case_header) {
  if (!lower_case_header.starts_with(kHeader)) return {};
  for (const std::string_view name : kSums) {
    if (lower_case_header.substr(kHeader.size()) == name) return name;
  }
  return {};
}

}  // namespace warden::s3
