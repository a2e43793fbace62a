#ifndef WARDEN_SERVICE_API_OPERATIONS_NEW_JOB_H_
#define WARDEN_SERVICE_API_OPERATIONS_NEW_JOB_H_

#include <optional>

#include "warden/service/api/error.h"
#include "warden/service/auth/authenticator.h"
#include "warden/service/jobs/job.h"

namespace warden::service::operations {

// What the model of CreateTrainingJob cannot say: members that exclude or need each other.
std::optional<ApiError> CheckNewJob(const Json& body);

// The job that the request asks for, with all that Describe adds to it. REQUIRES: CheckNewJob.
TrainingJob NewJob(const Json& body, const Identity& identity, Time now);

}  // namespace warden::service::operations

#endif  // WARDEN_SERVICE_API_OPERATIONS_NEW_JOB_H_
