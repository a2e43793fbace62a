#ifndef WARDEN_SAGEMAKER_OPERATIONS_NEW_JOB_H_
#define WARDEN_SAGEMAKER_OPERATIONS_NEW_JOB_H_

#include <optional>

#include "warden/auth/authenticator.h"
#include "warden/jobs/record/job.h"
#include "warden/sagemaker/model/error.h"

namespace warden::sagemaker::operations {

// What the model of CreateTrainingJob cannot say: members that exclude or need each other.
std::optional<ApiError> CheckNewJob(const Json& body);

// The job that the request asks for, with all that Describe adds to it. REQUIRES: CheckNewJob.
jobs::TrainingJob NewJob(const Json& body, const auth::Identity& identity, Time now);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_NEW_JOB_H_
