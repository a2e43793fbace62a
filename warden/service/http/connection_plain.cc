#include "warden/service/http/connection-inl.h"

namespace warden::service {

bool ServePlain(Hub* hub, tcp::socket socket) {
  return std::make_shared<Connection<tcp::socket>>(hub, std::move(socket))->Start();
}

}  // namespace warden::service
