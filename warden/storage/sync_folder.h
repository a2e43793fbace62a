#ifndef WARDEN_STORAGE_SYNC_FOLDER_H_
#define WARDEN_STORAGE_SYNC_FOLDER_H_

#include <string>

#include "warden/base/status.h"

namespace warden::storage {

// Returns when everything that was written in the folder so far, by whomever, is on the disk and
// survives a loss of power: files, names and folders. Asks for the whole file system, since a run
// is many small files in many folders. kNotFound if there is no such folder, kIo if the disk
// refuses: what was written before may then be lost. For the folder of a local store (Locate("")).
Status SyncFolder(const std::string& path);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_SYNC_FOLDER_H_
