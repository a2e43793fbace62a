#ifndef WARDEN_SERVICE_DATA_FOLDER_H_
#define WARDEN_SERVICE_DATA_FOLDER_H_

// The claim of one service on its data folder, so that two never work on the same jobs.

#include <string>
#include <utility>

#include "warden/base/status.h"
#include "warden/service/folder_lock.h"

namespace warden::service {

// Where a user's data folder is if none is given: $XDG_DATA_HOME/tensorwarden, else below
// ~/.local/share. kInvalid without a home folder.
Result<std::string> StandardDataFolder();

// The folder that a service keeps everything in, locked for it alone as long as this lives (also if
// the process is killed, the lock goes). Held by the Daemon; move-only. The lock is the kernel's,
// so nothing has to be cleaned up after a crash; on a network file system it may not hold.
class DataFolder {
 public:
  // Locks the folder; created if it is missing, and made accessible to its owner only. kExists,
  // naming the process, if another service has it. kInvalid if it belongs to another user, is not a
  // folder, or contains other files that users could no longer read: a home folder given by mistake
  // is not shut off. kIo.
  static Result<DataFolder> Hold(const std::string& path);

 private:
  explicit DataFolder(FolderLock lock) : lock_(std::move(lock)) {}

  FolderLock lock_;
};

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DATA_FOLDER_H_
