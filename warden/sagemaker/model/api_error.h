#ifndef WARDEN_SAGEMAKER_MODEL_API_ERROR_H_
#define WARDEN_SAGEMAKER_MODEL_API_ERROR_H_

// Errors of the API and how they are sent. Used by all operations.

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::sagemaker {

// What a client gets when a request is not done. Clients match on code and message, so both are
// Amazon's where Amazon has such an error.
struct ApiError {
  std::string code;     // "ValidationException", "ResourceInUse", ...
  std::string message;  // A sentence for people.
  int http = 400;       // Status of the response.
};

// "ValidationException", 400: the request is at fault.
ApiError ValidationError(std::string message);
// "ValidationException" with "Requested resource not found.", which clients look for.
ApiError NotFoundError();
// For something inside that failed: 500 InternalFailure, or 503 for kUnavailable. The status goes
// to the log, not to the client, which could do nothing with it.
ApiError InternalError(const Status& status);

// JSON with the code in body and header, and the message under both names that clients look for.
// request_id: RequestHead::id.
http::Response ToResponse(const ApiError& error, const std::string& request_id);
// The same as XML, for clients that send forms (STS, IAM).
http::Response ToFormResponse(const ApiError& error, const std::string& request_id);
// The response of an operation, 200; null: an empty body.
http::Response ToResponse(const Json& answer, const std::string& request_id);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_API_ERROR_H_
