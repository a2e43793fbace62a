#ifndef WARDEN_STORAGE_STORAGE_FOR_TEST_H_
#define WARDEN_STORAGE_STORAGE_FOR_TEST_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <string>

#include "warden/os/temp_folder_for_test.h"
#include "warden/storage/store.h"

// For the tests of stores.
namespace warden::storage {

using Keys = std::vector<std::string>;

// What an object holds, or the name of the error.
inline std::string Text(const Store& store, std::string_view key) {
  const Result<Blob> blob = store.ReadAll(key);
  return std::string(blob.ok() ? AsText(blob.value().bytes) : CodeName(blob.status().code()));
}

inline Code PutCode(Store& store, std::string_view key, std::string_view text = "text") {
  return store.Put(key, AsBytes(text)).code();
}

// What the watch tells until it has told all the keys wanted, asks to list, or is late.
struct Told {
  std::set<std::string> keys;
  bool list_again = false;

  bool Has(const std::set<std::string>& wanted) const {
    return std::includes(keys.begin(), keys.end(), wanted.begin(), wanted.end());
  }
};

inline Told Listen(Watch& watch, const std::set<std::string>& wanted) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  Told told;
  while (!told.Has(wanted) && !told.list_again && std::chrono::steady_clock::now() < deadline) {
    watch.Wait(std::chrono::milliseconds(1000));
    const Watch::Changes changes = watch.Take();
    told.keys.insert(changes.keys.begin(), changes.keys.end());
    told.list_again |= changes.list_again;
  }
  return told;
}

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_STORAGE_FOR_TEST_H_
