#ifndef WARDEN_JOBS_AGENT_AGENT_FOLDER_H_
#define WARDEN_JOBS_AGENT_AGENT_FOLDER_H_

// The files in an agent's folder, and how a process is identified there. Used by both sides of
// agent.h; others use agent.h.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "warden/base/status.h"

namespace warden::jobs {

// Paths of the files in an agent's folder. Everything that is known of an agent is here, so that a
// service that was restarted, or another program, can find out what became of it.
struct AgentFolder {
  explicit AgentFolder(std::string folder) : root(std::move(folder)) {}

  std::string Spec() const { return root + "/spec.json"; }    // What it is to do; mode 0600.
  std::string State() const { return root + "/state.json"; }  // What it reported last.
  std::string Output() const { return root + "/output"; }     // Its messages, for people.
  std::string Lock() const { return root + "/lock"; }         // Locked as long as it lives.
  // The process that was started last; it may find that another was faster.
  std::string Started() const { return root + "/started"; }
  // The process that is at work, or has been. The file stays when that ends.
  std::string Claimed() const { return root + "/claimed"; }

  std::string root;  // The folder.
};

// A process on this machine that cannot be mistaken for another one with the same number, not even
// after a restart of the machine. In the files "started" and "claimed":
//
//   {"pid": 1234, "start": 5678901, "boot": "6f3c5e1e-..."}
//
// The number, the start and the boot together: numbers are reused, and starts count from the boot.
struct ProcessMark {
  pid_t pid = 0;      // Never 0 or negative for a living process.
  int64_t start = 0;  // When it began, in the kernel's count; 0: it had ended.
  std::string boot;   // The boot ID of the machine.

  // Whether this very process exists.
  bool IsAlive() const;

  friend bool operator==(const ProcessMark&, const ProcessMark&) = default;
};

// The mark of a process that exists now.
ProcessMark MarkOf(pid_t pid);
// Nothing if the file does not exist or contains something else.
std::optional<ProcessMark> ReadMark(const std::string& path);
// Replaces the file in one step. kIo. Readable for its owner alone.
Status WriteMark(const std::string& path, const ProcessMark& mark);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_AGENT_AGENT_FOLDER_H_
