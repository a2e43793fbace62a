#ifndef WARDEN_STORAGE_LOCAL_FOLDER_H_
#define WARDEN_STORAGE_LOCAL_FOLDER_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"

// Here a root ends in '/', and a folder below it is "" or a key with '/' at its end, so that
// root + folder + name is a path and folder + name a key.
namespace warden::storage {

// The names in a folder in the order of their keys: files, and folders with '/' at their end. Links
// are followed, but not back to a folder they lie in. Unfinished objects and whatever is neither
// file nor folder are left out. kNotFound if there is no such folder.
Result<std::vector<std::string>> ReadFolder(const std::string& root, const std::string& folder);

// Store::List below the root. REQUIRES: CheckPrefix(prefix) is ok.
Result<std::vector<std::string>> ListKeys(const std::string& root, std::string_view prefix,
                                          std::string_view start_after);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_FOLDER_H_
