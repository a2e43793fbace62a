#ifndef WARDEN_SAGEMAKER_OPERATIONS_CALL_H_
#define WARDEN_SAGEMAKER_OPERATIONS_CALL_H_

#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include "warden/auth/authenticator.h"
#include "warden/base/json.h"
#include "warden/sagemaker/model/error.h"
#include "warden/sagemaker/operations/api_parts.h"

namespace warden::sagemaker::operations {

// One request, checked against the API's model: what is there has the right type. Members that were
// null are not there.
struct Call {
  const ApiParts& parts;
  const auth::Identity& identity;
  const Json& body;
  std::string invocation_id;       // That the client sends again when it tries again; may be empty.
  std::mutex* deleting = nullptr;  // Held while a job is deleted: two steps, one at a time.
};

// The answer (null: an empty one), or why there is none.
using Outcome = std::variant<Json, ApiError>;

// How an error of the store is told: a job that is not there is the client's mistake.
inline ApiError StoreError(const Status& status) {
  return status.code() == Code::kNotFound ? NotFoundError() : InternalError(status);
}

// Changes a job of the store. change returns what the client did wrong, if it did; then nothing is
// kept.
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
