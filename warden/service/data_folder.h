#ifndef WARDEN_SERVICE_DATA_FOLDER_H_
#define WARDEN_SERVICE_DATA_FOLDER_H_

#include <string>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::service {

// The folder that a service keeps everything in, held for it alone as long as this lives.
class DataFolder {
 public:
  // Made if it is not there; nobody but its owner gets in. kExists, naming the process, if another
  // service has it; kInvalid if it belongs to somebody else, or holds files of others that it would
  // be shut for; kIo.
  static Result<DataFolder> Hold(const std::string& path);

 private:
  explicit DataFolder(os::UniqueFd lock) : lock_(std::move(lock)) {}

  os::UniqueFd lock_;
};

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DATA_FOLDER_H_
