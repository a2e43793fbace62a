#include "warden/s3/page_policy.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "warden/base/strings.h"

namespace warden::s3 {
namespace {

// "text/html" of "Text/HTML; charset=utf-8".
std::string MediaType(std::string_view value) {
  return LowerAscii(Trim(value.substr(0, value.find_first_of(";,"))));
}

// Whether a browser would run what such a document holds. What is not a type at all is decided by
// browsers, each in its way.
bool IsActive(std::string_view value) {
  const std::string type = MediaType(value);
  static constexpr std::string_view kActive[] = {"text/html", "text/xml", "application/xml",
                                                 "text/xsl", "multipart/x-mixed-replace"};
  return type.find('/') == std::string::npos || type.ends_with("+xml") ||
         std::ranges::find(kActive, type) != std::end(kActive) ||
         value.find(',') != std::string_view::npos;
}

bool IsNamed(const http::Headers::value_type& header, std::string_view lower_case_name) {
  return LowerAscii(header.first) == lower_case_name;
}

// "attachment; filename=a.html" of "inline; filename=a.html".
std::string AsDownload(std::string_view disposition) {
  const size_t semicolon = disposition.find(';');
  if (semicolon == std::string_view::npos) return "attachment";
  return "attachment" + std::string(disposition.substr(semicolon));
}

}  // namespace

void AddPagePolicy(http::Headers* headers) {
  bool is_active = false;
  std::string disposition;
  for (const auto& header : *headers) {
    if (IsNamed(header, "content-type")) is_active = is_active || IsActive(header.second);
    if (IsNamed(header, "content-disposition")) disposition = header.second;
  }
  if (is_active) {
    std::erase_if(*headers,
                  [](const auto& header) { return IsNamed(header, "content-disposition"); });
    headers->emplace_back("Content-Disposition", AsDownload(disposition));
  }
  AddSandbox(headers);
}

void AddSandbox(http::Headers* headers) {
  headers->emplace_back("Content-Security-Policy", "sandbox; default-src 'none'");
  headers->emplace_back("X-Content-Type-Options", "nosniff");
}

}  // namespace warden::s3
