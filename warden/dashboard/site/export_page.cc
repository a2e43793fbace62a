#include "warden/dashboard/site/export_page.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "warden/base/asset.h"
#include "warden/dashboard/site/page.h"
#include "warden/net/digest.h"

namespace warden::dashboard {
namespace {

std::string ReplacedAll(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Our own script as the text of an element. In a script these can stand in strings and patterns
// only, where the backslash changes nothing.
std::string InElement(std::string_view script) {
  return ReplacedAll(ReplacedAll(std::string(script), "</script", "<\\/script"), "<!--",
                     "\\x3c!--");
}

std::string Escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'') {
      safe += fmt::format("&#{};", static_cast<int>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string HashOf(std::string_view text) {
  return fmt::format("'sha256-{}'", net::Base64(net::Sha256(text)));
}

// The number of bytes in front of what follows: a little-endian word and padding to 8 bytes.
std::string Framed(std::string_view index, std::string_view bytes) {
  std::string all(8, '\0');
  std::string padded(index);
  padded.resize((padded.size() + 7) / 8 * 8, ' ');
  for (int i = 0; i < 4; ++i) all[i] = static_cast<char>(padded.size() >> (8 * i) & 0xFF);
  all += padded;
  all += bytes;
  return all;
}

}  // namespace

Result<std::string> OfflinePage(std::string_view title, std::string_view index,
                                std::string_view bytes) {
  const std::string packed = Pack(Framed(index, bytes));
  if (packed.empty()) return Status(Code::kIo, "cannot compress the page");
  const std::string script = InElement(DashboardScript().text);
  const std::string style(DashboardStyle().text);
  const std::string policy = fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src data: blob:; base-uri 'none'; "
      "form-action 'none'",
      HashOf(script), HashOf(style));
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{} · Tensorwarden</title>\n<link rel=\"icon\" href=\"data:,\">\n",
      policy, Escaped(title));
  page += "<style>" + style + "</style>\n</head>\n<body>\n";
  page += "<noscript><p>This page needs JavaScript.</p></noscript>\n";
  page += "<script type=\"application/octet-stream\" id=\"warden-export\">";
  page += net::Base64(packed);
  page += "</script>\n<script type=\"module\">" + script + "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace warden::dashboard
