#ifndef WARDEN_S3_NAMES_H_
#define WARDEN_S3_NAMES_H_

#include <string_view>

#include "warden/s3/request.h"
#include "warden/s3/xml.h"

namespace warden::s3 {

inline constexpr std::string_view kS3Namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

// Whoever asks owns everything: buckets are the service's, not an account's.
inline void WriteOwner(const S3Request& request, std::string_view element, XmlWriter* xml) {
  xml->Open(element)
      .Leaf("ID", request.identity.account)
      .Leaf("DisplayName", "tensorwarden")
      .Close(element);
}

}  // namespace warden::s3

#endif  // WARDEN_S3_NAMES_H_
