#ifndef WARDEN_HTTP_HUB_H_
#define WARDEN_HTTP_HUB_H_

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "warden/http/message.h"
#include "warden/http/peers.h"
#include "warden/http/server.h"

namespace warden::http {

// What the connections of a server share. Outlives all of them. Safe for many threads: only peers
// and the context change once the server runs, and both lock.
struct Hub {
  Hub(ServerOptions given, Handler* handles)
      : options(std::move(given)), handler(handles), peers(options.max_connections) {}

  const ServerOptions options;                   // As Server::Start got them.
  Handler* const handler;                        // Not owned.
  Peers peers;                                   // The open connections.
  std::optional<boost::asio::ssl::context> tls;  // Set before the first connection, or never.
  boost::asio::io_context context;  // Destroyed first: what is left in it uses the others.
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_HUB_H_
