#ifndef WARDEN_HTTP_LISTEN_H_
#define WARDEN_HTTP_LISTEN_H_

// Opens the socket that a server accepts connections on. Used by Server alone.

#include <cstdint>
#include <string>

#include "warden/base/status.h"

namespace warden::http {

// An address that is listened on.
struct Listener {
  int socket = -1;           // Nonblocking, close-on-exec. The caller closes it.
  bool is_ipv6 = false;      // The family of the socket.
  bool is_loopback = false;  // Only processes of this machine can connect.
  uint16_t port = 0;         // The one that was chosen, if 0 was given.
  std::string host;          // As in a URL: "127.0.0.1", "[::1]".
};

// Listens on "127.0.0.1:8080", "[::1]:0" or "localhost:8080" ("localhost" means 127.0.0.1). Other
// host names are refused, not looked up. kInvalid: not such an address, or the port is not within
// 0..65535. kIo: why the system refused, without the address: "Address already in use". An address
// in use gets three seconds to become free, as it does after a server there was killed.
//
//   auto listener = Listen("[::1]:0");  // {.is_ipv6 = true, .port = 40123, .host = "[::1]"}
Result<Listener> Listen(const std::string& address);

}  // namespace warden::http

#endif  // WARDEN_HTTP_LISTEN_H_
