#ifndef WARDEN_STORAGE_LOCAL_WATCH_H_
#define WARDEN_STORAGE_LOCAL_WATCH_H_

#include <memory>
#include <string>
#include <string_view>

#include "warden/storage/store.h"

namespace warden::storage {

// Store::WatchPrefix below a root that ends in '/'. REQUIRES: CheckPrefix(prefix) is ok.
Result<std::unique_ptr<Watch>> WatchLocal(std::string root, std::string_view prefix);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_WATCH_H_
