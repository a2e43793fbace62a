#ifndef WARDEN_JOBS_AGENT_AGENT_FOLDER_H_
#define WARDEN_JOBS_AGENT_AGENT_FOLDER_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "warden/base/status.h"

namespace warden::jobs {

// The files in an agent's folder.
struct AgentFolder {
  explicit AgentFolder(std::string folder) : root(std::move(folder)) {}

  std::string Spec() const { return root + "/spec.json"; }    // What it is to do.
  std::string State() const { return root + "/state.json"; }  // What it last said.
  std::string Output() const { return root + "/output"; }     // Of its own, for people.
  std::string Lock() const { return root + "/lock"; }         // Held as long as it lives.
  // The process that was started last; it may find that another was faster.
  std::string Started() const { return root + "/started"; }
  // The one that is at work, or has been. It stays when that ends.
  std::string Claimed() const { return root + "/claimed"; }

  std::string root;
};

// A process on this machine that cannot be taken for another one, not even after a restart of the
// machine.
struct ProcessMark {
  pid_t pid = 0;
  int64_t start = 0;
  std::string boot;

  bool IsAlive() const;
};

ProcessMark MarkOf(pid_t pid);
// Nothing if the file is not there or holds something else.
std::optional<ProcessMark> ReadMark(const std::string& path);
Status WriteMark(const std::string& path, const ProcessMark& mark);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_AGENT_AGENT_FOLDER_H_
