#ifndef WARDEN_JOBS_EXEC_SESSION_LOG_H_
#define WARDEN_JOBS_EXEC_SESSION_LOG_H_

// The record of remote debugging, in the same log as the program's output, so that it cannot be
// overlooked there.

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Adds a line to a log (jobs/logs/log_file.h) that another process is writing; the folder is
// created if it is missing. Control characters become '?', so it is one line, whatever it contains.
// Locks the file for a moment; safe for many threads and processes. kIo.
Status AddToLog(const std::string& folder, std::string_view line, Time now);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_SESSION_LOG_H_
