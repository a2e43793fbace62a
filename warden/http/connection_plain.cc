#include "warden/http/connection-inl.h"

namespace warden::http {

bool ServePlain(Hub* hub, tcp::socket socket) {
  return std::make_shared<Connection<tcp::socket>>(hub, std::move(socket))->Start();
}

}  // namespace warden::http
