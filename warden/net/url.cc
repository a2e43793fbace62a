#include "warden/net/url.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "warden/base/strings.h"

namespace warden::net {
namespace {

using Handle = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

std::string Part(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return "";
  std::string value(text);
  curl_free(text);
  return value;
}

bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7F; });
}

}  // namespace

Result<Url> ParseUrl(const std::string& text, std::span<const std::string_view> schemes) {
  const Status refused(Code::kInvalid, fmt::format("invalid URL; expected {}://host/...",
                                                   fmt::join(schemes, ":// or ")));
  const Handle handle(curl_url(), &curl_url_cleanup);
  if (handle == nullptr || !IsPlain(text) ||
      curl_url_set(handle.get(), CURLUPART_URL, text.c_str(), CURLU_NON_SUPPORT_SCHEME) !=
          CURLUE_OK) {
    return refused;
  }
  Url url;
  url.scheme = LowerAscii(Part(handle.get(), CURLUPART_SCHEME));
  url.host = Part(handle.get(), CURLUPART_HOST);
  if (url.host.starts_with('[')) url.host = url.host.substr(1, url.host.size() - 2);
  url.port = Part(handle.get(), CURLUPART_PORT);
  url.has_user = !Part(handle.get(), CURLUPART_USER).empty();
  if (url.host.empty() || std::find(schemes.begin(), schemes.end(), url.scheme) == schemes.end()) {
    return refused;
  }
  return url;
}

std::string Shown(const Url& url) {
  const bool is_v6 = url.host.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}{}{}", url.scheme, is_v6 ? "[" : "", url.host, is_v6 ? "]" : "",
                     url.port.empty() ? "" : ":", url.port);
}

std::string ShownUrl(const std::string& text) {
  static constexpr std::string_view kAll[] = {"http", "https", "smtp", "smtps"};
  const auto url = ParseUrl(text, kAll);
  return url.ok() ? Shown(url.value()) : "a URL";
}

bool IsLoopback(const Url& url) {
  // "127.example.com" is a name, and may be anywhere.
  in_addr address{};
  const bool is_address = inet_pton(AF_INET, url.host.c_str(), &address) == 1;
  return url.host == "localhost" || url.host == "::1" ||
         (is_address && url.host.starts_with("127."));
}

}  // namespace warden::net
