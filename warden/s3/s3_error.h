#ifndef WARDEN_S3_S3_ERROR_H_
#define WARDEN_S3_S3_ERROR_H_

// Errors in S3's words, and the responses that carry them. Used by all operations of this part.
//
//   if (!found.ok()) return ErrorResponse(FromStatus(found.status()), request.head);

#include <string>

#include "warden/auth/authenticator.h"
#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::s3 {

// Why a request to S3 is refused. Clients match on the code, so it must be one of S3's.
struct S3Error {
  int http = 400;       // Status of the response.
  std::string code;     // "NoSuchKey", ...
  std::string message;  // For people; S3's own text where it has one.
};

// Returns the error document, with the request's ID; without a body for HEAD.
http::Response ErrorResponse(const S3Error& error, const http::RequestHead& head);

// Translates a refusal of the authenticator: "InvalidSignatureException" is "SignatureDoesNotMatch"
// here, and so on. Unknown codes become 403 AccessDenied.
S3Error FromRefusal(const auth::Refusal& refusal);
// Translates an error of the file operations. kNotFound: 404 NoSuchKey. kExists: 409 InvalidRequest
// (a file is in the way of a folder or the other way round). kInvalid: 400 InvalidArgument.
// kUnavailable: 503. Anything else is logged and becomes 500 InternalError without details, since
// the message may contain paths.
S3Error FromStatus(const Status& status);

// Errors that several operations have: 403, 404, 400 and 400.
// why: a sentence that is added to S3's message; may be empty.
S3Error AccessDenied(const std::string& why = {});
S3Error NoSuchBucket();
S3Error InvalidArgument(std::string message);
S3Error MalformedXml(const Status& status);

// Adds x-amz-request-id unless it is there: clients quote it when they ask for help.
http::Response WithRequestId(http::Response response, const http::RequestHead& head);

// Returns a 200 with this XML document.
http::Response XmlResponse(std::string document);

}  // namespace warden::s3

#endif  // WARDEN_S3_S3_ERROR_H_
