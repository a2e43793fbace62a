#ifndef WARDEN_STORAGE_MEM_STORE_H_
#define WARDEN_STORAGE_MEM_STORE_H_

#include <memory>

#include "warden/storage/store.h"

namespace warden::storage {

// A new, empty store of objects in memory: for tests and for runs that nobody needs to keep
// ("mem:"). Reading copies nothing: a Blob shares the object's memory. Writers, watches, objects
// and blobs stay valid after the store is destroyed. Nothing limits its size.
std::unique_ptr<Store> NewMemStore();

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_MEM_STORE_H_
