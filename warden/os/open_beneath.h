#ifndef WARDEN_OS_OPEN_BENEATH_H_
#define WARDEN_OS_OPEN_BENEATH_H_

#include <dirent.h>
#include <fcntl.h>

#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::os {

// Programs of jobs write into buckets and may leave links there. Nothing here follows one: each
// part of a path is opened by itself, in the folder before it.

inline constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};
using OpenedFolder = std::unique_ptr<DIR, CloseFolder>;

// A folder below another; path "" is the folder itself. kNotFound also if a file or a link is
// there.
Result<UniqueFd> OpenFolderBeneath(int folder, std::string_view path);
// The same, made where it is not there. kExists if a file or a link is in the way.
Result<UniqueFd> MakeFolderBeneath(int folder, std::string_view path);
// A folder for reading its names.
Result<OpenedFolder> ReadFolderBeneath(int folder, std::string_view path);
// A regular file, for reading. kNotFound if it is anything else; never waits for it.
Result<UniqueFd> OpenFileBeneath(int folder, std::string_view path);

// Removes a folder and those in it, if there is no file among them. False: something is left.
bool RemoveEmptyFolders(int folder, const std::string& name);

// "a/b" and "c" of "a/b/c".
std::pair<std::string_view, std::string_view> SplitLast(std::string_view path);

}  // namespace warden::os

#endif  // WARDEN_OS_OPEN_BENEATH_H_
