#ifndef WARDEN_STORAGE_LOCAL_FOLDER_H_
#define WARDEN_STORAGE_LOCAL_FOLDER_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"

// Reads folders of the local store in the order of keys, which is not that of names: a folder "a"
// has keys that begin with "a/", which sort after "a.x". Used by the local store, its watch, and
// the dashboard, which looks into single folders of a run.
// Here a root ends in '/', and a folder below it is "" or a key with '/' at its end, so that
// root + folder + name is a path and folder + name a key. Safe for many threads.
namespace warden::storage {

// The names in a folder in the order of their keys: files, and folders with '/' at their end. Links
// are followed, but neither back to a folder they lie in nor out of the root. Unfinished objects
// and whatever is neither file nor folder are left out. kNotFound if there is no such folder, or a
// link leads out of the root in its place; kIo if it cannot be read.
Result<std::vector<std::string>> ReadFolder(const std::string& root, const std::string& folder);

// Store::List below the root. Only folders that can hold a result are read: with start_after, those
// of earlier keys are skipped. A folder that is missing, or removed meanwhile, has no keys. kIo if
// one cannot be read. REQUIRES: CheckPrefix(prefix) is ok.
Result<std::vector<std::string>> ListKeys(const std::string& root, std::string_view prefix,
                                          std::string_view start_after);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_FOLDER_H_
