#include "warden/http/response_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <iterator>

#include "warden/base/strings.h"
#include "warden/base/time.h"

namespace warden::http {
namespace {

bool IsNameCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// Those that say how the message is framed are ours alone.
bool IsOurs(std::string_view name) {
  static constexpr std::string_view kOurs[] = {"date",   "content-length",    "connection",
                                               "server", "transfer-encoding", "keep-alive"};
  return std::ranges::find(kOurs, LowerAscii(name)) != std::end(kOurs);
}

void AddHeader(std::string_view name, std::string_view value, std::string* head) {
  if (name.empty() || !std::ranges::all_of(name, IsNameCharacter) || IsOurs(name)) return;
  *head += name;
  *head += ": ";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    *head += (byte < 0x20 && c != '\t') || byte == 0x7F ? ' ' : c;
  }
  *head += "\r\n";
}

}  // namespace

std::string ResponseHead(const Response& response, const Framing& framing) {
  namespace http = boost::beast::http;
  const auto reason = http::obsolete_reason(static_cast<http::status>(response.status));
  std::string head =
      fmt::format("HTTP/1.1 {} {}\r\nServer: tensorwarden\r\nDate: {}\r\n", response.status,
                  std::string_view(reason.data(), reason.size()), HttpDate(Now()));
  for (const auto& [name, value] : response.headers) AddHeader(name, value, &head);
  if (framing.is_chunked) head += "Transfer-Encoding: chunked\r\n";
  if (framing.length && !IsBodiless(response.status)) {
    fmt::format_to(std::back_inserter(head), "Content-Length: {}\r\n", *framing.length);
  }
  head += framing.keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  return head;
}

bool IsBodiless(int status) { return status < 200 || status == 204 || status == 304; }

Response TextResponse(int status, std::string_view text) {
  Response response;
  response.status = status;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"}};
  response.body = fmt::format("{}\n", text);
  return response;
}

}  // namespace warden::http
