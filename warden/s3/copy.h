#ifndef WARDEN_S3_COPY_H_
#define WARDEN_S3_COPY_H_

// CopyObject, and the source of copies (also of parts, multipart.h).

#include <variant>

#include "warden/http/message.h"
#include "warden/s3/object_files.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// Answers CopyObject: a PUT with x-amz-copy-source. At most kMaxPut bytes (400 InvalidRequest).
// Headers are those of the source, or of the request if x-amz-metadata-directive is REPLACE.
http::Response CopyObject(const S3Request& request);

// Opens the object that x-amz-copy-source names ("bucket/key" or "/bucket/key", encoded). 400
// InvalidArgument if it is malformed, 404 if it does not exist, 412 if a condition of the request
// (x-amz-copy-source-if-match, -if-none-match) does not hold, 501 for a version.
std::variant<StoredObject, S3Error> OpenCopySource(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_COPY_H_
