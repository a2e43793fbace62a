#ifndef WARDEN_STORAGE_LOCAL_OBJECT_H_
#define WARDEN_STORAGE_LOCAL_OBJECT_H_

#include <memory>
#include <string>

#include "warden/storage/store.h"

namespace warden::storage {

// Opens the regular file of that path for reading: Store::Open of the local store. Anything else
// there, such as a folder, a FIFO or a socket, is kNotFound, and never waited for; kIo if the file
// exists but cannot be opened. The object holds a file descriptor until it is destroyed.
//
// Reads of 128 KiB and more map the file instead of copying it. The mapping is private: changing
// its bytes does not change the file. See shortened_files.h for files that shrink while mapped.
Result<std::shared_ptr<const Object>> OpenLocalObject(std::string path);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_OBJECT_H_
