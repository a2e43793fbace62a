#ifndef WARDEN_JOBS_DB_CHANGES_H_
#define WARDEN_JOBS_DB_CHANGES_H_

#include <string>
#include <vector>

#include "warden/jobs/record/job.h"

namespace warden::jobs::db {

// The events that tell what became of a job: one for the job if its status, its present transition,
// a rule's status or profiling is not what it was, and one for each rule whose own status is not.
// Each is one line of JSON.
std::vector<std::string> EventsOfChange(const TrainingJob& before, const TrainingJob& after,
                                        Time now);
// That there is a new one.
std::vector<std::string> EventsOfCreation(const TrainingJob& job, Time now);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_CHANGES_H_
