#ifndef WARDEN_HTTP_SERVER_H_
#define WARDEN_HTTP_SERVER_H_

// The HTTP/1.1 server of `warden serve`, of the dashboard of `warden run --open` and of metrics for
// Prometheus: TCP or TLS, with server-sent events and WebSockets. It reads and writes; what is
// answered is up to a Handler (message.h), usually a router (router.h):
//
//   auto router = MakeRouter({.routes = {{&IsApiCall, api.get()}}, .fallback = dashboard.get()});
//   auto server = Server::Start({.listen = "127.0.0.1:0"}, router.get());
//   if (!server.ok()) return server.status();
//   fmt::print("{}\n", server.value()->address());  // "http://127.0.0.1:34567"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::http {

// How a server listens, and what it accepts from its clients. The defaults suit the service; tests
// shorten the times. Slow clients are looked for every 100 ms, so a limit may be exceeded by as
// much.
struct ServerOptions {
  std::string listen = "127.0.0.1:8080";  // "[::1]:8080", "localhost:0"; port 0: any that is free.
  std::string tls_certificate, tls_key;   // PEM files; both or neither.

  size_t head_bytes = size_t{32} << 10;              // Of a request's head; more is answered 431.
  std::chrono::milliseconds head_time{10'000};       // For a head (then 408), or a TLS handshake.
  std::chrono::milliseconds idle_time{60'000};       // Between requests; then it is closed.
  std::chrono::milliseconds body_stall{30'000};      // Without a byte of the body; then 408.
  std::chrono::milliseconds body_grace{10'000};      // From when on body_rate is expected.
  size_t body_rate = 1024;                           // Bytes/s of a body on average; less: 408.
  std::chrono::milliseconds write_stall{30'000};     // Without a byte taken; then it is closed.
  std::chrono::milliseconds live_heartbeat{15'000};  // Between signs of life of server-sent events.
  std::chrono::milliseconds stop_time{10'000};       // That running exchanges get when it stops.
  size_t live_bytes = size_t{1} << 20;     // Waiting for one client; with more it is cut off.
  size_t message_bytes = size_t{1} << 20;  // Of one WebSocket message.
  // At once, or fewer where the limit of descriptors (os/open_files.h) allows only fewer. With
  // more, the connection that has waited for a request for the longest time is closed; if all are
  // busy, the new one is answered 503.
  size_t max_connections = 2000;
  int threads = 0;  // 0: twice the cores, at least 8: handlers wait for disks.

  // Descriptors that are kept for everything else: the database, logs, jobs that are started.
  size_t reserved_files = 256;

  std::string purpose = "listen";  // In errors: "cannot listen on 127.0.0.1:80: ...".
  bool is_public = false;          // All may read what it serves: no warning if there is no TLS.
  bool answer_invalid = true;      // Else the connection of an unreadable request is just closed.
};

// A running server. Its handler is called from the server's own threads, in which signals are
// blocked (os::BlockedSignals): a handler that starts a process must unblock them in it. Start,
// Stop and the destructor are for one thread; port() and address() are for any.
class Server {
 public:
  // Listens and serves; the handler may be called before this returns. The handler is not owned and
  // must outlive the server. Logs a warning if other machines can connect without TLS, unless it is
  // public. kInvalid: the address is malformed, only one of certificate and key is given, or they
  // cannot be used. kIo: the address cannot be listened on, because it is in use, for example.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options, Handler* handler);
  ~Server();  // As Stop().
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // The port that is listened on, also where the options said 0.
  uint16_t port() const;
  // "http://127.0.0.1:8080", "https://[::1]:8443": with the address of the options ("localhost"
  // became 127.0.0.1). Valid as long as the server.
  const std::string& address() const;

  // Stops accepting, closes connections that wait for a request, live pipes and WebSockets, lets
  // running exchanges finish within options.stop_time, and then closes the rest. Returns when no
  // thread of the server is left. A second call does nothing. Never call it from a handler: it
  // waits for the handlers.
  void Stop();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;  // Hides Boost from those who include this.
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_SERVER_H_
