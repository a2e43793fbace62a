#ifndef WARDEN_OS_OPEN_INSIDE_H_
#define WARDEN_OS_OPEN_INSIDE_H_

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/os/posix.h"

namespace warden::os {

// Opens what is in the folder of a run, for reading. Used by the local store, by the readers of
// profiles and by the dashboard. Whoever wrote a run may have left links in it, to a large folder
// or to a file of the reader's: links are followed only as long as they lead to something in the
// root. (For folders in which no link is to be followed there is open_beneath.h.) Safe for many
// threads.

// As open(2) of root + key with these flags and O_CLOEXEC. Empty, with errno ELOOP, if a link leads
// out of the root. The root ends in '/', or is empty for the current folder, and may itself be
// reached by links. Give O_NONBLOCK where the key may name a FIFO.
UniqueFd OpenInside(const std::string& root, std::string_view key, int flags);

// The same for what only looks. Here the folder is a path without '/' at its end, which may itself
// be a link; nothing is in a folder called "". key: "" is the folder itself.

// As stat(2). Nothing if there is none, or if a link on the way leads out of the folder.
std::optional<struct stat> StatInside(const std::string& folder, std::string_view key);
// Names in a folder, in no order; none if it cannot be read, as above.
std::vector<std::string> NamesInside(const std::string& folder, std::string_view key);

}  // namespace warden::os

#endif  // WARDEN_OS_OPEN_INSIDE_H_
