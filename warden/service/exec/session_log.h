#ifndef WARDEN_SERVICE_EXEC_SESSION_LOG_H_
#define WARDEN_SERVICE_EXEC_SESSION_LOG_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/service/jobs/job.h"

namespace warden::service {

// Adds a line to a log (logs/log_file.h) that another process is writing. Control characters in it
// become '?': it is one line, whatever it holds. kIo.
Status AddToLog(const std::string& folder, std::string_view line, Time now);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_EXEC_SESSION_LOG_H_
