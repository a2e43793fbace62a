#ifndef WARDEN_HTTP_RESPONSE_HEAD_H_
#define WARDEN_HTTP_RESPONSE_HEAD_H_

// The text of a response's head, and the plain responses that the server makes itself.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warden/http/message.h"

namespace warden::http {

// How the body follows the head. At most one of is_chunked and length.
struct Framing {
  bool keep_alive = true;          // Connection: keep-alive, or close.
  bool is_chunked = false;         // HTTP/1.1 clients only.
  std::optional<uint64_t> length;  // Not sent where the status has no body.
};

// Returns the status line and headers, with the empty line. Whatever the response's headers
// contain, the result is one valid head (no response splitting): headers with invalid names, and
// those that the server sets itself, are dropped; control characters in values become blanks.
//
//   HTTP/1.1 200 OK
//   Server: tensorwarden
//   Date: Sun, 06 Nov 1994 08:49:37 GMT
//   Content-Type: text/plain; charset=utf-8
//   Content-Length: 3
//   Connection: keep-alive
std::string ResponseHead(const Response& response, const Framing& framing);

// Whether responses with this status never have a body: 1xx, 204, 304.
bool IsBodiless(int status);

// Returns a plain text of one line; the line end is added.
Response TextResponse(int status, std::string_view text);

}  // namespace warden::http

#endif  // WARDEN_HTTP_RESPONSE_HEAD_H_
