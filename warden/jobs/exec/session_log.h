#ifndef WARDEN_JOBS_EXEC_SESSION_LOG_H_
#define WARDEN_JOBS_EXEC_SESSION_LOG_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Adds a line to a log (logs/log_file.h) that another process is writing. Control characters in it
// become '?': it is one line, whatever it holds. kIo.
Status AddToLog(const std::string& folder, std::string_view line, Time now);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_SESSION_LOG_H_
