#include "warden/http/connection-inl.h"

namespace warden::http {

bool ServeTls(Hub* hub, tcp::socket socket) {
  using Stream = asio::ssl::stream<tcp::socket>;
  return std::make_shared<Connection<Stream>>(hub, std::move(socket), *hub->tls)->Start();
}

}  // namespace warden::http
