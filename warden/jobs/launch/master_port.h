#ifndef WARDEN_JOBS_LAUNCH_MASTER_PORT_H_
#define WARDEN_JOBS_LAUNCH_MASTER_PORT_H_

#include <string>

#include "warden/base/status.h"

namespace warden::jobs {

// The port at which the hosts of a job find each other: a free one, chosen when it is first asked
// for and kept in the job's folder, so that all hosts are told the same, whoever starts them. kIo.
Result<int> MasterPort(const std::string& job_folder);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_MASTER_PORT_H_
