#ifndef WARDEN_JOBS_LAUNCH_MASTER_PORT_H_
#define WARDEN_JOBS_LAUNCH_MASTER_PORT_H_

// Rendezvous of the hosts of a job, which all run on this machine.

#include <string>

#include "warden/base/status.h"

namespace warden::jobs {

// Returns the port at which the hosts of a job find each other (MASTER_PORT of torch.distributed):
// a free one, chosen at the first call and kept in the job's folder, so that all hosts get the
// same, whichever service starts them. It is not reserved: another program may take it before the
// first host listens. Waits up to 5 s for a descriptor if the process has none left. kIo.
Result<int> MasterPort(const std::string& job_folder);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_MASTER_PORT_H_
