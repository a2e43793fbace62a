#ifndef WARDEN_BASE_WHOLE_FILE_H_
#define WARDEN_BASE_WHOLE_FILE_H_

#include <optional>
#include <string>

namespace warden {

// All that is in a file, which is to fit into memory; nothing if it is not there, is a folder, or
// goes away while it is read, as files below /proc do. (The standard library's streams throw then.)
std::optional<std::string> ReadWholeFile(const std::string& path);

}  // namespace warden

#endif  // WARDEN_BASE_WHOLE_FILE_H_
