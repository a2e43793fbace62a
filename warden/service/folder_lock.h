#ifndef WARDEN_SERVICE_FOLDER_LOCK_H_
#define WARDEN_SERVICE_FOLDER_LOCK_H_

// The lock of a data folder. Used by DataFolder alone.

#include <memory>
#include <string>

#include "warden/base/status.h"

namespace warden::service {

// FOLDER/lock, locked for this process as long as this lives, or until the process ends, however it
// does. Contains the process ID. Move-only.
//
// The lock is one of fcntl(2), which belongs to the process. One of flock(2) would belong to all
// who have the descriptor: after kill -9, a child between fork and exec would keep the next service
// out.
class FolderLock {
 public:
  // kExists, naming the process, if another one has it, or this one has already. kIo.
  static Result<FolderLock> Take(const std::string& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

 private:
  struct Held;  // What is locked.
  explicit FolderLock(std::unique_ptr<Held> held);

  std::unique_ptr<Held> held_;  // Null only when moved from.
};

}  // namespace warden::service

#endif  // WARDEN_SERVICE_FOLDER_LOCK_H_
