#ifndef WARDEN_S3_ERROR_H_
#define WARDEN_S3_ERROR_H_

#include <string>

#include "warden/auth/authenticator.h"
#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::s3 {

// Why a request to S3 is not answered as asked.
struct S3Error {
  int http = 400;
  std::string code;
  std::string message;
};

// The error document; without it for HEAD.
http::Response ErrorResponse(const S3Error& error, const http::RequestHead& head);

// In S3's words.
S3Error FromRefusal(const auth::Refusal& refusal);
// kNotFound: there is no such key; kExists: a file is in the way of a folder or the other way
// round.
S3Error FromStatus(const Status& status);

S3Error NoSuchBucket();
S3Error InvalidArgument(std::string message);
S3Error MalformedXml(const Status& status);

// The answer with the id of its request, which clients tell when they ask for help.
http::Response WithRequestId(http::Response response, const http::RequestHead& head);

// An XML document as an answer.
http::Response XmlResponse(std::string document);

}  // namespace warden::s3

#endif  // WARDEN_S3_ERROR_H_
