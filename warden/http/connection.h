#ifndef WARDEN_HTTP_CONNECTION_H_
#define WARDEN_HTTP_CONNECTION_H_

// Boost.Asio uses std::exchange without including it.
#include <utility>
//
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <optional>

#include "warden/http/message.h"
#include "warden/http/peers.h"
#include "warden/http/server.h"

namespace warden::http {

// What the connections of a server share.
struct Hub {
  Hub(ServerOptions given, Handler* handles)
      : options(std::move(given)), handler(handles), peers(options.max_connections) {}

  const ServerOptions options;
  Handler* const handler;
  Peers peers;
  std::optional<boost::asio::ssl::context> tls;
  boost::asio::io_context context;  // Goes first: what is left in it uses the others.
};

// Serves one client, on the socket's executor, until either side has had enough. False: there are
// too many clients.
bool ServePlain(Hub* hub, boost::asio::ip::tcp::socket socket);
bool ServeTls(Hub* hub, boost::asio::ip::tcp::socket socket);

}  // namespace warden::http

#endif  // WARDEN_HTTP_CONNECTION_H_
