#ifndef WARDEN_S3_DELETE_H_
#define WARDEN_S3_DELETE_H_

// Removing objects. It is not an error if an object does not exist, as at Amazon.

#include <string>

#include "warden/http/message.h"
#include "warden/s3/request.h"

namespace warden::s3 {

// Answers 204. Errors as ErrorResponse has them.
http::Response DeleteObject(const S3Request& request);
// "POST ?delete" with an XML list of 1 to 1,000 keys; 400 MalformedXML otherwise. Errors of single
// keys are part of the 200, and do not stop the others. With <Quiet>true</Quiet> only errors are
// listed. Keys are removed in the order of the list.
http::Response DeleteObjects(const S3Request& request, const std::string& body);

}  // namespace warden::s3

#endif  // WARDEN_S3_DELETE_H_
