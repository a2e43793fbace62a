#ifndef WARDEN_STORAGE_LOCAL_WRITER_H_
#define WARDEN_STORAGE_LOCAL_WRITER_H_

#include <memory>
#include <string>

#include "warden/storage/store.h"

namespace warden::storage {

// Writes to "<path>.tmp" and renames it on Commit. Missing folders above it are made.
Result<std::unique_ptr<ObjectWriter>> CreateLocalObject(std::string path);

// Store::PutIfAbsent for the file of that path.
Status PutLocalIfAbsent(const std::string& path, Bytes body);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_WRITER_H_
