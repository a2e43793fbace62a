#ifndef WARDEN_STORAGE_LOCAL_OBJECT_H_
#define WARDEN_STORAGE_LOCAL_OBJECT_H_

#include <memory>
#include <string>

#include "warden/storage/store.h"

namespace warden::storage {

// The regular file of that path, for reading. Anything else there is kNotFound, and never waited
// for.
Result<std::shared_ptr<const Object>> OpenLocalObject(std::string path);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_OBJECT_H_
