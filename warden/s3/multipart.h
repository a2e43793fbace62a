#ifndef WARDEN_S3_MULTIPART_H_
#define WARDEN_S3_MULTIPART_H_

#include <memory>
#include <string>

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

http::Response CreateMultipartUpload(const S3Request& request);
std::unique_ptr<http::Exchange> UploadPart(const S3Request& request);
http::Response UploadPartCopy(const S3Request& request);
http::Response CompleteMultipartUpload(const S3Request& request, const std::string& body);
http::Response AbortMultipartUpload(const S3Request& request);

http::Response ListParts(const S3Request& request);
http::Response ListMultipartUploads(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_MULTIPART_H_
