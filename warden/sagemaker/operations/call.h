#ifndef WARDEN_SAGEMAKER_OPERATIONS_CALL_H_
#define WARDEN_SAGEMAKER_OPERATIONS_CALL_H_

// What all operations share: the request as they get it, and how they change a job.

#include <fmt/format.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "warden/auth/authenticator.h"
#include "warden/base/json.h"
#include "warden/sagemaker/model/api_error.h"
#include "warden/sagemaker/operations/api_parts.h"

namespace warden::sagemaker::operations {

// One request that was authorized and checked against the API's model: what is there has the right
// type, and members that were null are absent. Valid during the operation only: it refers to what
// the caller owns.
struct Call {
  const ApiParts& parts;           // All set.
  const auth::Identity& identity;  // Who asks; has the operation's scope.
  const Json& body;                // An object.
  std::string invocation_id;       // The same when a client repeats a request; may be empty.
  std::mutex* deleting = nullptr;  // Locked while a job is deleted; never null then.
};

// The response (null: an empty one), or the error.
using Outcome = std::variant<Json, ApiError>;

// Translates an error of the store: a job that does not exist is the client's mistake, everything
// else is ours. The client sees no details of ours; they are in the log.
inline ApiError StoreError(const Status& status) {
  return status.code() == Code::kNotFound ? NotFoundError() : InternalError(status);
}

// "The request was rejected because the training job is in status Stopped.": for operations that a
// job's status does not allow. kind: "training" or "processing".
inline ApiError WrongStatus(std::string_view kind, std::string_view status) {
  return ValidationError(
      fmt::format("The request was rejected because the {} job is in status {}.", kind, status));
}

// Changes a job of the store. change(TrainingJob*) returns an ApiError if the client is at fault;
// then nothing is stored. It runs under the store's lock (JobStore::Change). Returns the changed
// job. Wake the supervisor afterwards:
//
//   auto changed = ChangeJob(call, name, [](jobs::TrainingJob* job) { return Apply(job); });
//   if (auto* error = std::get_if<ApiError>(&changed)) return std::move(*error);
//   call.parts.supervisor->Wake(name);
template <class Change>
std::variant<jobs::TrainingJob, ApiError> ChangeJob(const Call& call, const std::string& name,
                                                    Change change) {
  std::optional<ApiError> refused;
  auto changed = call.parts.store->Change(name, [&](jobs::TrainingJob* job) {
    refused = change(job);
    return refused ? Status(Code::kInvalid, refused->message) : Status();
  });
  if (refused) return std::move(*refused);
  if (!changed.ok()) return StoreError(changed.status());
  return std::move(changed).value();
}

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_CALL_H_
