#ifndef WARDEN_OS_OPEN_BENEATH_H_
#define WARDEN_OS_OPEN_BENEATH_H_

// Opens paths inside a folder that untrusted programs write to, without leaving it. Used by the
// embedded S3, by the launcher of jobs, for their metrics, and by the dashboard for reports.

#include <dirent.h>
#include <fcntl.h>

#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::os {

// Programs of jobs write into buckets and may leave links there. Nothing here follows one: each
// part of a path is opened by itself, in the folder before it, with O_NOFOLLOW. A link that is put
// into the place of a folder between two calls is therefore refused too.
//
// `folder` is an open descriptor of a folder, which stays the caller's. A path is relative, with
// '/' between its parts. ".." is not treated in a special way: REQUIRES that the caller has refused
// it. For any thread. Errors other than those named are kIo.
inline constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};
using OpenedFolder = std::unique_ptr<DIR, CloseFolder>;

// A folder below another; path "" is the folder itself. kNotFound also if a file or a link is
// there.
Result<UniqueFd> OpenFolderBeneath(int folder, std::string_view path);
// The same, made where it is not there. kExists if a file or a link is in the way. New folders have
// mode 0777, less the umask. What was made before an error stays.
Result<UniqueFd> MakeFolderBeneath(int folder, std::string_view path);
// A folder for reading its names. The stream has its own descriptor and starts at the first name;
// "." and ".." are among the names. Errors as OpenFolderBeneath.
Result<OpenedFolder> ReadFolderBeneath(int folder, std::string_view path);
// A regular file, for reading. kNotFound if it is anything else; never waits for it. The descriptor
// is non-blocking, which regular files ignore.
Result<UniqueFd> OpenFileBeneath(int folder, std::string_view path);

// Removes a folder and those in it, if there is no file among them. False: something is left.
// `name` is one name in the folder. Folders may be up to 100 deep. It stops at the first thing that
// is not a folder, so that some empty folders may be gone although false is returned.
bool RemoveEmptyFolders(int folder, const std::string& name);

// "a/b" and "c" of "a/b/c"; "" and "c" of "c". Views into the path.
std::pair<std::string_view, std::string_view> SplitLast(std::string_view path);

}  // namespace warden::os

#endif  // WARDEN_OS_OPEN_BENEATH_H_
