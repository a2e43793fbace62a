#ifndef WARDEN_ACTIONS_METRICS_SERVER_H_
#define WARDEN_ACTIONS_METRICS_SERVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/http/server.h"

namespace warden::actions {

// Answers GET /metrics with a page and refuses everything else (404, 405). Runs on a separate
// thread. Connections that are silent for 10 s are closed, requests above 16 KiB refused. There is
// no encryption and no password: bind it to the loopback address, or to a network that may read the
// metrics. Started by ActionMaker.
class MetricsServer {
 public:
  // listen: "127.0.0.1:9464", "[::1]:0", as http::ServerOptions has it. page is called from the
  // server's thread, and what it refers to outlives the server. kInvalid for a bad address, kIo if
  // it cannot listen there.
  static Result<std::unique_ptr<MetricsServer>> Start(const std::string& listen,
                                                      std::function<std::string()> page);

  // The port it listens on, also if 0 was asked for. From any thread.
  uint16_t port() const { return server_->port(); }

 private:
  explicit MetricsServer(std::unique_ptr<http::Handler> handler) : handler_(std::move(handler)) {}

  const std::unique_ptr<http::Handler> handler_;
  std::unique_ptr<http::Server> server_;  // Closes all connections before the handler goes.
};

}  // namespace warden::actions

#endif  // WARDEN_ACTIONS_METRICS_SERVER_H_
