#ifndef WARDEN_JOBS_DB_RECORDS_H_
#define WARDEN_JOBS_DB_RECORDS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "warden/jobs/record/job.h"

namespace warden::jobs::db {

// How long it is known which request made a job.
inline constexpr std::chrono::minutes kInvocationsKept{15};

// A time as columns have it: since 1970.
inline int64_t Milliseconds(Time time) { return time.time_since_epoch().count(); }

// A job as the column "document" has it. kCorrupt names the job.
std::string DocumentOf(const TrainingJob& job);
Result<TrainingJob> JobOf(const std::string& name, const std::string& document);

// Whether something of it may still change.
bool IsUnfinished(const TrainingJob& job);

}  // namespace warden::jobs::db

#endif  // WARDEN_JOBS_DB_RECORDS_H_
