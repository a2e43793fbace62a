#ifndef WARDEN_JOBS_LAUNCH_COPY_TREE_H_
#define WARDEN_JOBS_LAUNCH_COPY_TREE_H_

#include <functional>
#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// Names of all regular files below a part of a folder ("" for all of it), relative to the folder,
// in no order. Links in it are not followed. What is not there has none. kInvalid if folders are
// nested absurdly deep, kIo.
Result<std::vector<std::string>> FilesBelow(const std::string& folder,
                                            const std::string& part = "");

// Copies a file, sharing its blocks where the file system can: a program may change its copy. The
// folders on the way are made; neither path may lead over a link in its folder. kNotFound, kIo.
Status CopyBeneath(const std::string& from_folder, const std::string& from,
                   const std::string& to_folder, const std::string& to);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_COPY_TREE_H_
