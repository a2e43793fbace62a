#ifndef WARDEN_SAGEMAKER_OPERATIONS_NEW_JOB_H_
#define WARDEN_SAGEMAKER_OPERATIONS_NEW_JOB_H_

// From the request of CreateTrainingJob to the job's record.
//
//   if (auto error = CheckNewJob(call.body)) return std::move(*error);
//   const jobs::TrainingJob job = NewJob(call.body, call.identity, Now());
//   call.parts.store->Create(job, {call.identity.access_key, call.invocation_id});

#include <optional>
#include <string>

#include "warden/auth/authenticator.h"
#include "warden/jobs/record/job.h"
#include "warden/sagemaker/model/api_error.h"

namespace warden::sagemaker::operations {

// Checks what the model of CreateTrainingJob cannot express: members that exclude or need each
// other, unique names, rules that exist. Nothing: it is fine. Does not look at files; the launcher
// does (Launcher::Check).
std::optional<ApiError> CheckNewJob(const Json& body);

// Returns the job that the request asks for, in status Starting, with all defaults that Describe
// shows. Names of rule jobs have a random part: a second call makes other ones. REQUIRES:
// CheckNewJob(body) found nothing. Stores nothing.
jobs::TrainingJob NewJob(const Json& body, const auth::Identity& identity, Time now);

// Adds a warning to the message of the job's status, which Describe has and the SDK prints. The
// message stays below the API's limit.
void WarnOf(const std::string& what, jobs::TrainingJob* job);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_NEW_JOB_H_
