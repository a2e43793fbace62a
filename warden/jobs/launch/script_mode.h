#ifndef WARDEN_JOBS_LAUNCH_SCRIPT_MODE_H_
#define WARDEN_JOBS_LAUNCH_SCRIPT_MODE_H_

// Jobs that bring their program along, as the SageMaker SDK submits them.

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/extract.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// A job in script mode names a program of the user's (hyperparameter sagemaker_program) and where
// its folder is (sagemaker_submit_directory) instead of having it in its image.
struct Script {
  std::string program;    // Relative to the folder; absolute if there is none.
  std::string directory;  // s3://, file:// or a path: an archive or a folder. Empty: none.
};

// Empty program: the job is not in script mode. kInvalid: a directory without a program, or a
// program outside of it.
Result<Script> ScriptOf(const TrainingJob& job);
// Whether all of it is where the job says. kInvalid says what is missing. objects: the folder of
// all buckets.
Status CheckScript(const Script& script, const std::string& objects);
// Copies or extracts its folder to code, which exists. kInvalid or kNotFound for what is missing,
// kInvalid for an archive that exceeds the limits, kCorrupt for a damaged one, kIo.
Status FetchScript(const Script& script, const std::string& objects, const std::string& code,
                   const ExtractLimits& limits = {});

// The command that runs it: "train.py" by python, "train.R" by Rscript, anything else directly, or
// by the shell if it is not executable. REQUIRES: FetchScript has run: it looks at the file.
std::vector<std::string> WordsOf(const Script& script, const std::vector<std::string>& python,
                                 const HostLayout& layout,
                                 const std::vector<std::string>& arguments);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_SCRIPT_MODE_H_
