#ifndef WARDEN_OS_REPLACE_FILE_H_
#define WARDEN_OS_REPLACE_FILE_H_

// Small files that are replaced as a whole: states of agents, records of jobs, ports. (Files of a
// run are written through warden/storage.)

#include <sys/types.h>

#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::os {

// Writes a file whole: whoever opens it finds what was there before or all of the text, also after
// a crash of the machine. The text goes to a new file "PATH.PID-N.tmp" in the same folder, which is
// flushed to the disk and renamed.
//
// mode: of the new file, less the umask, such as 0600; that of the file before does not matter. A
// link at `path` is replaced, not followed. The folder must exist. kIo if it cannot be written
// (disk full, no permission, no such folder); the file is then as it was and no draft is left.
// kInvalid if the name is too long.
//
// For any thread and process. Of several at once for the same path the last one wins.
Status ReplaceFile(const std::string& path, std::string_view text, mode_t mode);

// The same for a name in an open folder, so that no link on the way to it is followed that somebody
// has put there since (open_beneath.h). The mode is taken as it is, whatever the umask.
Status ReplaceFileIn(int folder, const std::string& name, std::string_view text, mode_t mode);

}  // namespace warden::os

#endif  // WARDEN_OS_REPLACE_FILE_H_
