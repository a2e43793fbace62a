#ifndef WARDEN_SERVICE_S3_ERROR_H_
#define WARDEN_SERVICE_S3_ERROR_H_

#include <string>

#include "warden/base/status.h"
#include "warden/service/auth/authenticator.h"
#include "warden/service/http/message.h"

namespace warden::service {

// Why a request to S3 is not answered as asked.
struct S3Error {
  int http = 400;
  std::string code;
  std::string message;
};

// The error document; without it for HEAD.
Response ErrorResponse(const S3Error& error, const RequestHead& head);

// In S3's words.
S3Error FromRefusal(const Refusal& refusal);
// kNotFound: there is no such key; kExists: a file is in the way of a folder or the other way
// round.
S3Error FromStatus(const Status& status);

S3Error NoSuchBucket();
S3Error InvalidArgument(std::string message);
S3Error MalformedXml(const Status& status);

// The answer with the id of its request, which clients tell when they ask for help.
Response WithRequestId(Response response, const RequestHead& head);

// An XML document as an answer.
Response XmlResponse(std::string document);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_S3_ERROR_H_
