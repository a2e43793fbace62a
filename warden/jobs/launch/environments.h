#ifndef WARDEN_JOBS_LAUNCH_ENVIRONMENTS_H_
#define WARDEN_JOBS_LAUNCH_ENVIRONMENTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// What stands for a training image on this machine. docs/guide/job-environments.md has the format.
struct JobEnvironment {
  struct Container {
    std::string runtime;  // "podman" or "docker".
    std::string image;
    std::vector<std::string> options;  // Of its "run".
  };

  std::string name;
  std::vector<std::string> images;  // Patterns, as shells have them.
  // One of the three.
  std::string python;
  std::vector<std::string> command;
  std::optional<Container> container;
  std::vector<std::pair<std::string, std::string>> variables;
};

// The environments that somebody has set up here.
class Environments {
 public:
  Environments() = default;

  // kInvalid names the file, the entry and what is accepted. A file that is not there is an error
  // only if it must exist.
  static Result<Environments> Load(const std::string& path, bool must_exist);
  static Result<Environments> Parse(std::string_view text);

  // The first that fits; null if none does.
  const JobEnvironment* Find(const std::string& image) const;
  // All patterns, for messages: "'pytorch*', 'xgboost:1.7'"; empty if there are none.
  std::string KnownImages() const;

 private:
  std::vector<JobEnvironment> all_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_ENVIRONMENTS_H_
