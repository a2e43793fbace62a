#ifndef WARDEN_OS_BOX_H_
#define WARDEN_OS_BOX_H_

// Runs a program that nobody has to trust in its own Linux namespaces: it sees its own processes
// alone, the files of this machine read-only, and in place of some folders what it is shown there.
// The file systems of the machine are not changed. Used for training jobs.
//
//   os::Box box;
//   box.hidden = {"/srv/data"};
//   box.shown = {{"/srv/data/jobs/a/tmp", "/tmp", "", true}};
//   return os::RunInBox(box, std::move(program));

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/os/posix.h"
#include "warden/os/program.h"

namespace warden::os {

// What a program gets to see, and who it is.
struct Box {
  // Something of this machine at a place in the box.
  struct Shown {
    std::string from;     // A folder or a file that exists.
    std::string to;       // Absolute. Made where it is missing, inside of hidden or shown folders.
    std::string beneath;  // Not empty: a folder above `from`, from which no link is followed.
    bool writable = false;  // Otherwise nobody can write to it from the box.
    bool optional = false;  // Nothing is shown if `from` does not exist.
  };

  // Folders and files that are empty in the box. Those that do not exist are skipped.
  std::vector<std::string> hidden;
  // A place in a hidden folder is shown in spite of it, and one in a shown folder may be hidden.
  std::vector<Shown> shown;
  bool without_root = false;  // Made by a user namespace: BoxSupport::kWithoutRoot.
  std::optional<uid_t> user;  // Who the program becomes, user and group; needs root.
  std::string host_name;      // Empty: that of this machine.
  bool network = true;        // Otherwise it can only reach itself, at 127.0.0.1.
  uint64_t processes = 0;     // At most so many processes and threads of its user; 0: no limit.
};

// Whether this process can make boxes.
enum class BoxSupport : uint8_t {
  kNone,         // The system does not allow it.
  kWithoutRoot,  // By a user namespace: the program stays the user that we are.
  kAsRoot,       // The program can become any user.
};
struct BoxProbe {
  BoxSupport support = BoxSupport::kNone;
  std::string reason;  // Of kNone, for people: "unshare: Operation not permitted".
};
// Finds out by making one, which takes some milliseconds. For any thread.
BoxProbe ProbeBox();

// Runs the program in the box to its end, and everything that it started, and then ends this
// process as the program ended: with its exit code, or by its signal. SIGTERM, SIGINT and SIGHUP
// are passed on to the program's process group. If this process is killed, so is all of the box.
// What goes wrong is written to standard error, and the exit code is 1 then.
//
// REQUIRES: this process has one thread. program.group and last_steps are set here.
[[noreturn]] void RunInBox(const Box& box, Program program);

// The namespaces of a process that called RunInBox, for a program that is to join it.
class BoxEntrance {
 public:
  // kNotFound if there is no such process, or it has no box; kIo.
  static Result<BoxEntrance> Of(pid_t pid);
  // Takes this process, which has one thread, and its children to be into the box. False: see
  // errno. Async-signal-safe.
  bool Enter() const;

 private:
  std::vector<UniqueFd> spaces_;  // In the order of entering.
};

// Becomes the user, if one is given, and gives up all privileges for good: no capability, no
// program that grants any. Returns 0 or an errno. Async-signal-safe, for Program::last_steps.
int GiveUpPrivileges(std::optional<uid_t> user);

}  // namespace warden::os

#endif  // WARDEN_OS_BOX_H_
