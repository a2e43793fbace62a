#include "warden/report/html_text.h"

#include <algorithm>
#include <cstdint>

#include "warden/base/json.h"
#include "warden/base/text/utf8.h"

namespace warden::report {
namespace {

bool Hidden(uint32_t code) {
  if (code == '\n' || code == '\t') return false;
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

void AppendEscaped(std::string_view text, std::string* html) {
  while (!text.empty()) {
    const Character first = FirstCharacter(text);
    if (first.size == 0 || Hidden(first.code)) {
      html->append(kReplacementText);
      text.remove_prefix(std::max<size_t>(first.size, 1));
      continue;
    }
    switch (first.code) {
      case '&': html->append("&amp;"); break;
      case '<': html->append("&lt;"); break;
      case '>': html->append("&gt;"); break;
      case '"': html->append("&quot;"); break;
      case '\'': html->append("&#39;"); break;
      default: html->append(text.substr(0, first.size));
    }
    text.remove_prefix(first.size);
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
