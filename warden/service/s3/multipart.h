#ifndef WARDEN_SERVICE_S3_MULTIPART_H_
#define WARDEN_SERVICE_S3_MULTIPART_H_

#include <memory>
#include <string>

#include "warden/service/http/message.h"
#include "warden/service/s3/request.h"

namespace warden::service {

Response CreateMultipartUpload(const S3Request& request);
std::unique_ptr<Exchange> UploadPart(const S3Request& request);
Response UploadPartCopy(const S3Request& request);
Response CompleteMultipartUpload(const S3Request& request, const std::string& body);
Response AbortMultipartUpload(const S3Request& request);

Response ListParts(const S3Request& request);
Response ListMultipartUploads(const S3Request& request);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_S3_MULTIPART_H_
