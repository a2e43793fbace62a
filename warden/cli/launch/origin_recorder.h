#ifndef WARDEN_CLI_LAUNCH_ORIGIN_RECORDER_H_
#define WARDEN_CLI_LAUNCH_ORIGIN_RECORDER_H_

// Records what a run was made with (trial/run_origin.h), beside the training.

#include <string>
#include <thread>
#include <vector>

#include "warden/base/json_fwd.h"

namespace warden::cli {

// The variables of an environment ("NAME=value") as the run's record has them: {"values", "names"}.
// Values are those of variables that change what a training does, with secrets masked; all
// others are recorded by name only.
Json EnvironmentFacts(const std::vector<std::string>& environment);

// Commit, branch and changes of the folder's git repository: {"commit", "branch", "dirty", "diff",
// "diff_cut"}. Null if git or the repository is missing, or does not answer within 15 seconds. At
// most 256 KiB of the diff are kept.
Json GitFacts(const std::string& folder);

// {"version", "program", "packages"} of the Python that runs this program: an interpreter, or a
// script that names one in its first line. Null for all others.
Json PythonFacts(const std::string& program);

// {"host", "system", "cpu", "cores", "memory", "gpus"}.
Json MachineFacts();

// Gathers all of it on its own thread and writes it into the run's folder: at once what is cheap,
// within seconds the rest. What fails is left out. Start it after the training: its thread must not
// be there when the training is forked.
class OriginRecorder {
 public:
  void Start(std::string run, std::vector<std::string> words, std::string program);
  // Waits for what is being gathered: some seconds at most.
  void Finish();

 private:
  std::jthread worker_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_ORIGIN_RECORDER_H_
