#ifndef WARDEN_NET_DIGEST_H_
#define WARDEN_NET_DIGEST_H_

// Digests and encodings for signatures, checksums and identifiers: SigV4 and S3 (auth, s3), signed
// webhooks and mail (actions), stable IDs of events. Pure functions of their arguments, of any
// bytes; they cannot fail and are safe for many threads. Comparing a secret digest in constant time
// is the caller's duty.

#include <string>
#include <string_view>

namespace warden::net {

// The 32 bytes of SHA-256. Raw bytes, not digits: see Hex.
std::string Sha256(std::string_view text);

// HMAC-SHA256 (RFC 2104), in lower-case hexadecimal digits. The key may be empty and of any length
// below 2 GB; digits as in the header of a webhook.
std::string HmacSha256Hex(std::string_view key, std::string_view text);

// Two lower-case digits for each byte.
std::string Hex(std::string_view bytes);

// RFC 4648, padded, on one line.
std::string Base64(std::string_view bytes);

// A text in the form of a random UUID (version 4) that depends on nothing but the seed. The same
// seed gives the same text on every machine, so that a receiver can tell a repeated delivery from a
// new event. Not a secret: whoever knows the seed knows the text.
std::string UuidOf(std::string_view seed);

}  // namespace warden::net

#endif  // WARDEN_NET_DIGEST_H_
