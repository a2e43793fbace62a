#ifndef WARDEN_JOBS_LAUNCH_ENVIRONMENTS_H_
#define WARDEN_JOBS_LAUNCH_ENVIRONMENTS_H_

// The registry of job environments: what stands for a training image on this machine. The file is
// DATA/environments.json; docs/guide/job-environments.md describes it:
//
//   {"environments": [{"name": "torch", "images": ["*torch*"], "python": "/opt/torch/bin/python"}]}

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// One entry. Exactly one of python, command and container is set. Variables of the job override
// those here; SageMaker's own override both.
struct JobEnvironment {
  // Run in a container of this image.
  struct Container {
    std::string runtime;               // "podman" or "docker".
    std::string image;                 // Any that the runtime knows.
    std::vector<std::string> options;  // Added to its "run".
  };

  std::string name;                 // Unique.
  std::vector<std::string> images;  // Patterns as in shells; at least one.
  // A Python that runs the job's script: a path or a name in PATH.
  std::string python;
  // A program with arguments, in place of the image's entry point.
  std::vector<std::string> command;
  std::optional<Container> container;  // Runs the program in a container.
  // Set for the job, under what the job itself sets.
  std::vector<std::pair<std::string, std::string>> variables;
};

// The environments that are set up on this machine. Never changes once loaded: safe for many
// threads. Loaded once, when the service starts: a changed file needs a restart.
class Environments {
 public:
  Environments() = default;

  // Reads the file. kInvalid names the file, the entry and what is accepted; a missing file is an
  // error (kInvalid) only if it must exist, else there are no environments. Unknown members are
  // refused, so that a typo is not taken for a setting that does nothing.
  static Result<Environments> Load(const std::string& path, bool must_exist);
  // The same for a text; messages do not name a file. Malformed JSON has ParseJson's code.
  static Result<Environments> Parse(std::string_view text);

  // The first entry with a pattern that matches; null if none does. Valid as long as this.
  const JobEnvironment* Find(const std::string& image) const;
  // All patterns, for messages: "'pytorch*', 'xgboost:1.7'"; empty if there are none.
  std::string KnownImages() const;

 private:
  std::vector<JobEnvironment> all_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_ENVIRONMENTS_H_
