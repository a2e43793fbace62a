#ifndef WARDEN_JOBS_DB_JOB_COPIES_H_
#define WARDEN_JOBS_DB_JOB_COPIES_H_

// Copies of jobs' records in the folders of the jobs. A database that was damaged or deleted is
// rebuilt from them (`warden serve --recover`).

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Writes the record of a job to record.json in its folder, which is created if it is missing. The
// file is readable by its owner alone. kIo.
Status KeepCopy(const std::string& job_folder, const TrainingJob& job);

// How many folders below this one have a copy.
size_t CountCopies(const std::string& jobs_folder);

// What RecoverJobs did.
struct Recovery {
  size_t jobs = 0;                   // Added to the database.
  std::vector<std::string> skipped;  // Names of folders whose copy is missing or invalid.
  std::string damaged;               // Where the damaged database is now; empty: it was fine.
};
// Adds all jobs that have a copy to the database, unless it has one of that name. A database that
// is damaged is renamed before, and a new one is created. No service may be using it. Cursors of
// receivers and older events are not recovered. kIo.
Result<Recovery> RecoverJobs(const std::string& database, const std::string& jobs_folder);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_DB_JOB_COPIES_H_
