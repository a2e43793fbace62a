#ifndef WARDEN_OS_WHOLE_FILE_H_
#define WARDEN_OS_WHOLE_FILE_H_

#include <cstddef>
#include <optional>
#include <string>

namespace warden::os {

// All that is in a file, which is to fit into memory; nothing if it is not there, is a folder, or
// goes away while it is read, as files below /proc do. (The standard library's streams throw then.)
std::optional<std::string> ReadWholeFile(const std::string& path);

// As above, of a file that somebody else may have put there: nothing if it is not a regular file (a
// pipe has no end, and a link may lead anywhere) or has more than `most` bytes.
std::optional<std::string> ReadPlainFile(const std::string& path, size_t most);

}  // namespace warden::os

#endif  // WARDEN_OS_WHOLE_FILE_H_
