#ifndef WARDEN_JOBS_DB_JOB_ROWS_H_
#define WARDEN_JOBS_DB_JOB_ROWS_H_

// How jobs are written in the database.

#include <chrono>
#include <cstdint>
#include <string>

#include "warden/jobs/record/job.h"

namespace warden::jobs::db {

// How long JobStore::MadeBy knows which request created a job.
inline constexpr std::chrono::minutes kInvocationsKept{15};

// A time as columns have it: milliseconds since 1970.
inline int64_t Milliseconds(Time time) { return time.time_since_epoch().count(); }

// A job as the column "document" has it, and back. kCorrupt names the job.
std::string DocumentOf(const TrainingJob& job);
Result<TrainingJob> JobOf(const std::string& name, const std::string& document);

// Whether something of it may still change: the job or one of its rules is not over.
bool IsUnfinished(const TrainingJob& job);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_JOB_ROWS_H_
