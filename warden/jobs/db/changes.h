#ifndef WARDEN_JOBS_DB_CHANGES_H_
#define WARDEN_JOBS_DB_CHANGES_H_

// Which changes of a job are events. Used by the store, which keeps both in one transaction.

#include <string>
#include <vector>

#include "warden/jobs/record/job.h"

namespace warden::jobs::db {

// Returns the events of a change: one for the job if its status, its current transition, a rule's
// status or profiling is different, one for each rule whose own status is different or whose
// process was started, and one for each new incident. Each is one line of JSON (record/describe.h).
// Empty: nothing that others are notified of.
std::vector<std::string> EventsOfChange(const TrainingJob& before, const TrainingJob& after,
                                        Time now);
// Returns the event of a new job.
std::vector<std::string> EventsOfCreation(const TrainingJob& job, Time now);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_CHANGES_H_
