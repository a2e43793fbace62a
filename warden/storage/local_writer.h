#ifndef WARDEN_STORAGE_LOCAL_WRITER_H_
#define WARDEN_STORAGE_LOCAL_WRITER_H_

#include <memory>
#include <string>

#include "warden/storage/store.h"

namespace warden::storage {

// Writing of the local store, by path instead of by key. Nobody else should need these: Store::Put
// and Store::PutIfAbsent are the same with checked keys. Safe for many threads.

// Store::Create for the file of that path: writes to "<path>.tmp", under a lock, and renames it on
// Commit. Missing folders above it are made. kUnavailable while another writer holds the lock; the
// file of a writer that was killed is taken over. kNotFound if its folder is removed meanwhile, kIo
// for everything else that the system refuses.
Result<std::unique_ptr<ObjectWriter>> CreateLocalObject(std::string path);

// Store::PutIfAbsent for the file of that path: kExists if anything of that name is there. On file
// systems that cannot rename without replacing (NFS), a reader may see the file before it is whole;
// that only one of many succeeds holds there, too.
Status PutLocalIfAbsent(const std::string& path, Bytes body);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_WRITER_H_
