#ifndef WARDEN_CLI_LAUNCH_FIND_PROGRAM_H_
#define WARDEN_CLI_LAUNCH_FIND_PROGRAM_H_

// Which program a word of the command line means. `warden run` looks before it starts anything, so
// that a typo is reported at once, in the words of a shell.

#include <string>

#include "warden/base/status.h"

namespace warden::cli {

// The file that a shell would execute for this word: by PATH, unless there is a '/' in it.
// kNotFound if there is none, kIo if it is not executable. Without PATH, /bin and /usr/bin are
// searched; an empty part of it is the current folder. The result has no '/' added to an absolute
// or relative path that was given. A folder, or a file without the permission, counts as not
// executable; a later match in PATH wins over it.
Result<std::string> FindProgram(const std::string& word);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_FIND_PROGRAM_H_
