#ifndef WARDEN_JOBS_LAUNCH_FAILURE_TEXT_H_
#define WARDEN_JOBS_LAUNCH_FAILURE_TEXT_H_

// The reason of a failed training, for FailureReason of the API. Used by the host agent.

#include <string>
#include <string_view>

namespace warden::jobs {

// Returns why a program failed, in at most 1,024 bytes of valid UTF-8: the beginning of its failure
// file (/opt/ml/output/failure) if there is something in it, or else the last 10 lines of its
// output. tail: the end of the output, any bytes. Never waits for a pipe that a program may have
// left in place of the file, nor follows a link in place of the file or its folder. REQUIRES: the
// folder of that folder is not the program's to change.
std::string FailureText(const std::string& failure_file, std::string_view tail);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_FAILURE_TEXT_H_
