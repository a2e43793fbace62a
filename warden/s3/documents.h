#ifndef WARDEN_S3_DOCUMENTS_H_
#define WARDEN_S3_DOCUMENTS_H_

// What several documents of S3 have in common. Clients parse them strictly: names, order and
// namespace are those of Amazon's documents.

#include <string_view>

#include "warden/net/xml.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// The namespace of all documents of S3; clients expect it on the root element.
inline constexpr std::string_view kS3Namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

// Writes an owner as documents of S3 name them ("Owner", "Initiator"). The sender owns everything:
// buckets are the service's, not an account's.
inline void WriteOwner(const S3Request& request, std::string_view element, net::XmlWriter* xml) {
  xml->Open(element)
      .Leaf("ID", request.identity.account)
      .Leaf("DisplayName", "tensorwarden")
      .Close(element);
}

}  // namespace warden::s3

#endif  // WARDEN_S3_DOCUMENTS_H_
