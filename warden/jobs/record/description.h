#ifndef WARDEN_JOBS_RECORD_DESCRIPTION_H_
#define WARDEN_JOBS_RECORD_DESCRIPTION_H_

// What descriptions and events have in common. Between the files of this folder only; others use
// describe.h.

#include "warden/base/json.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// How a time is written: the API has seconds, events have milliseconds; the rest is the same.
using TimeForm = Json (*)(Time);

// The members of DescribeTrainingJob: those of the request, and what became of the job.
Json TrainingJobMembers(const TrainingJob& job, TimeForm time_form);
// The members of DescribeProcessingJob for a rule of the job.
Json RuleJobMembers(const TrainingJob& job, const RuleJob& rule, TimeForm time_form);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_RECORD_DESCRIPTION_H_
