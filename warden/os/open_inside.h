#ifndef WARDEN_OS_OPEN_INSIDE_H_
#define WARDEN_OS_OPEN_INSIDE_H_

#include <string>
#include <string_view>

#include "warden/os/posix.h"

namespace warden::os {

// Opens what is in the folder of a run, for reading. Used by the local store and by the readers of
// profiles. Whoever wrote a run may have left links in it, to a large folder or to a file of the
// reader's: links are followed only as long as they lead to something in the root. (For folders in
// which no link is to be followed there is open_beneath.h.) Safe for many threads.

// As open(2) of root + key with these flags and O_CLOEXEC. Empty, with errno ELOOP, if a link leads
// out of the root. The root ends in '/', or is empty for the current folder, and may itself be
// reached by links. Give O_NONBLOCK where the key may name a FIFO.
UniqueFd OpenInside(const std::string& root, std::string_view key, int flags);

}  // namespace warden::os

#endif  // WARDEN_OS_OPEN_INSIDE_H_
