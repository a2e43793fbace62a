#ifndef WARDEN_STORAGE_SPOOL_UPLOADER_H_
#define WARDEN_STORAGE_SPOOL_UPLOADER_H_

#include <optional>
#include <string>

#include "warden/base/status.h"
#include "warden/storage/spool/spool.h"

namespace warden::storage::spool {

// The file of the program `warden`: this one, if it is that; else "bin/warden" in a folder above
// this library, as in a Python package or an installation; else the one on the PATH.
std::optional<std::string> FindWarden();

// Has a process of its own send the run's files (`warden upload --spool`), unless one does already.
// It outlives this process. kNotFound if there is no `warden`, kIo if it cannot be started: the
// files then wait until somebody runs `warden upload`. Takes milliseconds. For any thread.
Status StartUploader(const SpooledRun& run);

// Why the uploader's last pass failed; empty if it did not. It says so in the spool.
std::string UploadError(const SpooledRun& run);

// StartUploader for runs that others have left behind: without writers and without an uploader.
void StartLeftUploads();

}  // namespace warden::storage::spool

#endif  // WARDEN_STORAGE_SPOOL_UPLOADER_H_
