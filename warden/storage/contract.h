#ifndef WARDEN_STORAGE_CONTRACT_H_
#define WARDEN_STORAGE_CONTRACT_H_

#include <cstdint>
#include <string_view>

#include "warden/base/status.h"

// What every kind of store checks alike: for those who implement storage::Store, not for those who
// use one. A new kind of store calls these before it touches anything, so that all kinds refuse the
// same keys with the same codes. Pure functions, safe for many threads.
namespace warden::storage {

// The end of the names of unfinished objects. No key ends so, and no list shows such a file.
inline constexpr std::string_view kUnfinishedSuffix = ".tmp";

inline bool IsUnfinished(std::string_view key) { return key.ends_with(kUnfinishedSuffix); }

// The part of a prefix up to and with its last '/': the folder in which all its keys are. Empty
// without a '/'. A view into prefix.
std::string_view FolderOf(std::string_view prefix);

// kInvalid for a key that is not well formed: see IsValidKey in store.h.
Status CheckKey(std::string_view key);

// kInvalid for a prefix whose folder is not well formed. Its last part may be any start of a name,
// the empty one included: "" and "index/" are good prefixes.
Status CheckPrefix(std::string_view prefix);

// kTruncated if the range [offset, offset + length) does not lie in an object of that size, in
// bytes. Ranges whose end overflows are refused, too. name is for the message.
Status CheckRange(std::string_view name, uint64_t size, uint64_t offset, uint64_t length);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_CONTRACT_H_
