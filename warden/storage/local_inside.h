#ifndef WARDEN_STORAGE_LOCAL_INSIDE_H_
#define WARDEN_STORAGE_LOCAL_INSIDE_H_

#include <string>
#include <string_view>

#include "warden/os/posix.h"

namespace warden::storage {

// Opens what is in the folder of a local store, for reading. Whoever wrote a run may have left
// links in it, to a large folder or to a file of the reader's: links are followed only as long as
// they lead to something in the root. Safe for many threads.

// As open(2) of root + key with these flags and O_CLOEXEC. Empty, with errno ELOOP, if a link leads
// out of the root. The root ends in '/', and may itself be reached by links.
os::UniqueFd OpenInside(const std::string& root, std::string_view key, int flags);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_INSIDE_H_
