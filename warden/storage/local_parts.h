#ifndef WARDEN_STORAGE_LOCAL_PARTS_H_
#define WARDEN_STORAGE_LOCAL_PARTS_H_

// What the local store is made of, each in its own file: reading (local_object.cc), writing
// (local_writer.cc) and watching (local_watch.cc), by path instead of by key. Nobody but
// local_store.cc and tests should need these: Store has the same with checked keys. Safe for many
// threads.

#include <memory>
#include <string>
#include <string_view>

#include "warden/storage/store.h"

namespace warden::storage {

// Opens the regular file root + key for reading: Store::Open of the local store. Anything else
// there, such as a folder, a FIFO, a socket or a link that leads out of the root, is kNotFound, and
// never waited for; kIo if the file exists but cannot be opened. The object holds a file descriptor
// until it is destroyed.
//
// Reads of 128 KiB and more map the file instead of copying it, in processes that survive a file
// that shrinks while it is mapped (shortened_files.h). The mapping is private: changing its bytes
// does not change the file.
Result<std::shared_ptr<const Object>> OpenLocalObject(const std::string& root,
                                                      std::string_view key);

// Store::Create for the file of that path: writes to "<path>.tmp", under a lock, and renames it on
// Commit. Missing folders above it are made. kUnavailable while another writer holds the lock; the
// file of a writer that was killed is taken over. kNotFound if its folder is removed meanwhile, kIo
// for everything else that the system refuses.
Result<std::unique_ptr<ObjectWriter>> CreateLocalObject(std::string path);

// Store::PutIfAbsent for the file of that path: kExists if anything of that name is there. On file
// systems that cannot rename without replacing (NFS), a reader may see the file before it is whole;
// that only one of many succeeds holds there, too.
Status PutLocalIfAbsent(const std::string& path, Bytes body);

// Store::WatchPrefix of the local store, with inotify, below a root that ends in '/'. The folder of
// the prefix need not exist yet: its creation is watched for. kUnavailable where inotify reports
// nothing of other machines (NFS, SMB, FUSE and the like) or one of its limits is reached, with the
// limit named. Holds one file descriptor, and one inotify watch for each folder below the prefix.
// The watch does not refer to the store. REQUIRES: CheckPrefix(prefix) is ok.
Result<std::unique_ptr<Watch>> WatchLocal(std::string root, std::string_view prefix);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_PARTS_H_
