#ifndef WARDEN_JOBS_LAUNCH_FAILURE_TEXT_H_
#define WARDEN_JOBS_LAUNCH_FAILURE_TEXT_H_

#include <string>
#include <string_view>

namespace warden::jobs {

// Why a program failed, in at most 1024 bytes of valid UTF-8: what it has left in its failure file,
// or else the last lines of its output.
std::string FailureText(const std::string& failure_file, std::string_view tail);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_FAILURE_TEXT_H_
