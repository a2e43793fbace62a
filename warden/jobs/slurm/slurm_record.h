#ifndef WARDEN_JOBS_SLURM_SLURM_RECORD_H_
#define WARDEN_JOBS_SLURM_SLURM_RECORD_H_

// What is known of a job in Slurm, in the file slurm.json of its folder, that of a training job or
// of the agent of a rule: all that a service needs to find it again.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "warden/base/status.h"

namespace warden::jobs {

// The file is written before the job is submitted, so that a service that is killed meanwhile is
// followed by one that looks for the name.
struct SlurmRecord {
  std::string name;  // Of the job in Slurm; unique.
  std::string id;    // Empty: perhaps it was not submitted.
  // When to cancel what is left after a stop, in ms since 1970; 0: never. Of a rule: when it was
  // asked to stop.
  int64_t kill_at = 0;
  // Once the job is over: hosts ("algo-1") that did not report how they ended, and why, as the API
  // words it.
  std::map<std::string, std::string> lost;
  bool timed_out = false;  // They were lost because the job's time was over.
};

std::string RecordFileOf(const std::string& folder);
// Nothing if there is none that can be read.
std::optional<SlurmRecord> ReadRecord(const std::string& job_folder);
// Replaces it in one step. kIo.
Status WriteRecord(const std::string& job_folder, const SlurmRecord& record);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SLURM_RECORD_H_
