#ifndef WARDEN_OS_WHOLE_FILE_H_
#define WARDEN_OS_WHOLE_FILE_H_

// Reads files that are small enough to be held in memory, for callers to whom a file that is
// missing and one that cannot be read are the same. Who must tell why it failed uses posix.h; runs
// are read through warden/storage. For any thread.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warden::os {

// All that is in a file, which is to fit into memory; nothing if it is not there, is a folder, or
// goes away while it is read, as files below /proc do. (The standard library's streams throw then.)
// Follows links, and waits for a pipe: for paths that we chose ourselves.
std::optional<std::string> ReadWholeFile(const std::string& path);

// As above, of a file that somebody else may have put there: nothing if it is not a regular file (a
// pipe has no end, and a link may lead anywhere) or has more than `most` bytes. A file that grows
// meanwhile is read up to its new end, and refused if that is past `most`.
std::optional<std::string> ReadPlainFile(const std::string& path, size_t most);

// As above, of a key in a folder that somebody else wrote: a link on the way, which may be one of
// the folders in the key, is followed if it leads to something in the folder (open_inside.h). The
// folder itself may be reached by links.
std::optional<std::string> ReadPlainFileInside(const std::string& folder, std::string_view key,
                                               size_t most);

}  // namespace warden::os

#endif  // WARDEN_OS_WHOLE_FILE_H_
