#ifndef WARDEN_OS_PRIVATE_FOLDER_H_
#define WARDEN_OS_PRIVATE_FOLDER_H_

#include <string>

#include "warden/base/status.h"

namespace warden::os {

// Makes a folder that only this user may enter, or takes one that is there: its mode becomes 0700.
// Folders above it are made as usual. For folders in a place where everybody may write, such as the
// temporary folder: kIo, and nothing is changed, if another user has put a link or a folder there.
// Safe for many threads.
Status MakePrivateFolder(const std::string& path);

}  // namespace warden::os

#endif  // WARDEN_OS_PRIVATE_FOLDER_H_
