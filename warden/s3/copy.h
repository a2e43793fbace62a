#ifndef WARDEN_S3_COPY_H_
#define WARDEN_S3_COPY_H_

#include <variant>

#include "warden/http/message.h"
#include "warden/s3/object_files.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// CopyObject: a PUT with x-amz-copy-source.
http::Response CopyObject(const S3Request& request);

// The object that x-amz-copy-source names ("bucket/key" or "/bucket/key", encoded), if the
// conditions that the request sets for it hold.
std::variant<StoredObject, S3Error> OpenCopySource(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_COPY_H_
