#ifndef WARDEN_SERVICE_S3_DELETE_H_
#define WARDEN_SERVICE_S3_DELETE_H_

#include <string>

#include "warden/service/http/message.h"
#include "warden/service/s3/request.h"

namespace warden::service {

Response DeleteObject(const S3Request& request);
// "POST ?delete" with a list of at most 1,000 keys.
Response DeleteObjects(const S3Request& request, const std::string& body);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_S3_DELETE_H_
