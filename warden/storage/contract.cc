#include "warden/storage/contract.h"

#include <fmt/format.h>

#include "warden/storage/store.h"

namespace warden::storage {
namespace {

bool IsValidSegment(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && part.find('\0') == part.npos;
}

bool HasValidSegments(std::string_view path) {
  for (size_t start = 0;;) {
    const size_t end = path.find('/', start);
    if (!IsValidSegment(path.substr(start, end - start))) return false;
    if (end == path.npos) return true;
    start = end + 1;
  }
}

}  // namespace

bool IsValidKey(std::string_view key) { return HasValidSegments(key) && !IsUnfinished(key); }

std::string_view FolderOf(std::string_view prefix) {
  return prefix.substr(0, prefix.rfind('/') + 1);
}

Status CheckKey(std::string_view key) {
  if (IsValidKey(key)) return Status();
  return Status(Code::kInvalid, fmt::format("{:?} is not a valid key", key));
}

Status CheckPrefix(std::string_view prefix) {
  const std::string_view folder = FolderOf(prefix);
  const bool good_folder = folder.empty() || HasValidSegments(folder.substr(0, folder.size() - 1));
  if (good_folder && prefix.find('\0') == prefix.npos) return Status();
  return Status(Code::kInvalid, fmt::format("{:?} is not a valid key prefix", prefix));
}

Status CheckRange(std::string_view name, uint64_t size, uint64_t offset, uint64_t length) {
  // Not offset + length: that may overflow.
  if (offset <= size && length <= size - offset) return Status();
  return Status(Code::kTruncated,
                fmt::format("{} has {} bytes, too few for {} bytes from offset {}", name, size,
                            length, offset));
}

}  // namespace warden::storage
