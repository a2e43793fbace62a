#ifndef WARDEN_STORAGE_CONTRACT_H_
#define WARDEN_STORAGE_CONTRACT_H_

#include <cstdint>
#include <string_view>

#include "warden/base/status.h"

// What every kind of store checks alike.
namespace warden::storage {

// The end of the names of unfinished objects.
inline constexpr std::string_view kUnfinishedSuffix = ".tmp";

inline bool IsUnfinished(std::string_view key) { return key.ends_with(kUnfinishedSuffix); }

// The part of a prefix up to and with its last '/': the folder in which all its keys are.
std::string_view FolderOf(std::string_view prefix);

// kInvalid for a key that is not well formed.
Status CheckKey(std::string_view key);

// kInvalid for a prefix whose folder is not well formed. Its last part may be any start of a name.
Status CheckPrefix(std::string_view prefix);

// kTruncated if the range does not lie in an object of that size.
Status CheckRange(std::string_view name, uint64_t size, uint64_t offset, uint64_t length);

}  // namespace warden::storage

#endif  // WARDEN_STORAGE_CONTRACT_H_
