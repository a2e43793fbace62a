#ifndef WARDEN_JOBS_LAUNCH_JOB_USER_H_
#define WARDEN_JOBS_LAUNCH_JOB_USER_H_

// Users of jobs: numbers that nobody else on this machine has, where the service is root.

#include <sys/types.h>

#include <string>

#include "warden/base/status.h"

namespace warden::jobs {

// Returns the user of a job: the next free number of the range that /etc/subuid gives to root, or
// of one that no system uses. Chosen at the first call and kept in the job's folder; counter: the
// file that counts them. One call at a time. kIo.
Result<uid_t> UserOfJob(const std::string& job_folder, const std::string& counter);

// Makes the user the owner of a folder and of all that is in it. part: the folder's path below
// root; no link in it is followed. kNotFound if there is no such folder, or something else; kIo.
Status GiveTo(uid_t user, const std::string& root, const std::string& part);
// Lets everybody make new entries in a folder, without changing those of others. Errors as above.
Status ShareFolder(const std::string& root, const std::string& part);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_JOB_USER_H_
