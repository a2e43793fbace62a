#ifndef WARDEN_STORAGE_LOCAL_STORE_H_
#define WARDEN_STORAGE_LOCAL_STORE_H_

#include <memory>
#include <string>

#include "warden/storage/store.h"

namespace warden::storage {

// Files below a folder: the store of nearly all runs. An object is written to "<key>.tmp" beside
// its place and renamed, so a file is there whole or not at all; "*.tmp" is never listed. Not
// flushed to the disk itself: what is promised is to survive the death of the process, not of the
// machine. Watches with inotify, and so not on network file systems.
//
// The root may be relative: it is resolved here, so a later change of the working folder does not
// move the store. It need not exist; the first write makes it. Never fails: what is wrong with the
// folder shows when it is used. Prefer OpenStore, which also understands "file://" and "~/".
std::unique_ptr<Store> NewLocalStore(std::string root);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_LOCAL_STORE_H_
