#ifndef WARDEN_HTTP_RESPONSE_HEAD_H_
#define WARDEN_HTTP_RESPONSE_HEAD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warden/http/message.h"

namespace warden::http {

// How the body follows the head.
struct Framing {
  bool keep_alive = true;
  bool is_chunked = false;
  std::optional<uint64_t> length;
};

// Status line and headers, with the empty line. Whatever the response's headers hold, nothing but
// headers comes of it: names that are none are left out, line ends in values become blanks.
std::string ResponseHead(const Response& response, const Framing& framing);

// A status that never has a body.
bool IsBodiless(int status);

// A plain text of one line.
Response TextResponse(int status, std::string_view text);

}  // namespace warden::http

#endif  // WARDEN_HTTP_RESPONSE_HEAD_H_
