#ifndef WARDEN_STORAGE_MIRRORED_STORE_H_
#define WARDEN_STORAGE_MIRRORED_STORE_H_

#include <memory>
#include <string>

#include "warden/storage/store.h"

namespace warden::storage {

// A run elsewhere of which all is here but what is large: keys that begin with `prefix` are the
// original's, all others those of the copy, which somebody else keeps up to date. For reading:
// writing is kInvalid for any key. Messages name the places of the original. Changes are reported
// as the copy reports them.
//
//   NewMirroredStore(NewLocalStore(folder), std::move(in_s3), "events/");
std::unique_ptr<Store> NewMirroredStore(std::unique_ptr<const Store> copy,
                                        std::unique_ptr<const Store> original, std::string prefix);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_MIRRORED_STORE_H_
