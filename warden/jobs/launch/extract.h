#ifndef WARDEN_JOBS_LAUNCH_EXTRACT_H_
#define WARDEN_JOBS_LAUNCH_EXTRACT_H_

// Unpacks archives that users submit as code. Treated as hostile: they come over the network.

#include <cstdint>
#include <string>

#include "warden/base/status.h"

namespace warden::jobs {

// What an archive may grow to.
struct ExtractLimits {
  uint64_t bytes = uint64_t{16} << 30;  // Of all files together.
  uint64_t entries = 200'000;           // Files, folders and links.
};

// Extracts a tar archive, compressed by gzip or not, into a folder that exists. Files, folders and
// links are made with the owner's permissions; nothing is written outside the folder, whatever the
// archive says. Hard links become copies. Of two entries of one name the later counts.
//
// Our own code instead of tar(1): that trusts names and links unless told otherwise, differs from
// machine to machine, and has no limits. libarchive does not tell what we must refuse: it cuts
// names at a zero byte, takes entries of unknown types for files, rewrites names by the locale, and
// does not count attributes.
//
// kInvalid for an archive that asks for anything else (absolute paths, "..", links that lead out or
// have ".." after a name, devices) or exceeds the limits, kCorrupt if it is damaged, kNotFound,
// kIo. Something may be left in the folder then.
Status ExtractTar(const std::string& archive, const std::string& folder,
                  const ExtractLimits& limits = {});

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_EXTRACT_H_
