#include "warden/base/text/file_name.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <cstdint>

namespace warden {
namespace {

constexpr size_t kLongestName = 150;

uint64_t Fnv1a(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3;
  return hash;
}

}  // namespace

std::string SafeFileName(std::string_view name) {
  std::string safe;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' ||
                       (c == '.' && i > 0);  // A leading one would hide the file.
    safe += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<uint8_t>(c));
  }
  if (safe.size() <= kLongestName) return safe;
  return fmt::format("{}%{:016x}", safe.substr(0, kLongestName), Fnv1a(name));
}

}  // namespace warden
