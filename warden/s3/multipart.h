#ifndef WARDEN_S3_MULTIPART_H_
#define WARDEN_S3_MULTIPART_H_

// Uploads in parts: large objects arrive as up to 10,000 parts, which CompleteMultipartUpload
// joins. The parts are in multipart_store.h. All answer 404 NoSuchUpload if the upload does not
// exist.

#include <memory>
#include <string>

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// Begins an upload; the response contains its ID. 400 MetadataTooLarge.
http::Response CreateMultipartUpload(const S3Request& request);
// Receives one part, of any size up to kMaxPut; whether it is too small shows when it is known to
// be the last one or not. 400 InvalidArgument for a number outside 1..10000.
std::unique_ptr<http::Exchange> UploadPart(const S3Request& request);
// Takes an object, or a range of one, as a part (x-amz-copy-source, x-amz-copy-source-range).
http::Response UploadPartCopy(const S3Request& request);
// Joins the parts that the XML document in body names, and makes them the object in one step. 400
// MalformedXML, InvalidPartOrder, InvalidPart, or EntityTooSmall if a part but the last has less
// than 5 MiB; the upload is kept then, and can be completed again.
http::Response CompleteMultipartUpload(const S3Request& request, const std::string& body);
// Drops the upload and its parts.
http::Response AbortMultipartUpload(const S3Request& request);

// At most 1,000 parts a page.
http::Response ListParts(const S3Request& request);
// All unfinished uploads of the bucket in one response, without pages.
http::Response ListMultipartUploads(const S3Request& request);

}  // namespace warden::s3

#endif  // WARDEN_S3_MULTIPART_H_
