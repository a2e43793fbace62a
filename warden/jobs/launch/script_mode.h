#ifndef WARDEN_JOBS_LAUNCH_SCRIPT_MODE_H_
#define WARDEN_JOBS_LAUNCH_SCRIPT_MODE_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// A job in script mode names a program of the user's (sagemaker_program) and where its folder is
// (sagemaker_submit_directory), as the SageMaker SDK does, instead of having it in its image.
struct Script {
  std::string program;    // In the folder; from the root if there is no folder.
  std::string directory;  // s3://, file:// or a path: an archive or a folder. Empty: none.
};

// Empty program: the job is not in script mode. kInvalid if it is, but not rightly.
Result<Script> ScriptOf(const TrainingJob& job);
// Whether all of it is where the job says. kInvalid says what is not.
Status CheckScript(const Script& script, const std::string& objects);
// Brings its folder to code. kInvalid or kNotFound for what is not there, kCorrupt for a damaged
// archive, kIo.
Status FetchScript(const Script& script, const std::string& objects, const std::string& code);

// The words that run it: "train.py" by python, anything else as a program of its own, by the shell
// unless it can be executed.
std::vector<std::string> WordsOf(const Script& script, const std::vector<std::string>& python,
                                 const std::string& code,
                                 const std::vector<std::string>& arguments);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_SCRIPT_MODE_H_
