#ifndef WARDEN_JOBS_LAUNCH_EXTRACT_H_
#define WARDEN_JOBS_LAUNCH_EXTRACT_H_

#include <cstdint>
#include <string>

#include "warden/base/status.h"

namespace warden::jobs {

// What an archive may grow to.
struct ExtractLimits {
  uint64_t bytes = uint64_t{16} << 30;
  uint64_t entries = 200'000;
};

// Takes a tar archive, compressed by gzip or not, apart into a folder that exists. Files, folders
// and links inside are made with the owner's permissions; nothing is written outside the folder,
// whatever the archive says.
//
// Own code instead of tar(1): that trusts names and links unless told otherwise, differs from
// machine to machine, and knows no limits.
//
// kInvalid for an archive that wants something else (absolute paths, "..", links that lead out,
// devices) or exceeds the limits, kCorrupt if it is damaged, kNotFound, kIo. Something may be left
// in the folder then.
Status ExtractTar(const std::string& archive, const std::string& folder,
                  const ExtractLimits& limits = {});

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_EXTRACT_H_
