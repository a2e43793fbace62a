#ifndef WARDEN_SERVICE_JOBS_DESCRIPTION_H_
#define WARDEN_SERVICE_JOBS_DESCRIPTION_H_

#include "warden/base/json.h"
#include "warden/service/jobs/job.h"

namespace warden::service {

// The API tells times in seconds, events in milliseconds; the rest of a description is the same.
using TimeForm = Json (*)(Time);

// Members of DescribeTrainingJob.
Json TrainingJobMembers(const TrainingJob& job, TimeForm time_form);
// Members of DescribeProcessingJob.
Json RuleJobMembers(const TrainingJob& job, const RuleJob& rule, TimeForm time_form);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_JOBS_DESCRIPTION_H_
