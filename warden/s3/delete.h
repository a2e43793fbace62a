#ifndef WARDEN_S3_DELETE_H_
#define WARDEN_S3_DELETE_H_

#include <string>

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

http::Response DeleteObject(const S3Request& request);
// "POST ?delete" with a list of at most 1,000 keys.
http::Response DeleteObjects(const S3Request& request, const std::string& body);

}  // namespace warden::s3

#endif  // WARDEN_S3_DELETE_H_
