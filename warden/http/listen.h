#ifndef WARDEN_HTTP_LISTEN_H_
#define WARDEN_HTTP_LISTEN_H_

#include <cstdint>
#include <string>

#include "warden/base/status.h"

namespace warden::http {

// An address that is listened to.
struct Listener {
  int socket = -1;  // Whoever gets it closes it.
  bool is_ipv6 = false;
  bool is_loopback = false;
  uint16_t port = 0;
  std::string host;  // As in a URL: "127.0.0.1", "[::1]".
};

// "127.0.0.1:8080", "[::1]:0", "localhost:8080". kInvalid if it is no such address, kIo if it
// cannot be listened to.
Result<Listener> Listen(const std::string& address);

}  // namespace warden::http

#endif  // WARDEN_HTTP_LISTEN_H_
