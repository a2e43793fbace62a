#ifndef WARDEN_JOBS_RECORD_DESCRIPTION_H_
#define WARDEN_JOBS_RECORD_DESCRIPTION_H_

#include "warden/base/json.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// The API tells times in seconds, events in milliseconds; the rest of a description is the same.
using TimeForm = Json (*)(Time);

// Members of DescribeTrainingJob.
Json TrainingJobMembers(const TrainingJob& job, TimeForm time_form);
// Members of DescribeProcessingJob.
Json RuleJobMembers(const TrainingJob& job, const RuleJob& rule, TimeForm time_form);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RECORD_DESCRIPTION_H_
