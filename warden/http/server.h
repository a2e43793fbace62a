#ifndef WARDEN_HTTP_SERVER_H_
#define WARDEN_HTTP_SERVER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/http/message.h"

namespace warden::http {

// How a server listens, and what it bears from its clients.
struct ServerOptions {
  std::string listen = "127.0.0.1:8080";  // "[::1]:8080", "localhost:0"; port 0: any that is free.
  std::string tls_certificate, tls_key;   // PEM files; both or neither.

  size_t head_bytes = size_t{32} << 10;              // Of a request's head, else 431.
  std::chrono::milliseconds head_time{10'000};       // For a whole head, else 408.
  std::chrono::milliseconds idle_time{60'000};       // Between requests.
  std::chrono::milliseconds body_stall{30'000};      // Without a byte of the body.
  std::chrono::milliseconds write_stall{30'000};     // Without a byte taken by the client.
  std::chrono::milliseconds live_heartbeat{15'000};  // Between signs of life of server-sent events.
  std::chrono::milliseconds stop_time{10'000};       // That running exchanges get when it stops.
  size_t live_bytes = size_t{1} << 20;     // Waiting for one client; with more it is cut off.
  size_t message_bytes = size_t{1} << 20;  // Of one WebSocket message.
  size_t max_connections = 2000;           // More are answered 503.
  int threads = 0;                         // 0: enough for handlers that wait for disks.
};

// An HTTP/1.1 server. Its handler is called from its own threads, which get no signals: a handler
// that starts a program must let it have them again.
class Server {
 public:
  // kInvalid if the address or the certificate is not understood, kIo if the address cannot be
  // listened to. The handler outlives the server. Tells loudly if others could listen in.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options, Handler* handler);
  ~Server();  // Stops it.
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  uint16_t port() const;
  // "http://127.0.0.1:8080".
  const std::string& address() const;

  // Accepts nobody any more, closes connections that wait, live pipes and sockets, lets running
  // exchanges end for the time of the options, and then closes what is left. May be called twice.
  // Not from a handler, which it waits for.
  void Stop();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace warden::http

#endif  // WARDEN_HTTP_SERVER_H_
