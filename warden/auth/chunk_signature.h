#ifndef WARDEN_AUTH_CHUNK_SIGNATURE_H_
#define WARDEN_AUTH_CHUNK_SIGNATURE_H_

// Bodies that are signed piece by piece (x-amz-content-sha256:
// STREAMING-AWS4-HMAC-SHA256-PAYLOAD): the signature of each chunk covers the chunk and the
// signature before it, beginning with that of the head. So chunks can be neither changed, left out
// nor reordered, and a client need not know the whole body when it begins. Used by s3.

#include <string>
#include <string_view>

#include "warden/os/secret.h"

namespace warden::auth {

// What the first chunk is signed with. Part of an Identity whose request has such a body.
struct ChunkSeed {
  os::Secret key;         // The 32 bytes of the signing key of the request.
  std::string time;       // "20130524T000000Z", of the request.
  std::string scope;      // "20130524/us-east-1/s3/aws4_request".
  std::string signature;  // Of the head.
};

// The signatures of one body, in their order. For one thread.
//
//   ChunkSignatures signatures(*identity.chunks);
//   for each chunk: if (!signatures.Accept(hash of the chunk, its signature)) refuse;
//   if (!signatures.AcceptTrailer(hash of the trailers, their signature)) refuse;
class ChunkSignatures {
 public:
  explicit ChunkSignatures(ChunkSeed seed);

  // Whether this is the signature of the next chunk. chunk_hash: SHA-256 of its data in lower-case
  // hexadecimal digits; of the empty text for the last chunk. After a false one all are false.
  bool Accept(std::string_view chunk_hash, std::string_view signature);
  // The same for the trailers behind the last chunk: "name:value\n" for each.
  bool AcceptTrailer(std::string_view trailer_hash, std::string_view signature);

 private:
  bool Compare(const std::string& text, std::string_view signature);

  ChunkSeed seed_;  // With the signature before the next one.
};

}  // namespace warden::auth

#endif  // WARDEN_AUTH_CHUNK_SIGNATURE_H_
