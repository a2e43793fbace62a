#include "warden/report/html_text.h"

#include <cstdint>

#include "warden/base/json.h"

namespace warden::report {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Character {
  uint32_t code = 0;
  size_t length = 0;  // 0: not UTF-8.
};

Character FirstOf(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  static constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  uint32_t code = lead & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kLeast[length] || code > 0x10FFFF || surrogate) return {};
  return {code, length};
}

bool Hidden(uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

void AppendEscaped(std::string_view text, std::string* html) {
  while (!text.empty()) {
    const Character first = FirstOf(text);
    if (first.length == 0 || Hidden(first.code)) {
      html->append(kReplacement);
      text.remove_prefix(first.length == 0 ? 1 : first.length);
      continue;
    }
    switch (first.code) {
      case '&': html->append("&amp;"); break;
      case '<': html->append("&lt;"); break;
      case '>': html->append("&gt;"); break;
      case '"': html->append("&quot;"); break;
      case '\'': html->append("&#39;"); break;
      default: html->append(text.substr(0, first.length));
    }
    text.remove_prefix(first.length);
  }
}

std::string Escaped(std::string_view text) {
  std::string html;
  AppendEscaped(text, &html);
  return html;
}

std::string JsonForScript(const Json& value) {
  const std::string json =
      value.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(json.size());
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '\\') {
      // An escape of two characters, or of six.
      const size_t length = json[i + 1] == 'u' ? 6 : 2;
      const std::string escape = json.substr(i, length);
      const bool hidden = length == 6 && Hidden(std::stoul(escape.substr(2), nullptr, 16));
      safe += hidden ? "\\ufffd" : escape;
      i += length - 1;
    } else if (c == '<' || c == '>' || c == '&') {
      safe += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace warden::report
