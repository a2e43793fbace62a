#ifndef WARDEN_STORAGE_LOCAL_WATCH_H_
#define WARDEN_STORAGE_LOCAL_WATCH_H_

#include <memory>
#include <string>
#include <string_view>

#include "warden/storage/store.h"

namespace warden::storage {

// Store::WatchPrefix of the local store, with inotify, below a root that ends in '/'. The folder of
// the prefix need not exist yet: its creation is watched for. kUnavailable where inotify reports
// nothing of other machines (NFS, SMB, FUSE and the like) or one of its limits is reached, with the
// limit named. Holds one file descriptor, and one inotify watch for each folder below the prefix.
// The watch does not refer to the store. REQUIRES: CheckPrefix(prefix) is ok.
Result<std::unique_ptr<Watch>> WatchLocal(std::string root, std::string_view prefix);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_WATCH_H_
