#ifndef WARDEN_STORAGE_SPOOL_SPOOL_SETTINGS_H_
#define WARDEN_STORAGE_SPOOL_SPOOL_SETTINGS_H_

#include <cstdint>
#include <map>
#include <string>

#include "warden/base/status.h"

namespace warden::storage::spool {

// Where files wait for S3, and how many.
struct Settings {
  std::string folder;       // Absolute. Made when it is first used.
  uint64_t most_bytes = 0;  // Of all runs that wait there.
};

// $WARDEN_S3_SPOOL, else tensorwarden/spool in $XDG_CACHE_HOME or ~/.cache; of
// $WARDEN_S3_SPOOL_MB, else 50 GB, and never more than the disk has room for, but for a tenth of
// it. kInvalid names a variable that is not accepted or missing.
Result<Settings> ReadSettings();

// The variables of this process that say where an S3 server is and how it is spoken to, by name.
// Whoever sends the files later needs them; keys are not among them, as they would lie on the disk.
std::map<std::string, std::string> ServerVariables();
// Whether a variable is one of those.
bool IsServerVariable(const std::string& name);

// What the files below a folder take.
uint64_t BytesIn(const std::string& folder);

}  // namespace warden::storage::spool

#endif  // WARDEN_STORAGE_SPOOL_SPOOL_SETTINGS_H_
