#include "warden/format/own_checksum.h"

#include <fmt/format.h>

#include "warden/format/crc32c.h"

namespace warden::format {
namespace {

constexpr std::string_view kSumKey = R"(, "crc32c": )";
// Eight digits, with quotes, by which it is told from other numbers.
constexpr size_t kSumSize = 10;

std::string ShownSum(std::string_view text) {
  return fmt::format("\"{:08x}\"", Crc32c(AsBytes(text)));
}

}  // namespace

std::string WithOwnChecksum(std::string json, std::string_view closing) {
  json.resize(json.size() - closing.size());
  const std::string value = ShownSum(json);
  return json.append(kSumKey).append(value).append(closing);
}

OwnChecksum CheckOwnChecksum(std::string_view json) {
  while (json.ends_with('}')) json.remove_suffix(1);
  if (json.size() < kSumSize) return OwnChecksum::kNone;
  const std::string_view value = json.substr(json.size() - kSumSize);
  // By its form alone: its key may be what is damaged.
  if (!value.starts_with('"') || !value.ends_with('"')) return OwnChecksum::kNone;
  json.remove_suffix(kSumSize);
  if (!json.ends_with(kSumKey)) return OwnChecksum::kWrong;
  json.remove_suffix(kSumKey.size());
  return value == ShownSum(json) ? OwnChecksum::kRight : OwnChecksum::kWrong;
}

}  // namespace warden::format
