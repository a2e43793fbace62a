#ifndef WARDEN_NET_DIGEST_H_
#define WARDEN_NET_DIGEST_H_

#include <string>
#include <string_view>

namespace warden::net {

// The 32 bytes of SHA-256.
std::string Sha256(std::string_view text);

// HMAC-SHA256 (RFC 2104), in lower-case hexadecimal digits.
std::string HmacSha256Hex(std::string_view key, std::string_view text);

// Two lower-case digits for each byte.
std::string Hex(std::string_view bytes);

// RFC 4648, padded, on one line.
std::string Base64(std::string_view bytes);

// A text in the form of a random UUID (version 4) that depends on nothing but the seed.
std::string UuidOf(std::string_view seed);

}  // namespace warden::net

#endif  // WARDEN_NET_DIGEST_H_
