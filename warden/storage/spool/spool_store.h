#ifndef WARDEN_STORAGE_SPOOL_SPOOL_STORE_H_
#define WARDEN_STORAGE_SPOOL_SPOOL_STORE_H_

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/storage/store.h"

namespace warden::storage::spool {

// For those who write runs: as OpenStore, but "s3://" is a spooled run, and so is a local folder
// that belongs to one. Its store is the local folder, with two differences:
//
// - Full is not only a full disk. At 80 % of the bound a warning is logged; beyond it, Create is
//   kIo. Objects without a folder, which mark the state of the run, can always be written.
// - A process that sends the files runs beside it, and is started again if it was killed.
//
// *place becomes the local folder. Never waits for the network.
Result<std::unique_ptr<Store>> OpenOutput(std::string* place);

}  // namespace warden::storage::spool

#endif  // WARDEN_STORAGE_SPOOL_SPOOL_STORE_H_
