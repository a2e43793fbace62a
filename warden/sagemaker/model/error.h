#ifndef WARDEN_SAGEMAKER_MODEL_ERROR_H_
#define WARDEN_SAGEMAKER_MODEL_ERROR_H_

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::sagemaker {

// What a client is told when a request is not done. The codes are the API's.
struct ApiError {
  std::string code;
  std::string message;
  int http = 400;
};

ApiError ValidationError(std::string message);
// "Requested resource not found.", which clients look for.
ApiError NotFoundError();
// Of something inside that failed. What it was goes to the log: a client can do nothing with it.
ApiError InternalError(const Status& status);

// JSON with the code in body and header, and the message under both names that clients look for.
http::Response ToResponse(const ApiError& error, const std::string& request_id);
// The same for those who send forms: XML.
http::Response ToFormResponse(const ApiError& error, const std::string& request_id);
// The answer of an operation; null: one that answers nothing.
http::Response ToResponse(const Json& answer, const std::string& request_id);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_ERROR_H_
