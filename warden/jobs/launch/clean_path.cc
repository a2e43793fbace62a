#include "warden/jobs/launch/clean_path.h"

#include <algorithm>

namespace warden::jobs {

std::optional<std::string> CleanRelative(std::string_view path) {
  if (path.starts_with('/') || path.find('\0') != std::string_view::npos) return std::nullopt;
  std::string clean;
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return std::nullopt;
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  return clean;
}

std::optional<std::string> CleanAbsolute(std::string_view path) {
  if (!path.starts_with('/')) return std::nullopt;
  while (path.starts_with('/')) path.remove_prefix(1);
  auto clean = CleanRelative(path);
  if (clean && !clean->empty()) clean->insert(0, "/");
  return clean;
}

bool IsBelowOrSame(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace warden::jobs
