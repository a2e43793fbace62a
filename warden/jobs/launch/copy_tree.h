#ifndef WARDEN_JOBS_LAUNCH_COPY_TREE_H_
#define WARDEN_JOBS_LAUNCH_COPY_TREE_H_

// Lists and copies files of folders that programs may write to: no link in them is followed.

#include <functional>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// Names of all regular files below a part of a folder ("" for all of it), relative to the folder,
// in no order. Empty if either does not exist. kInvalid if folders are nested more than 200 deep,
// kIo.
Result<std::vector<std::string>> FilesBelow(const std::string& folder,
                                            const std::string& part = "");

// Copies a file, sharing its blocks where the file system can: a program may change its copy. An
// existing file is replaced; folders on the way are made. Neither path may lead through a link in
// its folder. The copy is writable for its owner. kNotFound, kExists (a file is in the way of a
// folder), kIo.
Status CopyBeneath(const std::string& from_folder, const std::string& from,
                   const std::string& to_folder, const std::string& to);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_COPY_TREE_H_
