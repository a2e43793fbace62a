#ifndef WARDEN_STORAGE_MEM_STORE_H_
#define WARDEN_STORAGE_MEM_STORE_H_

#include <memory>

#include "warden/storage/store.h"

namespace warden::storage {

// Objects in memory: for tests and for runs that nobody needs to keep.
std::unique_ptr<Store> NewMemStore();

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_MEM_STORE_H_
