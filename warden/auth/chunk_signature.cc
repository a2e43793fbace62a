#include "warden/auth/chunk_signature.h"

#include <fmt/format.h>

#include <utility>

#include "warden/auth/sigv4.h"
#include "warden/net/digest.h"

namespace warden::auth {

ChunkSignatures::ChunkSignatures(ChunkSeed seed) : seed_(std::move(seed)) {}

bool ChunkSignatures::Compare(const std::string& text, std::string_view signature) {
  const bool is_right = !seed_.signature.empty() &&
                        IsSameSecret(net::HmacSha256Hex(seed_.key.Reveal(), text), signature);
  seed_.signature = is_right ? std::string(signature) : "";
  return is_right;
}

bool ChunkSignatures::Accept(std::string_view chunk_hash, std::string_view signature) {
  static const std::string empty = net::Hex(net::Sha256(""));
  return Compare(fmt::format("AWS4-HMAC-SHA256-PAYLOAD\n{}\n{}\n{}\n{}\n{}", seed_.time,
                             seed_.scope, seed_.signature, empty, chunk_hash),
                 signature);
}

bool ChunkSignatures::AcceptTrailer(std::string_view trailer_hash, std::string_view signature) {
  return Compare(fmt::format("AWS4-HMAC-SHA256-TRAILER\n{}\n{}\n{}\n{}", seed_.time, seed_.scope,
                             seed_.signature, trailer_hash),
                 signature);
}

}  // namespace warden::auth
