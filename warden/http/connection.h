#ifndef WARDEN_HTTP_CONNECTION_H_
#define WARDEN_HTTP_CONNECTION_H_

// The border between the server, which accepts, and connection-inl.h, the template that serves one
// client. It is instantiated in connection_plain.cc and connection_tls.cc, so that server.cc does
// not include it. Used by server.cc alone.

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

// What the connections of a server share. Outlives all of them. Safe for many threads: only peers
// and the context change once the server runs, and both lock.
struct Hub {
  Hub(ServerOptions given, Handler* handles)
      : options(std::move(given)), handler(handles), peers(options.max_connections) {}

  const ServerOptions options;                   // As Server::Start got them.
  Handler* const handler;                        // Not owned.
  Peers peers;                                   // The open connections.
  std::optional<boost::asio::ssl::context> tls;  // Set before the first ServeTls.
  boost::asio::io_context context;  // Destroyed first: what is left in it uses the others.
};

// Take a socket and serve its client until either side closes. They return at once: the work
// happens on the socket's executor, which must be a strand. False: there are too many clients, or
// the server is stopping; the socket is closed, and a plain one got a 503 as far as that took no
// time.
bool ServePlain(Hub* hub, boost::asio::ip::tcp::socket socket);
bool ServeTls(Hub* hub, boost::asio::ip::tcp::socket socket);  // REQUIRES: hub->tls.

}  // namespace warden::http

#endif  // WARDEN_HTTP_CONNECTION_H_
