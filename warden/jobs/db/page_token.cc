#include "warden/jobs/db/page_token.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "warden/base/json.h"

namespace warden::jobs::db {
namespace {

constexpr size_t kCheckDigits = 16;
constexpr size_t kLongest = 8192;  // The API's model.

// FNV-1a: finds what was cut or mistyped. Nobody gains anything by a token of his own.
uint64_t CheckOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string PageToken(const Json& place) {
  const std::string text = DumpLikePython(place);
  std::string token = fmt::format("{:016x}", CheckOf(text));
  for (const char c : text) fmt::format_to(std::back_inserter(token), "{:02x}", c & 0xff);
  return token;
}

std::optional<Json> PlaceOf(std::string_view token) {
  if (token.size() < kCheckDigits || token.size() > kLongest || token.size() % 2 != 0) {
    return std::nullopt;
  }
  std::string text;
  for (size_t i = kCheckDigits; i < token.size(); i += 2) {
    unsigned byte = 0;
    const char* end = token.data() + i + 2;
    if (std::from_chars(token.data() + i, end, byte, 16).ptr != end) return std::nullopt;
    text += static_cast<char>(byte);
  }
  if (token.substr(0, kCheckDigits) != fmt::format("{:016x}", CheckOf(text))) return std::nullopt;
  auto place = ParseJson(text);
  if (!place.ok()) return std::nullopt;
  return std::move(place).value();
}

}  // namespace warden::jobs::db
