#ifndef WARDEN_SERVICE_S3_COPY_H_
#define WARDEN_SERVICE_S3_COPY_H_

#include <variant>

#include "warden/service/http/message.h"
#include "warden/service/s3/object_files.h"
#include "warden/service/s3/request.h"

namespace warden::service {

// CopyObject: a PUT with x-amz-copy-source.
Response CopyObject(const S3Request& request);

// The object that x-amz-copy-source names ("bucket/key" or "/bucket/key", encoded), if the
// conditions that the request sets for it hold.
std::variant<StoredObject, S3Error> OpenCopySource(const S3Request& request);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_S3_COPY_H_
